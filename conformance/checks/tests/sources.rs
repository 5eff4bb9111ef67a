//! Where cases come from, and the list of checks.

use seamcheck_checks::{registry, source, vectors};
use seamcheck_protocol::messages::Level;
use std::collections::HashSet;

#[test]
fn every_embedded_vector_can_be_put_to_an_adapter() {
    assert!(vectors::cases().unwrap().len() >= 400);
}

#[test]
fn check_ids_are_unique_and_begin_with_their_clause() {
    let mut ids = HashSet::new();
    for check in registry::checks() {
        assert!(ids.insert(check.id), "{} stands twice", check.id);
        assert!(check.id.starts_with(&format!("{}.", check.clause)), "{}", check.id);
    }
}

#[test]
fn the_same_seed_gives_the_same_case_and_another_seed_another_one() {
    let case = |seed, index| format!("{:?}", source::generated(seed, index, &Level::ALL).unwrap());
    for index in 0..60 {
        assert_eq!(case(1, index), case(1, index));
    }
    assert_ne!(
        (0..60).map(|index| case(1, index)).collect::<Vec<_>>(),
        (0..60).map(|index| case(2, index)).collect::<Vec<_>>()
    );
}

#[test]
fn the_name_of_a_generated_case_is_known_without_it_and_read_back() {
    for levels in [&Level::ALL[..], &[Level::Cut], &[Level::Compact]] {
        for index in 0..40 {
            let name = source::generated_name(3, index, levels).unwrap();
            assert_eq!(source::generated(3, index, levels).unwrap().name, name);
            assert_eq!(source::read_generated_name(&name), Some((3, index)));
        }
    }
    for wrong in
        ["generated/trim/1", "generated/trimming/1/2", "generated/trim/1/2/3", "generated/trim/+1/2", "vector/x"]
    {
        assert_eq!(source::read_generated_name(wrong), None, "{wrong}");
    }
}

#[test]
fn no_level_gives_no_case() {
    assert!(source::generated(1, 0, &[]).is_none());
}
