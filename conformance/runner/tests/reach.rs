//! What `seamcheck list` says of what reaches a check is what reaches it in a run of the built-in reference.

use seamcheck::adapter::Adapter;
use seamcheck::command::CommandLine;
use seamcheck::reach::reached_by;
use seamcheck::session::Timeouts;
use seamcheck_checks::check::{Judgement, Observed};
use seamcheck_checks::{registry, source};
use std::collections::{BTreeMap, BTreeSet};

/// Enough for every scenario to show all that it can.
const CASES: u64 = 360;

#[test]
fn every_check_is_reached_by_the_scenarios_that_are_listed_for_it_and_no_other() {
    let words = [env!("CARGO_BIN_EXE_seamcheck").into(), "serve".into()];
    let mut adapter = Adapter::new(CommandLine::new(&words).unwrap(), Timeouts::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let checks: Vec<_> = registry::checks().into_iter().filter(|check| !check.id.ends_with(".vectors")).collect();
    let mut reached: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    runtime.block_on(async {
        let declaration = adapter.declaration().await.unwrap();
        for case in (0..CASES).filter_map(|index| source::generated(1, index, &declaration.levels)) {
            let outcomes = adapter.drive(&case, &declaration).await.unwrap();
            let observed = Observed { case: &case, outcomes: &outcomes, declaration: &declaration };
            let scenario = case.name.split('/').nth(1).unwrap();
            for check in checks.iter().filter(|check| check.judge(&observed) != Judgement::NotReached) {
                reached.entry(check.id).or_default().insert(scenario.to_owned());
            }
        }
        adapter.shut_down().await.unwrap();
    });
    let mut wrong = Vec::new();
    for check in checks {
        let found: Vec<String> = reached.remove(check.id).unwrap_or_default().into_iter().collect();
        if found != reached_by(check) {
            wrong.push(format!("    (\"{}\", &{found:?}),", check.id));
        }
    }
    assert!(
        wrong.is_empty(),
        "conformance/runner/src/reach.rs must say, by family where it can:\n{}",
        wrong.join("\n")
    );
}
