"""Answers a request of section 1.5 from its raw text: `answer(text)`. `judgeCut` is no operation of an implementation.

It plays the scripted summarizer and the cancellation itself. A request goes in and an answer comes out; what
somebody else holds for the right answer never comes near this module.
"""

import asyncio

from .build import ABSENT, build_context, read_messages
from .compact import compact, select_boundary
from .diagnose import diagnose
from .jsontext import NotJson, read_json
from .measure import context_units, groups
from .model import Fault, plain

OPERATIONS = ("build", "units", "groups", "boundary", "diagnose", "compact", "chain")


class _Cancellation:
    def __init__(self, on):
        self.on = on

    def turn_on(self):
        self.on = True

    def cancelled(self):
        return self.on


class _Later:
    """A deferred value of the harness's own."""

    def __init__(self, settle):
        self._settle = settle

    def __await__(self):
        yield
        return self._settle()


class _Never:
    """A deferred value that never settles and cancels while it is awaited."""

    def __init__(self, cancellation):
        self._cancellation = cancellation

    def __await__(self):
        yield
        self._cancellation.turn_on()
        yield from asyncio.get_running_loop().create_future().__await__()


class _Panic(BaseException):
    """Python's harsher failure: no `except Exception` catches it."""


def _fail(error):
    raise error


def _nested(depth, text):
    return text if depth == 0 else _Later(lambda: _nested(depth - 1, text))


def _foreign_future():
    loop = asyncio.new_event_loop()
    future = loop.create_future()
    loop.close()
    return future


def _play(script, cancellation):
    """What the summarizer gives back; it is called once for each call of the summarizer."""
    kind = script["kind"]
    text = script.get("text")
    error = ValueError(script.get("message", "the summarizer failed"))
    if kind == "text":
        return text
    if kind == "value":
        return script["value"]
    if kind == "throw":
        raise error
    if kind == "panic":
        raise _Panic()
    if kind == "reject":
        return _Later(lambda: _fail(error))
    if kind == "chain":
        return _nested(int(script["depth"]), text)
    if kind == "promiseChain":
        return _nested(min(int(script["depth"]), 1), text)
    if kind == "pendingThenAbort":
        return _Never(cancellation)
    if kind == "resolveThenAbort":
        return _Later(lambda: cancellation.turn_on() or text)
    if kind == "rejectThenAbort":
        cancellation.turn_on()
        return _Later(lambda: _fail(error))
    if kind == "throwThenAbort":
        cancellation.turn_on()
        raise error
    if kind in ("proxyPromise", "lockedPromise"):
        return _foreign_future()
    raise AssertionError("no summarizer of the kind %r" % kind)


def _compact(context, step):
    """The answer of one compaction of a built context, and the context that it leaves."""
    requests = []
    cancellation = _Cancellation(step["cancel"] == "before")

    def summarizer(request, _):
        requests.append(request)
        return _play(step["summarizer"], cancellation)

    before = plain(context)
    try:
        done = asyncio.run(compact(context, step.get("options", ABSENT), summarizer, cancellation))
    except Fault as fault:
        unchanged = plain(context) == before
        return {"error": {"code": fault.code}, "calls": len(requests), "inputUnchanged": unchanged}, context
    if plain(context) != before:
        raise AssertionError("a compaction changed the context that it was given")
    return {
        "ok": {
            "status": done.status,
            "boundary": done.boundary,
            "record": plain(done.record),
            "context": plain(done.context),
            "calls": len(requests),
            "request": requests[-1] if requests else None,
        }
    }, done.context


def _steps(value, steps):
    try:
        context = build_context(value)
    except Fault as fault:
        return [{"error": {"code": fault.code}, "calls": 0, "inputUnchanged": True} for _ in steps]
    answers = []
    for step in steps:
        answer, context = _compact(context, step)
        answers.append(answer)
    return answers


def _perform(request):
    operation = request["op"]
    context = request.get("context", ABSENT)
    messages = request.get("messages", ABSENT)
    if operation == "build":
        return {"context": plain(build_context(context))}
    if operation == "units":
        return {"units": context_units(build_context(context))}
    if operation == "groups":
        return {"groups": [list(group) for group in groups(read_messages(messages))]}
    if operation == "boundary":
        return {"boundary": select_boundary(build_context(context), request.get("options", ABSENT))}
    if operation == "diagnose":
        return {"diagnostics": diagnose(messages)}
    if operation == "chain":
        return {"steps": _steps(context, request["steps"])}
    raise AssertionError("no operation %r" % operation)


def answer(text):
    """The answer to a request, given as text or as bytes."""
    try:
        request = read_json(text)
    except NotJson:
        return {"error": {"code": "not-json"}}
    if request["op"] == "compact":
        return _steps(request.get("context", ABSENT), [request])[0]
    try:
        return {"ok": _perform(request)}
    except Fault as fault:
        return {"error": {"code": fault.code}}
