#!/usr/bin/env python3
"""Prints the last benchmark run as Markdown tables of ratios.

Usage: python3 benches/table.py [CRITERION_FOLDER]   (default: target/criterion)
"""

import json
import pathlib
import sys

YARDSTICKS = {"pipeline": "serde_json", "text": "memchr", "numbers": "ryu"}


def medians(folder):
    """{group: {input: {function: nanoseconds}}}"""
    groups = {}
    for path in sorted(folder.glob("*/**/new/benchmark.json")):
        name = json.loads(path.read_text())
        estimates = json.loads((path.parent / "estimates.json").read_text())
        inputs = groups.setdefault(name["group_id"], {}).setdefault(name["value_str"] or "", {})
        inputs[name["function_id"]] = estimates["median"]["point_estimate"]
    return groups


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/criterion")
    groups = medians(folder)
    if not groups:
        sys.exit(f"{folder} holds no benchmark run; run `cargo bench -p seamcheck-benches` first")
    for group, inputs in groups.items():
        yardstick = YARDSTICKS[group]
        functions = sorted({function for input_ in inputs.values() for function in input_} - {yardstick})
        print(f"\n{group}: time relative to {yardstick} (median of the same run)\n")
        print(f"| input | {yardstick} | " + " | ".join(functions) + " |")
        print("|---" * (len(functions) + 2) + "|")
        for name in sorted(inputs, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)):
            base = inputs[name][yardstick]
            ratios = [f"{inputs[name][function] / base:.2f}" for function in functions]
            print(f"| {name or 'all'} | {base / 1000:.1f} µs | " + " | ".join(ratios) + " |")


main()
