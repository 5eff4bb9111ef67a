#!/usr/bin/env python3
"""Resident memory of a run over more and more cases: it must not grow with them.

    python3 benches/memory.py target/release/seamcheck [CASES ...]

Of CASES generated cases those of the scenario `isolation` are run, one of 13, since they are cheap. The peak is that of
the program and of the adapter, the built-in reference, whichever is higher.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

program, *sizes = sys.argv[1:]
print("| cases | peak resident memory, MiB |\n|---|---|")
for size in sizes or ["13000", "130000"]:
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "certificate.json")
        only = ["--case", "generated/isolation/*", "--cases", size, "--quiet", "--json", place]
        subprocess.run([program, "run", *only], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cases = json.loads(place.read_text())["cases"]["generated"]
    # The highest of all children so far: sizes are given in rising order.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"| {cases} | {peak:.0f} |", flush=True)
