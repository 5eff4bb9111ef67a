"""A trimming adapter, and the ways in which it can go wrong: `toy.py MODE`.

It speaks the protocol by hand, without any kit, so that it can break every rule of it. A transcript whose first
message says `go wrong: MODE` brings that mode about for itself alone.
"""

import json
import os
import select
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
    kept = len(messages) if MODE in ("keeps-all", "noisy", "several") else min(budget, len(messages))
    start = len(messages) - kept
    return [{"index": start + i, "id": m["id"], "message": m} for i, m in enumerate(messages[start:])]


def leave_a_child(apart):
    """A child that holds standard output open for as long as it lives."""
    if os.fork() == 0:
        if apart:
            os.setsid()
        time.sleep(4)
        os._exit(0)


def go_wrong(mode, id):
    """True when the request needs no further answer."""
    if mode == "exits":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(7)
    elif mode == "exits-mid-line":
        sys.stdout.write('{"jsonrpc":"2.0","id":')
        sys.stdout.flush()
        os._exit(0)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "silent":
        time.sleep(60)
    elif mode == "closes-its-input":
        os.close(0)
        time.sleep(60)
    elif mode in ("leaves-the-pipe-to-a-child", "leaves-the-pipe-to-a-child-apart"):
        leave_a_child(mode.endswith("apart"))
        os._exit(9)
    elif mode == "wrong-id":
        answer(id + 100000, {})
    elif mode == "twice":
        answer(id, {"units": 1})
        answer(id, {"units": 1})
    elif mode == "bad-json":
        write("Loading model... done")
    elif mode == "bad-utf8":
        os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":{"units":"\xff\xfe"}}\n' % id)
    elif mode == "batch":
        write("[]")
    elif mode == "oversized":
        sys.stdout.write("x" * (17 << 20))
        sys.stdout.flush()
        time.sleep(60)
    elif mode == "huge":
        for _ in range(100):
            sys.stdout.write("x" * (1 << 20))
        write("")
    elif mode == "closes":
        os.close(1)
        time.sleep(60)
    elif mode == "bad-result":
        answer(id, {"unit": 1})
    elif mode == "lies":  # about a capability that it declares
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}))
    elif mode == "uncaught":
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "KeyError: 'id'"}}))
    else:
        return False
    return True


def asked_for(params):
    """The mode that a transcript asks for."""
    first = (params.get("messages") or [{}])[0].get("content")
    return first[len("go wrong: "):] if isinstance(first, str) and first.startswith("go wrong: ") else MODE


if MODE == "exits-at-once":
    sys.stderr.write("no licence found\n")
    sys.exit(3)
if MODE == "speaks-first":
    write('{"jsonrpc": "2.0", "method": "hello"}')
    write("welcome to toy 1.0")
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

def lines():
    """The lines of standard input; out of order, if that is the mode: each pair that comes at about the same time."""
    if MODE != "out-of-order":
        yield from sys.stdin
        return
    rest = b""
    while True:
        if b"\n" in rest and rest.count(b"\n") < 2:
            more = select.select([0], [], [], 0.05)[0]
        else:
            more = b"\n" not in rest
        if more:
            read = os.read(0, 1 << 16)
            if not read:
                return
            rest += read
            continue
        *whole, rest = rest.split(b"\n")
        yield from reversed(whole)


for line in lines():
    message = json.loads(line)
    method, id, params = message["method"], message.get("id"), message.get("params", {})
    if method == "initialize":
        capabilities = {"measure": True, "keeps": "suffix"}
        answer(id, {"protocolVersion": "1", "name": "toy", "version": "1.0", "language": "python",
                    "profiles": ["boundary"], "levels": ["cut"], "capabilities": capabilities,
                    "maxInFlight": 4 if MODE in ("several", "out-of-order") else 1})
    elif method == "shutdown":
        answer(id, {})
        sys.stdout.flush()
        os._exit(5 if MODE == "bad-exit" else 0)
    elif go_wrong(asked_for(params), id):
        pass
    elif method == "measure":
        answer(id, {"units": len(params["messages"])})
    elif method == "cut":
        answer(id, {"kept": cut(params["messages"], params["budget"])})
    else:
        write(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no " + method}}))
