"""Serves a Python implementation over the fixture protocol, version 1. One file, no dependencies; copy it freely.

    class MyAdapter:
        declaration = {"name": "mylib", "version": "1.0", "levels": ["compact"],
                       "capabilities": {"answers": ["text", "throw"], "cancel": ["at-look", "in-callback"]}}
        def build(self, context): ...        # a live context; contexts and messages come as dicts and lists
        def inspect(self, live): ...         # the same in dicts and lists, read from the live object now
        def compact(self, live, options, summarize, cancellation): ...   # (status, live context, record or None)
    seamcheck_kit.serve(MyAdapter())

Methods: build, inspect, native, compact, units, groups, diagnose, boundary, cut, measure; any may raise Refusal(code).
`compact` may be a coroutine function. `summarize(request)` does what the runner says: it returns the summary, raises,
or returns something to await if your answer kinds say so. Each `cancellation.cancelled()` is one look.
"""
import asyncio
import inspect
import json
import os
import sys
import traceback

MAX_LINE_BYTES = 16 * 1024 * 1024
_decode = json.JSONDecoder(parse_constant=int).decode  # int raises ValueError for NaN and Infinity, which are no JSON
_foreign_loop = asyncio.new_event_loop()  # never runs, so nobody can wait for its futures
METHODS = {  # method: its payloads, the field of its result
    "build": (("context",), "handle"), "units": (("context",), "units"), "groups": (("messages",), "groups"),
    "diagnose": (("messages",), "diagnostics"), "measure": (("messages",), "units"), "cut": (("messages",), "kept"),
    "boundary": (("context", "options"), "boundary"), "inspect": ((), "context"), "compact": (("options",), "handle"),
}


class Refusal(Exception):
    """The implementation says no: one of the ten codes, or `unsupported`, or `refused`."""
    def __init__(self, code):
        self.error = {"code": -32000, "message": code, "data": {"code": code}}


class ProtocolError(Exception):
    """A fault of the line: no answer of the implementation."""
    def __init__(self, code, message):
        self.error = {"code": code, "message": message}


class Cancellation:
    """The token of one compaction. It counts how often it is looked at, and may turn on at one of the looks."""
    def __init__(self, on=False, at_look=-1):
        self.on, self.at_look, self.looks = on, at_look, 0

    def cancelled(self):
        self.on = self.on or self.looks == self.at_look
        self.looks += 1
        return self.on


class Deferred:
    """An awaitable that lets others run once and then settles with what `settle()` returns or raises, or never does."""
    def __init__(self, settle, never=False):
        self.settle, self.never = settle, never

    def __await__(self):
        if self.never:
            self.settle()
            yield from asyncio.get_running_loop().create_future().__await__()
        yield
        return self.settle()


def _is_message(value):
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0" or "method" not in value:
        return isinstance(value, dict) and value.get("jsonrpc") == "2.0" and ("result" in value or "error" in value)
    return isinstance(value["method"], str) and type(value.get("id", 0)) in (int, str)


def _field(holder, key, kind, *default):
    value = holder.get(key, *default)
    if type(value) is not kind or (kind is int and value < 0 and key in holder):
        raise ProtocolError(-32602, "`%s` is absent or no %s" % (key, kind.__name__))
    return value


class Server:
    def __init__(self, adapter, read_json):
        self.adapter, self.read_json = adapter, read_json or _decode
        self.capabilities = dict(adapter.declaration.get("capabilities", {}), rawJson=read_json is not None)
        self.live, self.issued, self.asked, self.initialized = {}, 0, 0, False
        self.queue = []  # requests that came while a summarizer waited for its answer
        self.input, self.output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # whatever prints to descriptor 1, in C too, prints to standard error from here on
        sys.stdout = sys.stderr

    def run(self):
        while True:
            message = self.queue.pop(0) if self.queue else self.read()
            if "method" in message and "id" in message:  # else a late response, or a notification without effect
                self.answer(message)

    def read(self):
        """The next message. A line that is none is answered here; at the end of the input the process ends."""
        while True:
            line = self.input.readline()
            if not line:
                os._exit(0)  # a summarizer may be waiting; it would take an exception for its own failure
            too_long = len(line.rstrip(b"\n")) > MAX_LINE_BYTES
            if not line.strip(b" \t\r\n"):
                continue
            try:
                message = None if too_long else _decode(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                self.send(id=None, error={"code": -32700, "message": str(error)})
                continue
            if _is_message(message):
                return message
            self.send(id=None, error={"code": -32600, "message": "no message of JSON-RPC 2.0, or too long"})

    def send(self, **message):
        self.output.write(json.dumps(dict(message, jsonrpc="2.0"), allow_nan=False).encode("ascii") + b"\n")
        self.output.flush()

    def answer(self, message):
        try:
            result = self.result(message["method"], _field(message, "params", dict, {}), message["id"])
            self.send(id=message["id"], result=result)
        except (Refusal, ProtocolError) as error:
            self.send(id=message["id"], error=error.error)
        except BaseException as error:
            traceback.print_exc()
            self.send(id=message["id"], error={"code": -32603, "message": repr(error)})
        if message["method"] == "shutdown" and self.initialized:
            os._exit(0)

    def result(self, method, params, request_id):
        if (method == "initialize") == self.initialized:
            raise ProtocolError(-32600, "`initialize` comes first, and once")
        if method == "initialize":
            if "1" not in _field(params, "protocolVersions", list):
                raise ProtocolError(-32602, "this adapter speaks version 1 of the protocol")
            self.initialized = True
            about = {"protocolVersion": "1", "language": "Python", "profiles": ["boundary"]}
            return dict(about, **dict(self.adapter.declaration, capabilities=self.capabilities))
        handle = _field(params, "handle", str) if method in ("inspect", "compact", "release") else None
        if handle not in self.live and handle is not None:
            raise Refusal("unknown-handle")
        live = self.live.pop(handle) if method == "release" else self.live.get(handle)
        if method in ("release", "shutdown"):
            return {}
        call = getattr(self.adapter, method, None)
        if method not in METHODS or call is None:
            raise ProtocolError(-32601, "this adapter has no method `%s`" % method)
        payloads = [self.payload(params, name) for name in METHODS[method][0]]
        if method == "compact":
            return self.compact(call, live, payloads[0], params, request_id)
        if method == "inspect":
            native = {"native": self.adapter.native(live)} if hasattr(self.adapter, "native") else {}
            return dict(native, context=call(live))
        value = call(*payloads, _field(params, "budget", int)) if method == "cut" else call(*payloads)
        return {METHODS[method][1]: self.issue(value) if method == "build" else value}

    def issue(self, live):
        self.issued += 1
        self.live["h%d" % self.issued] = live
        return "h%d" % self.issued

    def payload(self, holder, key):
        if key not in holder:
            raise ProtocolError(-32602, "`%s` is absent" % key)
        value = holder[key]
        if not isinstance(value, dict) or list(value) != ["json"] or not isinstance(value["json"], str):
            return value
        try:
            return self.read_json(value["json"])
        except ValueError:
            raise (Refusal("not-json") if key != "value" else ProtocolError(-32602, "the value is no JSON")) from None

    def compact(self, call, live, options, params, request_id):
        token = Cancellation(_field(params, "cancelled", bool, False), _field(params, "cancelAtLook", int, -1))
        script, broken = self.acting(params["summarizer"], token) if "summarizer" in params else None, []

        def summarize(request):
            act, asked = script, {"compaction": request_id, "request": request}
            try:
                if act is None:
                    act = self.acting(self.ask(asked, token), token)
                elif self.capabilities.get("summarize") != "scripted":
                    self.send(method="summarize", params=asked)
            except Exception as error:  # a fault of the protocol, which must not pass for one of the summarizer
                broken.append(error)
                raise
            return act()

        try:
            outcome = call(live, options, summarize, token)
            status, after, record = asyncio.run(outcome) if inspect.iscoroutine(outcome) else outcome
        except Refusal as refusal:
            refusal.error["data"]["looks"] = token.looks
            broken.append(refusal)
        if broken:
            raise broken[0]
        handle = params["handle"] if status == "unchanged" and after is live else self.issue(after)
        return {"status": status, "handle": handle, "record": record, "looks": token.looks}

    def ask(self, asked, token):
        """Sends `summarize` and reads lines until its answer comes; other requests wait for the compaction."""
        self.asked += 1
        self.send(id="s%d" % self.asked, method="summarize", params=asked)
        while True:
            message = self.read()
            if message.get("method") == "cancel":
                token.on = token.on or _field(message, "params", dict, {}).get("compaction") == asked["compaction"]
            elif message.get("method") == "shutdown" and "id" in message:
                self.answer(message)
            elif "method" in message:
                self.queue.append(message)
            elif message.get("id") == "s%d" % self.asked:
                kind = "reject" if "reject" in self.capabilities.get("answers", ()) else "throw"
                return {"kind": kind, "message": str(message["error"])} if "error" in message else message["result"]

    def acting(self, answer, token):
        """What the summarizer is to do when it is called, as a function."""
        answer = _field({"answer": answer}, "answer", dict)
        kind, cancel = _field(answer, "kind", str), _field(answer, "cancel", bool, False)
        words = _field(answer, "text", str) if kind in ("text", "chain") else _field(answer, "message", str, "")
        depth = _field(answer, "depth", int) if kind == "chain" else 0
        value = self.payload(answer, "value") if kind == "value" else None

        def turn():
            token.on = token.on or cancel

        def fail(kind):
            turn()
            raise kind(words)

        def nested(left):
            return turn() or words if left == 0 else Deferred(lambda: nested(left - 1))

        actions = {
            "text": lambda: turn() or words,
            "value": lambda: value,
            "throw": lambda: fail(RuntimeError),
            "panic": lambda: fail(SystemExit),  # no `except Exception` catches it
            "reject": lambda: turn() or Deferred(lambda: fail(RuntimeError)),
            "chain": lambda: nested(depth),
            "pending": lambda: Deferred(turn, never=True),
            "unobservable": lambda: _foreign_loop.create_future(),
        }
        return _field(actions, kind, type(turn))


def serve(adapter, read_json=None):
    """Answers until `shutdown`. `read_json(text)` parses raw payloads (ValueError: no JSON); it declares `rawJson`."""
    Server(adapter, read_json).run()
