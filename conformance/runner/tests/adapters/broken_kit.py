"""A whole kit by hand, and the ways in which one can be wrong: `broken_kit.py MODE`. `sound` is right.

It serves a toy that trims nothing and whose compaction keeps the newest message, so that every check of `kit-test`
has something to look at.
"""

import json
import os
import sys
import time

MODE = sys.argv[1]
LIMIT = 16 * 1024 * 1024
STRAY = os.environ.get("SEAMCHECK_STRAY") or ("loading the model" if MODE == "prints" else None)
out = os.fdopen(os.dup(1), "wb")
if MODE != "prints":
    os.dup2(2, 1)
queue, live, issued, asked, initialized = [], {}, 0, 0, False


class Error(Exception):
    def __init__(self, code, data=None):
        self.error = {"code": code, "message": "error %d" % code}
        if data:
            self.error["data"] = {"code": data}


def write(**message):
    text = json.dumps(dict(message, jsonrpc="2.0"))
    if MODE == "replaces-surrogates":
        text = json.dumps(json.loads(text.encode().decode("unicode_escape", "replace").encode("utf-8", "replace"))) if "\\ud800" in text else text
    out.write(text.encode("ascii") + b"\n")
    if MODE != "buffers":
        out.flush()


def lines():
    source = os.fdopen(0, "rb")
    if MODE == "takes-a-read-for-a-line":
        while True:
            data = os.read(0, 1 << 16)
            if not data:
                return
            yield from data.splitlines()
    while True:
        line = source.readline()
        if not line:
            return
        if MODE == "splits-at-separators":
            yield from (part.encode() for part in line.decode("utf-8", "replace").splitlines())
        elif not line.endswith(b"\n") and MODE == "waits-at-the-end":
            return
        else:
            yield line.rstrip(b"\n")


source = lines()


def is_message(message):
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return MODE == "any-jsonrpc" and isinstance(message, dict) and "method" in message
    if "method" in message:
        odd = type(message.get("id", 0)) not in (int, str)
        return isinstance(message["method"], str) and not (odd and MODE != "odd-ids")
    return "result" in message or "error" in message


def read():
    for line in source:
        if not line.strip():
            if MODE == "answers-empty-lines":
                write(id=None, error={"code": -32700, "message": "empty"})
            continue
        try:
            if len(line) > LIMIT and MODE != "no-limit":
                write(id=None, error={"code": -32600, "message": "too long"})
                continue
            message = json.loads(line.decode("utf-8"), parse_constant=int)
        except (ValueError, RecursionError):
            if MODE == "dies-of-bad-json":
                raise
            write(id=None, error={"code": -32700, "message": "no JSON"})
            continue
        if isinstance(message, list) and MODE == "takes-batches":
            for one in message:
                answer(one)
        elif is_message(message):
            return message
        else:
            write(id=None, error={"code": -32600, "message": "no message"})
    if MODE == "ignores-the-end":
        time.sleep(60)
    out.flush()
    os._exit(3 if MODE == "ends-badly" else 0)


def member(params, name, kind):
    if type(params.get(name)) is not kind and MODE != "lax-params":
        raise Error(-32602)
    return params.get(name)


def issue(context):
    global issued
    issued += 1
    handle = "h" if MODE == "one-handle" else "h%d" % (len(live) if MODE == "reuses-handles" else issued)
    live[handle + "x"] = context
    return handle + "x"


def context_of(params):
    handle = member(params, "handle", str)
    if handle not in live:
        raise Error(-32000, "refused" if MODE == "refuses-handles" else "unknown-handle")
    return live[handle]


def ask(compaction, request):
    global asked
    asked += 1
    own = "s%d" % asked
    write(id=own, method="summarize", params={"compaction": compaction, "request": request})
    cancelled = False
    while True:
        message = read()
        if "method" not in message:
            if message.get("id") == own or MODE == "any-answer":
                return message, cancelled
        elif message["method"] == "cancel":
            other = message.get("params", {}) if isinstance(message.get("params", {}), dict) else {}
            cancelled = cancelled or other.get("compaction") == compaction or MODE == "any-cancel"
        elif message["method"] == "shutdown" and "id" in message:
            if MODE == "ends-compactions":
                write(id=compaction, error=Error(-32000, "CONTEXT_CANCELLED").error)
            answer(message)
        elif MODE == "forgets-the-queue":
            pass
        elif "id" in message:
            queue.append(message)


def compact(params, id):
    context = context_of(params)
    options = member(params, "options", dict)
    script, cancelled = params.get("summarizer"), False
    if script is None:
        message, cancelled = ask(id, {"messages": context["messages"][:-1]})
        if "error" in message:
            if MODE != "error-is-summary":
                raise Error(-32000, "CONTEXT_SUMMARIZER_FAILED")
            script = {"kind": "text", "text": message["error"]["message"]}
        else:
            script = message["result"]
    elif MODE != "tells-nothing":
        write(method="summarize", params={"compaction": id, "request": {}})
    if type(script) is not dict or script.get("kind") != "text" or type(script.get("text")) is not str:
        if MODE == "guesses-answers":
            script = {"kind": "text", "text": str(script)}
        else:
            raise Error(-32602)
    if cancelled:
        raise Error(-32000, "CONTEXT_CANCELLED")
    after = {"messages": context["messages"][-1:], "summary": {"id": options.get("summaryId"), "content": script["text"]}}
    return {"status": "compacted", "handle": issue(after), "record": {}}


def call(method, params, id):
    global initialized
    if method == "initialize":
        if initialized and MODE != "twice-initialized":
            raise Error(-32600)
        if "1" not in member(params, "protocolVersions", list) and MODE != "any-version":
            raise Error(-32602)
        initialized = True
        levels = ["cut", "compact"]
        capabilities = {"keeps": "suffix", "cancel": ["in-callback"], "answers": ["text"]}
        return {"protocolVersion": "1", "name": "broken", "version": "0", "language": "python", "profiles": ["boundary"],
                "levels": levels, "capabilities": capabilities}
    if not initialized and MODE != "eager":
        raise Error(-32600)
    if STRAY:
        print(STRAY, flush=True)
    if method == "cut":
        messages, budget = member(params, "messages", list), member(params, "budget", int)
        if budget < 0:
            raise Error(-32602)
        return {"kept": [{"index": at, "id": one["id"], "message": one} for at, one in enumerate(messages)]}
    if method == "build":
        return {"handle": issue(member(params, "context", dict))}
    if method == "inspect":
        return {"context": context_of(params)}
    if method == "release":
        context_of(params)
        if MODE != "keeps-handles":
            del live[params["handle"]]
        return {}
    if method == "compact":
        return compact(params, id)
    if method == "shutdown":
        return {}
    raise Error(-32000 if MODE == "refuses-methods" else -32601, "unsupported")


def answer(message):
    if "method" not in message or ("id" not in message and MODE != "answers-notifications"):
        return
    id = message.get("id")
    id = str(id) if MODE == "ids-become-strings" and id else id
    try:
        params = message.get("params", {})
        if type(params) is not dict:
            raise Error(-32602)
        write(id=id, result=call(message["method"], params, message.get("id")))
    except Error as error:
        if error.error["code"] != -32000:
            error.error.pop("data", None)
        write(id=id, error=error.error)
    if MODE == "answers-twice" and message["method"] == "build":
        write(id=id, result={})
    if message["method"] == "shutdown" and "id" in message:
        if MODE == "outlives-shutdown":
            while True:
                read()
        out.flush()
        os._exit(0)


if MODE == "banner":
    out.write(b"broken_kit 0.1, ready\n")
    out.flush()
while True:
    if MODE == "reorders" and len(queue) > 1:
        answer(queue.pop())
    answer(queue.pop(0) if queue else read())
