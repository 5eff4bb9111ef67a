"""Serves a Python implementation over the fixture protocol, version 1. One file, no dependencies; copy it freely.

    class MyAdapter:
        declaration = {"name": "mylib", "version": "1.0", "levels": ["compact"], "capabilities": {"answers": ["throw"]}}
        def build(self, context): ...        # a live context; contexts and messages come as dicts and lists
        def inspect(self, live): ...         # the same in dicts and lists, read from the live object now
        def compact(self, live, options, summarize, cancellation): ...   # (status, live context, record or None)
    seamcheck_kit.serve(MyAdapter())

Methods: build, inspect, native, compact, units, groups, diagnose, boundary, cut, measure; any may raise Refusal(code).
`compact` may be a coroutine function. `summarize(request)` does what the runner says: returns the summary or something
to await, or raises. Each `cancellation.cancelled()` is a look. For the cancel mode `async`: seamcheck_kit_asyncio.py.
"""
import asyncio
import inspect
import json
import os
import sys
import traceback

MAX_LINE_BYTES, STRAY = 16 * 1024 * 1024, os.environ.get("SEAMCHECK_STRAY")  # printed, to see where prints go
_encode = json.JSONEncoder(allow_nan=False).encode
_decode = json.JSONDecoder(parse_constant=int).decode  # int raises ValueError for NaN and Infinity, which are no JSON
_foreign_loop = asyncio.new_event_loop()  # never runs, so nobody can wait for its futures
METHODS = {  # method: its payloads, the field of its result
    "build": (("context",), "handle"), "units": (("context",), "units"), "groups": (("messages",), "groups"),
    "diagnose": (("messages",), "diagnostics"), "measure": (("messages",), "units"), "cut": (("messages",), "kept"),
    "boundary": (("context", "options"), "boundary"), "inspect": ((), "context"), "compact": (("options",), "handle"),
}


class ProtocolError(Exception):  # a fault of the line, no answer of the implementation
    def __init__(self, code, message, **more):
        self.error = dict(more, code=code, message=message)


class Refusal(ProtocolError):
    """The implementation says no: one of the ten codes, or `unsupported`, or `refused`."""
    def __init__(self, code):
        super().__init__(-32000, code, data={"code": code})


class Cancellation:  # of one compaction; it counts the looks at it, and may turn on at one of them
    def __init__(self, on=False, at_look=-1):
        self.on, self.at_look, self.looks = on, at_look, 0

    def cancelled(self):
        self.turn(self.looks == self.at_look)
        self.looks += 1
        return self.on

    def turn(self, cancel):
        self.on = self.on or cancel


class Deferred:  # an awaitable that lets others run once and settles with what `settle()` returns or raises, or never
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
        self.queue = []  # what came while a summarizer waited
        self.input, self.output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # whatever prints to descriptor 1, in C too, prints to standard error from here on
        sys.stdout = sys.stderr

    def run(self):
        while True:
            message = self.queue.pop(0) if self.queue else self.read()
            if "method" in message and "id" in message:  # else a late response, or a notification without effect
                self.answer(message)

    def read(self):
        return next(filter(None, map(self.parse, iter(self.input.readline, None))))

    def parse(self, line):
        if not line:
            os._exit(0)  # a summarizer may be waiting; it would take an exception for its own failure
        try:
            message = _decode(line.decode("utf-8")) if len(line) <= MAX_LINE_BYTES + 1 and not line.isspace() else None
        except (ValueError, RecursionError) as error:
            return self.send(id=None, error={"code": -32700, "message": str(error)})
        if _is_message(message) or line.isspace():
            return message
        return self.send(id=None, error={"code": -32600, "message": "no message of JSON-RPC 2.0, or too long"})

    def send(self, **message):
        self.output.write(b"%s\n" % _encode(dict(message, jsonrpc="2.0")).encode("ascii"))
        self.output.flush()

    def answer(self, message):
        try:
            result = self.result(message["method"], _field(message, "params", dict, {}), message["id"])
            self.send(id=message["id"], result=result)
        except BaseException as error:
            self.fail(message["id"], error)
        if message["method"] == "shutdown" and self.initialized:
            os._exit(0)

    def fail(self, request_id, error):
        known = isinstance(error, ProtocolError) or traceback.print_exc()
        self.send(id=request_id, error=error.error if known else {"code": -32603, "message": repr(error)})

    def result(self, method, params, request_id):
        if (method == "initialize") == self.initialized:
            raise ProtocolError(-32600, "`initialize` comes first, and once")
        if method == "initialize":
            if "1" not in _field(params, "protocolVersions", list):
                raise ProtocolError(-32602, "this adapter speaks version 1 of the protocol")
            self.initialized, about = True, {"protocolVersion": "1", "language": "Python", "profiles": ["boundary"]}
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
        STRAY and print(STRAY)
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
        try:
            raw = isinstance(value, dict) and list(value) == ["json"] and isinstance(value["json"], str)
            return self.read_json(value["json"]) if raw else value
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

    def ask(self, asked, token):  # other requests wait until the compaction has ended
        self.asked += 1
        self.send(id="s%d" % self.asked, method="summarize", params=asked)
        while True:
            message = self.read()
            if message.get("method") == "cancel":
                params = message.get("params")
                token.turn(isinstance(params, dict) and params.get("compaction") == asked["compaction"])
            elif message.get("method") == "shutdown" and "id" in message:
                self.answer(message)
            elif "method" in message:
                self.queue.append(message)
            elif message.get("id") == "s%d" % self.asked:
                return self.answer_in(message)

    def answer_in(self, message):
        kind = "reject" if "reject" in self.capabilities.get("answers", ()) else "throw"
        return {"kind": kind, "message": str(message["error"])} if "error" in message else message["result"]

    def acting(self, answer, token):
        """What the summarizer is to do when it is called, as a function."""
        answer = _field({"answer": answer}, "answer", dict)
        kind, cancel = _field(answer, "kind", str), _field(answer, "cancel", bool, False)
        words = _field(answer, "text", str) if kind in ("text", "chain") else _field(answer, "message", str, "")
        depth = _field(answer, "depth", int) if kind == "chain" else 0
        value = kind == "value" and self.payload(answer, "value")

        def turn(kind=None):
            token.turn(cancel)
            if kind:
                raise kind(words)

        def nested(left):
            return turn() or words if left == 0 else Deferred(lambda: nested(left - 1))

        actions = {
            "text": lambda: turn() or words,
            "value": lambda: value,
            "throw": lambda: turn(RuntimeError),
            "panic": lambda: turn(getattr(self, "panic", SystemExit)),  # no `except Exception` catches it
            "reject": lambda: turn() or Deferred(lambda: turn(RuntimeError)),
            "chain": lambda: nested(depth),
            "pending": lambda: Deferred(turn, never=True),
            "unobservable": lambda: _foreign_loop.create_future(),
        }
        return _field(actions, kind, type(turn))


def serve(adapter, read_json=None):
    """Answers until `shutdown`. `read_json(text)` parses raw payloads (ValueError: no JSON); it declares `rawJson`."""
    form = Server
    if "async" in adapter.declaration.get("capabilities", {}).get("cancel", ()):
        from seamcheck_kit_asyncio import ConcurrentServer as form
    form(adapter, read_json).run()
