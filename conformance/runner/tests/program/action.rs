//! The scripts of the GitHub Action and of the release, run here against this build of the program.

use crate::{read, scratch, toy};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A script with these variables in its environment, and nothing of a real job's.
fn script(name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> crate::Run {
    let mut bash = Command::new("bash");
    bash.arg(root().join(name)).args(arguments).envs(variables.iter().copied());
    for unset in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_ENV"] {
        if !variables.iter().any(|(name, _)| *name == unset) {
            bash.env_remove(unset);
        }
    }
    read(bash.output().unwrap())
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_step_ends_as_the_program_does_and_leaves_its_reports_summary_and_outputs() {
    for (mode, code) in [("keeps-all", 0), ("keeps-last-n", 1), ("exits-at-once", 3)] {
        let folder = folder(&format!("action-{mode}"));
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (summary, output, reports) = (file("summary"), file("output"), file("the reports"));
        // A path with a space in quotes, as a workflow would write it.
        let command = format!("python3 -S '{}' {mode}", toy());
        let variables = [
            ("SEAMCHECK", env!("CARGO_BIN_EXE_seamcheck")),
            ("INPUT_COMMAND", &command),
            ("INPUT_CASES", "6"),
            ("INPUT_SEED", "3"),
            ("INPUT_LEVEL", "cut"),
            ("INPUT_REPORTS", &reports),
            ("GITHUB_STEP_SUMMARY", &summary),
            ("GITHUB_OUTPUT", &output),
        ];
        let run = script("conformance/action/run.sh", &[], &variables);
        assert_eq!(run.code, code, "{mode}: {}{}", run.stdout, run.stderr);
        let certificate: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("the reports/certificate.json")).unwrap()).unwrap();
        assert!(certificate["verdict"].is_object(), "{certificate}");
        let summary = std::fs::read_to_string(summary).unwrap();
        assert!(summary.contains("seamcheck"), "{summary}");
        let output = std::fs::read_to_string(output).unwrap();
        assert!(output.contains(&format!("exit-code={code}\n")) && output.contains("certificate="), "{output}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn an_empty_command_is_a_usage_error_that_github_shows() {
    let folder = folder("action-empty");
    let reports = folder.to_str().unwrap();
    let variables = [("SEAMCHECK", env!("CARGO_BIN_EXE_seamcheck")), ("INPUT_COMMAND", ""), ("INPUT_REPORTS", reports)];
    let run = script("conformance/action/run.sh", &[], &variables);
    assert!(run.code == 2 && run.stdout.starts_with("::error title=seamcheck::"), "{} {}", run.code, run.stdout);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_packed_program_is_installed_only_if_its_checksum_holds() {
    let target = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", arch @ ("x86_64" | "aarch64")) => format!("{arch}-unknown-linux-musl"),
        ("macos", arch) => format!("{arch}-apple-darwin"),
        (system, _) => {
            eprintln!("SKIPPED: the scripts are tried on Linux and macOS, not on {system}");
            return;
        }
    };
    let folder = folder("package");
    let downloads = folder.join("v9.9.9");
    std::fs::create_dir_all(&downloads).unwrap();
    let packed = script(".ci/package", &[&target, env!("CARGO_BIN_EXE_seamcheck"), downloads.to_str().unwrap()], &[]);
    assert_eq!(packed.code, 0, "{}", packed.stderr);
    for file in ["seamcheck", "LICENSE-MIT", "man/seamcheck.1", "man/seamcheck-run.1", "completions/seamcheck.fish"] {
        assert!(downloads.join(format!("seamcheck-{target}")).join(file).is_file(), "{file}");
    }
    let (temporary, environment) = (folder.join("temporary"), folder.join("environment"));
    let url = format!("file://{}", folder.to_str().unwrap());
    let variables = [
        ("INPUT_VERSION", "9.9.9"),
        ("SEAMCHECK_DOWNLOADS", &url),
        ("SEAMCHECK_REPOSITORY", "nobody/nothing"),
        ("RUNNER_TEMP", temporary.to_str().unwrap()),
        ("GITHUB_ENV", environment.to_str().unwrap()),
    ];
    let installed = script("conformance/action/install.sh", &[], &variables);
    assert_eq!(installed.code, 0, "{}{}", installed.stdout, installed.stderr);
    assert!(installed.stdout.contains("seamcheck "), "{}", installed.stdout);
    let told = std::fs::read_to_string(&environment).unwrap();
    let program = told.trim().strip_prefix("SEAMCHECK=").unwrap();
    assert!(Path::new(program).is_file(), "{told}");

    let archive = downloads.join(format!("seamcheck-{target}.tar.gz"));
    let mut bytes = std::fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&archive, bytes).unwrap();
    std::fs::remove_file(&environment).unwrap();
    let changed = script("conformance/action/install.sh", &[], &variables);
    assert!(changed.code == 1 && changed.stdout.contains("does not hold; nothing was run"), "{}", changed.stdout);
    assert!(!environment.exists());
    std::fs::remove_file(&archive).unwrap();
    let missing = script("conformance/action/install.sh", &[], &variables);
    assert!(missing.code == 1 && missing.stdout.contains("is 9.9.9 a released version?"), "{}", missing.stdout);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_action_hands_over_every_input_that_its_scripts_read() {
    let action = std::fs::read_to_string(root().join("conformance/action/action.yml")).unwrap();
    for script in ["install.sh", "run.sh"] {
        let text = std::fs::read_to_string(root().join("conformance/action").join(script)).unwrap();
        assert!(action.contains(&format!("run: bash \"$GITHUB_ACTION_PATH/{script}\"")), "{script}");
        for name in text.split("${").skip(1).filter_map(|rest| rest.split([':', '}']).next()) {
            let input = name.strip_prefix("INPUT_").map(str::to_ascii_lowercase);
            let handed = input.is_none_or(|input| action.contains(&format!("{name}: ${{{{ inputs.{input} }}}}")));
            assert!(handed, "{script} reads {name}");
        }
        // An input in the text of a script would be run as a part of it.
        assert!(!text.contains("${{"), "{script}");
    }
    for action in action.lines().chain(include_str!("../../../../.github/workflows/release.yml").lines()) {
        if let Some((_, used)) = action.split_once("uses: ") {
            assert!(used.split_once('@').is_some_and(|(_, version)| version.starts_with('v')), "{used} is not pinned");
        }
    }
}
