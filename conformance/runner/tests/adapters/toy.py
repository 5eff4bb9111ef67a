"""A trimming adapter, and the ways in which it can go wrong: `toy.py MODE`.

It speaks the protocol by hand, without any kit, so that it can break every rule of it.
"""

import json
import os
import signal
import sys
import threading
import time

MODE = sys.argv[1]


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(id, result):
    write(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}))


def noise():
    while True:
        sys.stderr.write("a line of the adapter's log\n" * 1000)


def cut(messages, budget):
    kept = len(messages) if MODE in ("keeps-all", "noisy") else min(budget, len(messages))
    start = len(messages) - kept
    return [{"index": start + i, "id": m["id"], "message": m} for i, m in enumerate(messages[start:])]


def go_wrong(id):
    """True when the request needs no further answer."""
    if MODE == "exits":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(7)
    elif MODE == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif MODE == "silent":
        time.sleep(60)
    elif MODE == "wrong-id":
        answer(id + 1000, {})
    elif MODE == "twice":
        answer(id, {"units": 1})
        answer(id, {"units": 1})
    elif MODE == "bad-json":
        write("Loading model... done")
    elif MODE == "batch":
        write("[]")
    elif MODE == "oversized":
        sys.stdout.write("x" * (17 << 20))
        sys.stdout.flush()
        time.sleep(60)
    elif MODE == "closes":
        os.close(1)
        time.sleep(60)
    elif MODE == "bad-result":
        answer(id, {"unit": 1})
    elif MODE == "uncaught":
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "KeyError: 'id'"}}))
    else:
        return False
    return True


if MODE == "exits-at-once":
    sys.stderr.write("no licence found\n")
    sys.exit(3)
if MODE == "noisy":
    threading.Thread(target=noise, daemon=True).start()
if MODE == "leaves-a-child":
    # Ends with the adapter's process group, or the test finds it.
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)
    with open(sys.argv[2], "w") as file:
        file.write(str(child))

for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message["method"], message.get("id"), message.get("params", {})
    if method == "initialize":
        capabilities = {"measure": True, "keeps": "suffix"}
        answer(id, {"protocolVersion": "1", "name": "toy", "version": "1.0", "language": "python",
                    "profiles": ["boundary"], "levels": ["cut"], "capabilities": capabilities})
    elif method == "shutdown":
        answer(id, {})
        sys.stdout.flush()
        os._exit(5 if MODE == "bad-exit" else 0)
    elif go_wrong(id):
        pass
    elif method == "measure":
        answer(id, {"units": len(params["messages"])})
    elif method == "cut":
        answer(id, {"kept": cut(params["messages"], params["budget"])})
    else:
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no " + method}}))
