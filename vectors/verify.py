"""Recomputes every expected answer with a second implementation, and checks the form of the vectors.

    python3 vectors/verify.py

The second implementation, `conformance/adapters/python/seamcheck_boundary`, was written from the specification
alone. Requests and expectations are parted while the files are read: the computing part sees requests only.
Exit status 1 when anything disagrees, with both values of each disagreement.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent / "conformance" / "adapters" / "python"))

from seamcheck_boundary import read_json  # noqa: E402
from seamcheck_boundary.operations import answer  # noqa: E402

CLAUSE = re.compile(r"B-[A-Z]+-[1-9][0-9]*\Z")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
SHOWN_CHARACTERS = 2000


class Collected:
    """Requests and expectations by name, apart from each other, and the faults of form."""

    def __init__(self):
        self.requests = {}
        self.expectations = {}
        self.faults = []

    def add(self, name, request_text, expected):
        if name in self.requests:
            self.faults.append("%s: the name is used twice" % name)
        self.requests[name] = request_text
        self.expectations[name] = expected


def request_text(vector):
    """The raw text of a vector's request."""
    if "request" in vector:
        return json.dumps(vector["request"])
    pieces = vector["requestText"]
    return "".join(piece if isinstance(piece, str) else piece["repeat"] * int(piece["times"]) for piece in pieces)


def read_ascii(path, collected):
    content = path.read_bytes()
    if not content.isascii():
        collected.faults.append("%s: not ASCII" % path.name)
    return content.decode("utf-8")


def read_vectors(collected):
    """vectors/boundary/<clause>.json"""
    for path in sorted((ROOT / "boundary").glob("*.json")):
        file = read_json(read_ascii(path, collected))
        if not CLAUSE.match(file["clause"]) or path.stem != file["clause"]:
            collected.faults.append("%s: %r is no clause id, or not the file's name" % (path.name, file["clause"]))
        if not file["vectors"]:
            collected.faults.append("%s: no vectors" % path.name)
        for vector in file["vectors"]:
            name = vector["name"]
            if not NAME.match(name):
                collected.faults.append("%s: %r is no kebab-case name" % (path.name, name))
            if not vector.get("comment", "").strip():
                collected.faults.append("%s: %s has no comment" % (path.name, name))
            if ("request" in vector) == ("requestText" in vector):
                collected.faults.append("%s: %s needs either request or requestText" % (path.name, name))
                continue
            collected.add(name, request_text(vector), vector["response"])


def split_line(line):
    """The raw text of the request of a recorded line, and its answer. The request is not parsed and written again."""
    start = end = len('{"request":')
    depth = 0
    for mark in MARK.finditer(line, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark.group(), 0)
        if depth == 0:
            end = mark.end()
            break
    request, rest = line[start:end], line[end:]
    if not line.startswith('{"request":') or not rest.startswith(',"response":') or not rest.endswith("}"):
        raise ValueError("not of the form {request, response}")
    return request, read_json(rest[len(',"response":') : -1])


def read_recorded(collected):
    """vectors/recorded/*.ndjson; the recorded program calls `diagnose` by the name `validate`."""
    for path in sorted((ROOT / "recorded").glob("*.ndjson")):
        for number, line in enumerate(read_ascii(path, collected).split("\n"), 1):
            if not line:
                continue
            name = "%s:%d" % (path.name, number)
            try:
                request, response = split_line(line)
            except ValueError as error:
                collected.faults.append("%s: %s" % (name, error))
                continue
            request = re.sub(r'\A\{"op":"validate"', '{"op":"diagnose"', request)
            collected.add(name, request, response)


def compute(requests):
    """The second implementation's answers, from the requests alone."""
    computed = {}
    for name, text in requests.items():
        try:
            computed[name] = answer(text)
        except Exception as error:  # one broken request must not hide the disagreements of the others
            computed[name] = {"exception": repr(error)}
    return computed


def same(left, right):
    """Equality of JSON values: numbers as doubles, order of keys without meaning."""
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return float(left) == float(right)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, str) and isinstance(right, str) and left == right


def shown(value):
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "... (%d characters)" % len(text)


def main():
    collected = Collected()
    read_vectors(collected)
    vectors = len(collected.requests)
    read_recorded(collected)
    recorded = len(collected.requests) - vectors
    computed = compute(collected.requests)
    problems = list(collected.faults)
    for name, expected in collected.expectations.items():
        if not same(computed[name], expected):
            problems.append("%s\n  expected %s\n  computed %s" % (name, shown(expected), shown(computed[name])))
    for problem in problems:
        print(problem)
    if vectors == 0:
        problems.append("no vectors")
        print("no vectors found")
    if problems:
        print("%d problems in %d vectors and %d recorded answers" % (len(problems), vectors, recorded))
        return 1
    print("%d vectors and %d recorded answers agree" % (vectors, recorded))
    return 0


if __name__ == "__main__":
    sys.exit(main())
