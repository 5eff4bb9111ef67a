"""An adapter as of the first release of protocol version 1. Frozen: see README.md beside it.

It keeps every message, at the level `cut`. It knows the fields of that day and ends with status 9 at a member, a
method or a notification that was not there then, so that whatever today's runner adds unasked is noticed.
"""

import json
import sys

KNOWN = {
    "initialize": {"protocolVersions", "suite"},
    "cut": {"messages", "budget"},
    "measure": {"messages"},
    "shutdown": set(),
}
DECLARATION = {
    "protocolVersion": "1", "name": "yesterday", "version": "1.0.0", "language": "python", "profiles": ["boundary"],
    "levels": ["cut"], "maxInFlight": 1,
    "capabilities": {"rawJson": False, "native": False, "measure": True, "keeps": "suffix", "summarize": "callback",
                     "answers": ["text"], "cancel": []},
}


def result(method, params):
    if method == "initialize":
        if "1" not in params["protocolVersions"]:
            return None
        return DECLARATION
    if method == "measure":
        return {"units": len(params["messages"])}
    if method == "cut":
        kept = enumerate(params["messages"])
        return {"kept": [{"index": index, "id": message["id"], "message": message} for index, message in kept]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    if set(message) - {"jsonrpc", "id", "method", "params"} or set(params) - KNOWN.get(method, set()):
        sys.stderr.write("a member that was not there when version 1 was released: %s\n" % line[:200])
        sys.exit(9)
    outcome = result(method, params)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if outcome is None:
        answer["error"] = {"code": -32602, "message": "this adapter speaks protocol version 1"}
    else:
        answer["result"] = outcome
    print(json.dumps(answer), flush=True)
    if method == "shutdown":
        break
