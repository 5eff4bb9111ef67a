"""The form of seamcheck_kit.py in one asyncio event loop, for adapters that declare the cancel mode `async`.

Lines are read at any time, so that several compactions may wait at once (declare `maxInFlight`). Any method may be a
coroutine function. `summarize(request)` raises at once or returns an awaitable, always. The cancellation has
`await cancellation.wait()` besides, which ends when it is on and is no look.
"""
import asyncio
import inspect
import threading

import seamcheck_kit as kit

TURNS = 16  # of the event loop after a line, so that whatever it has woken goes on before the next takes effect


class Panic(BaseException):
    """No `except Exception` catches it. SystemExit, which a task would pass on, ends the whole event loop."""


class Cancellation(kit.Cancellation):
    def __init__(self, on, at_look):
        super().__init__(on, at_look)
        self.event = asyncio.Event()
        self.turn(on)

    def turn(self, cancel):
        super().turn(cancel)
        if self.on:
            self.event.set()

    async def wait(self):
        await self.event.wait()


class ConcurrentServer(kit.Server):
    panic = Panic

    def __init__(self, adapter, read_json):
        super().__init__(adapter, read_json)
        self.questions, self.tokens, self.tasks = {}, {}, set()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        loop, lines, before, task = asyncio.get_running_loop(), asyncio.Queue(), None, None
        threading.Thread(target=self.feed, args=(loop, lines.put_nowait), daemon=True).start()
        while True:
            message = self.parse(await lines.get())
            woken = None
            if message is None:
                continue
            if "method" not in message:
                woken = self.questions.get(message.get("id")) if isinstance(message.get("id"), str) else None
                if woken and not woken.done():
                    woken.set_result(message)
            elif "id" in message and self.is_plain(message["method"]) and (before is None or before.done()):
                self.answer(message)  # there is nothing to wait for, and a task would take longer than most answers
            elif "id" in message:
                # Held here, for the event loop holds a task weakly. All but compactions are answered in turn.
                task = asyncio.ensure_future(self.respond(message, before))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
                before = before if message["method"] == "compact" else task
                woken = task
            elif message["method"] == "cancel" and isinstance(message.get("params"), dict):
                woken = self.tokens.get(repr(message["params"].get("compaction")))
                if woken:
                    woken.turn(True)
            for _ in range(TURNS if woken else 0):
                await asyncio.sleep(0)
                if woken is task and task.done():
                    break

    def is_plain(self, method):
        names = (method, "native") if method == "inspect" else (method,)
        waits = any(inspect.iscoroutinefunction(getattr(self.adapter, name, None)) for name in names)
        return method != "compact" and not waits

    def feed(self, loop, put):
        for line in iter(self.input.readline, b""):
            loop.call_soon_threadsafe(put, line)
        loop.call_soon_threadsafe(put, b"")

    async def respond(self, message, before):
        method, request_id = message["method"], message["id"]
        try:
            if before and not before.done():
                await asyncio.wait({before})
            result = self.result(method, kit._field(message, "params", dict, {}), request_id)
            if inspect.iscoroutine(result):
                result = await result
            elif method == "build":
                await self.settle_live(result["handle"])
            for field, value in result.items():
                result[field] = await value if inspect.iscoroutine(value) else value
            self.send(id=request_id, result=result)
        except BaseException as error:  # also that its task was cancelled, by whomever
            self.fail(request_id, error)
        if method == "shutdown" and self.initialized:
            kit.os._exit(0)

    async def settle_live(self, handle):
        live = self.live.pop(handle)
        self.live[handle] = await live if inspect.iscoroutine(live) else live

    async def compact(self, call, live, options, params, request_id):
        if repr(request_id) in self.tokens:
            raise kit.ProtocolError(-32600, "a compaction of this id is still running")
        on, at_look = kit._field(params, "cancelled", bool, False), kit._field(params, "cancelAtLook", int, -1)
        token, broken = Cancellation(on, at_look), []
        script = self.acting(params["summarizer"], token) if "summarizer" in params else None

        def summarize(request):
            asked = {"compaction": request_id, "request": request}
            if not script:
                self.asked += 1
                question = "s%d" % self.asked
                self.send(id=question, method="summarize", params=asked)
                self.questions[question] = asyncio.get_running_loop().create_future()
                return self.answered(question, token, broken)
            if self.capabilities.get("summarize") != "scripted":
                self.send(method="summarize", params=asked)
            value = script()
            return value if inspect.isawaitable(value) else at_once(value)

        self.tokens[repr(request_id)] = token
        try:
            outcome = call(live, options, summarize, token)
            status, after, record = await outcome if inspect.iscoroutine(outcome) else outcome
        except kit.Refusal as refusal:
            refusal.error["data"]["looks"] = token.looks
            broken.append(refusal)
        finally:
            del self.tokens[repr(request_id)]
        if broken:
            raise broken[0]
        handle = params["handle"] if status == "unchanged" and after is live else self.issue(after)
        return {"status": status, "handle": handle, "record": record, "looks": token.looks}

    async def answered(self, question, token, broken):
        """Waits for the answer and acts it out. The wait is the first deferral of it."""
        try:
            message = await self.questions[question]
        finally:
            del self.questions[question]
        try:
            act = self.acting(self.answer_in(message), token)
        except Exception as error:  # a fault of the protocol, which must not pass for one of the summarizer
            broken.append(error)
            raise
        value = act()
        if isinstance(value, kit.Deferred):
            return await value if value.never else value.settle()
        return value


async def at_once(value):
    return value
