"""A trimming adapter that says hostile things wherever it is asked for text, and keeps the last N messages.

Its words try to end the HTML, the XML, the Markdown and the terminal line that they stand in.
"""

import json
import sys

HOSTILE = "</script></svg></title><img src=https://example.com/x onerror=alert(1)>\"'&]]>--> \u202e\u001b[31m`|@all"


def answer(id, **body):
    print(json.dumps({"jsonrpc": "2.0", "id": id, **body}), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message["method"], message.get("id"), message.get("params", {})
    if method == "initialize":
        answer(id, result={"protocolVersion": "1", "name": HOSTILE + "n" * 10_000, "version": HOSTILE,
                           "language": HOSTILE, "profiles": ["boundary"], "levels": ["cut"],
                           "capabilities": {"keeps": "subset"}})
    elif method == "cut" and len(params["messages"]) > 12:
        print(HOSTILE, file=sys.stderr, flush=True)
        answer(id, error={"code": -32603, "message": HOSTILE})
    elif method == "cut":
        count = len(params["messages"])
        kept = range(max(0, count - params["budget"]), count)
        answer(id, result={"kept": [{"index": index, "id": HOSTILE} for index in kept]})
    elif method == "shutdown":
        answer(id, result={})
        break
