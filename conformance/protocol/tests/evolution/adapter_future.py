"""An adapter of a later day: `adapter_future.py MODE`. Frozen: see README.md beside it.

`both` speaks the versions 2 and 1 and declares, says and asks more than version 1 knows. The other modes cannot be
run by a runner of version 1, and must be refused in words.
"""

import json
import sys

MODE = sys.argv[1]
DECLARATION = {
    "protocolVersion": "1", "name": "tomorrow", "version": "9.0.0", "language": "python", "licence": {"spdx": "MIT"},
    "profiles": ["boundary", "thread"], "levels": ["stream", "cut", "audit"], "maxInFlight": 1, "sessions": [1, 2],
    "capabilities": {"measure": True, "keeps": "suffix", "answers": ["text", "song"], "cancel": ["at-dawn"],
                     "telepathy": {"range": 7}},
}


def write(**message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0", trace={"span": [1]})) + "\n")
    sys.stdout.flush()


def initialize(id, versions):
    declaration = dict(DECLARATION)
    if MODE == "only-2" and "2" not in versions:
        write(id=id, error={"code": -32602, "message": "this adapter speaks protocol version 2", "data": {"speaks": ["2"]}})
        return
    if MODE == "chooses-2":
        declaration["protocolVersion"] = "2"
    elif MODE == "unknown-levels":
        declaration["levels"] = ["stream", "audit"]
    elif MODE == "no-levels":
        declaration["levels"] = []
    elif MODE == "other-profile":
        declaration["profiles"] = ["thread"]
    elif MODE == "other-keeps":
        declaration["capabilities"] = dict(declaration["capabilities"], keeps="window")
    write(id=id, result=declaration)


for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message:
        # The runner has no method `clock`, and says so.
        if message["error"]["code"] != -32601:
            sys.exit(9)
        continue
    method, id, params = message["method"], message["id"], message.get("params", {})
    if method == "initialize":
        write(method="greeting", params={"mood": "fine"})
        initialize(id, params["protocolVersions"])
    elif method == "shutdown":
        write(id=id, result={"bye": True})
        break
    elif method == "measure":
        write(id=id, result={"units": len(params["messages"]), "unit": "messages"})
    else:
        write(method="progress", params={"percent": 50})
        write(id="clock-%s" % id, method="clock", params={})
        kept = [{"index": at, "id": one["id"], "message": one, "why": "kept"} for at, one in enumerate(params["messages"])]
        write(id=id, result={"kept": kept, "dropped": []})
