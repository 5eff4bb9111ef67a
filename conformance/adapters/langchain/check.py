#!/usr/bin/env python3
"""Runs Seamcheck on the langchain-core adapter and holds what it says against what is known of the library.

Usage: check.py SEAMCHECK VENV [CASES]
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ADAPTER = pathlib.Path(__file__).with_name("langchain_adapter.py")


def run(seamcheck, python, cases, *options):
    """The certificate of one run, after its output has been shown."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "certificate.json")
        command = [seamcheck, "run", "--cases", cases, "--json", report, "--", python, ADAPTER, *options]
        code = subprocess.run(command, check=False).returncode
        if code not in (0, 1):
            sys.exit(f"the run is not usable: exit code {code}")
        return json.loads(report.read_text(encoding="utf-8"))


def main():
    seamcheck, venv = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = sys.argv[3] if len(sys.argv) > 3 else "600"
    certificate = run(seamcheck, venv / "bin/python", cases)
    found = {example["clause"]: example for example in certificate["counterexamples"]}
    orphan = found.get("B-TRIM-1")
    if orphan is None:
        sys.exit("trim_messages without start_on keeps orphan results, and no counterexample of B-TRIM-1 was found")
    cut = next(step for step in orphan["steps"] if step["method"] == "cut")
    messages = cut["input"]
    if len(messages) > 4:
        sys.exit(f"the counterexample of B-TRIM-1 has {len(messages)} messages, more than four")
    print(f"B-TRIM-1 was found and made small: {len(messages)} messages")
    run(seamcheck, venv / "bin/python", cases, "--start-on", "human")


main()
