"""A compacting adapter, and the ways in which it can treat a cancellation or its own word: `toy_compactor.py MODE`.

It speaks the protocol by hand and summarizes all but the newest message, whenever there is more than one, whatever
that parts: only what it does with a cancellation is of interest.
"""

import json
import os
import sys

MODE = sys.argv[1]
contexts, waiting, issued = {}, {}, 0


def write(**message):
    sys.stdout.write(json.dumps(dict(message, jsonrpc="2.0")) + "\n")
    sys.stdout.flush()


def refuse(id, code):
    write(id=id, error={"code": -32000, "message": code, "data": {"code": code}})


def keep(context):
    global issued
    issued += 1
    contexts["h%d" % issued] = context
    return "h%d" % issued


def end(id, text):
    """Ends a compaction with this summary."""
    options, old = waiting.pop(id)
    covered = [message["id"] for message in old["messages"][:-1]]
    record = {"id": options["recordId"], "summaryId": options["summaryId"], "boundary": len(covered),
              "compactedMessageIds": covered, "unitsBefore": 2, "unitsAfter": 1}
    new = dict(old, summary={"id": options["summaryId"], "content": text}, messages=old["messages"][-1:],
               compactions=old["compactions"] + [record])
    write(id=id, result={"status": "compacted", "handle": keep(new), "record": record})


def compact(id, params):
    old = contexts[params["handle"]]
    if params.get("cancelled"):
        refuse(id, "CONTEXT_CANCELLED")
    elif len(old["messages"]) < 2:
        write(id=id, result={"status": "unchanged", "handle": params["handle"], "record": None})
    else:
        waiting[id] = (params["options"], old)
        request = {"requirements": old["requirements"], "previousSummary": old["summary"],
                   "messages": old["messages"][:-1], "boundary": len(old["messages"]) - 1,
                   "maxSummaryUnits": params["options"]["summaryMaxUnits"]}
        asked = {"method": "summarize", "params": {"compaction": id, "request": request}}
        if "summarizer" in params:  # the answer is known beforehand, and the runner is only told
            write(**asked)
            if params["summarizer"].get("cancel"):
                waiting.pop(id)
                refuse(id, "CONTEXT_CANCELLED")
            else:
                end(id, params["summarizer"]["text"])
        else:
            write(id="s%d" % id, **asked)


def cancel(id):
    if id not in waiting or MODE == "ignores-cancel":
        return
    if MODE == "answers-after-cancel":
        end(id, "made up")
    else:
        waiting.pop(id)
        refuse(id, "CONTEXT_CANCELLED")


for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message.get("method"), message.get("id"), message.get("params", {})
    if method == "initialize":
        capabilities = {"cancel": ["async"], "native": MODE == "lies-about-native"}
        write(id=id, result={"protocolVersion": "1", "name": "toy", "version": "1.0", "profiles": ["boundary"],
                             "levels": ["compact"], "capabilities": capabilities, "maxInFlight": 8})
    elif method == "build":
        blank = {"requirements": [], "summary": None, "messages": [], "compactions": []}
        write(id=id, result={"handle": keep(dict(blank, **params["context"]))})
    elif method == "inspect":
        write(id=id, result={"context": contexts[params["handle"]]})
    elif method == "release":
        del contexts[params["handle"]]
        write(id=id, result={})
    elif method == "compact":
        compact(id, params)
    elif method == "cancel":
        cancel(params["compaction"])
    elif method == "shutdown":
        write(id=id, result={})
        os._exit(0)
    elif method is None and isinstance(id, str) and int(id[1:]) in waiting:
        if "error" in message:
            waiting.pop(int(id[1:]))
            refuse(int(id[1:]), "CONTEXT_SUMMARIZER_FAILED")
        else:
            end(int(id[1:]), message["result"]["text"])
