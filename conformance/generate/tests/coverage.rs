//! What 2,000 plans show: no check may be green because the generator never went where it looks.

use seamcheck_generate::{Feature, Plan, Settings};
use std::collections::BTreeMap;

fn counts(settings: &Settings) -> BTreeMap<Feature, usize> {
    let mut counts = BTreeMap::new();
    for index in 0..2_000 {
        for feature in Plan::from_seed(11, index, settings).build().features() {
            *counts.entry(feature).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn default_plans_show_every_feature_of_valid_contexts() {
    let counts = counts(&Settings::DEFAULT);
    for feature in Feature::ALL {
        let count = counts.get(&feature).copied().unwrap_or(0);
        let loose = matches!(feature, Feature::OpenCall | Feature::ReusedCallId | Feature::OrphanResult);
        if loose {
            assert_eq!(count, 0, "{feature:?}");
        } else {
            assert!(count >= 100, "{feature:?}: {count}\n{counts:#?}");
        }
    }
}

#[test]
fn cut_plans_show_what_only_trimming_accepts() {
    let counts = counts(&Settings::CUT);
    for feature in [Feature::OpenCall, Feature::ReusedCallId, Feature::OrphanResult, Feature::InterleavedRounds] {
        let count = counts.get(&feature).copied().unwrap_or(0);
        assert!(count >= 200, "{feature:?}: {count}\n{counts:#?}");
    }
}

#[test]
fn most_plans_are_small_and_some_are_not() {
    let sizes: Vec<usize> =
        (0..2_000).map(|index| Plan::from_seed(11, index, &Settings::DEFAULT).build().messages.len()).collect();
    assert!(sizes.iter().filter(|size| **size <= 15).count() > 1_000);
    assert!(sizes.iter().filter(|size| **size > 25).count() > 100);
    assert!(sizes.contains(&0));
}
