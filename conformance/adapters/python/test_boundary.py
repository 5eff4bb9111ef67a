"""The second implementation: the examples of the specification, and what only Python can show."""

import asyncio
import concurrent.futures
import contextlib
import gc
import io
import json
import pathlib
import re
import unittest
import warnings

import seamcheck_boundary as boundary
from seamcheck_boundary.operations import answer

PAGE = pathlib.Path(__file__).resolve().parents[3] / "reference" / "SPEC" / "boundary.md"
CONTEXT = {
    "messages": [
        {"id": "u1", "role": "user", "content": "old question"},
        {"id": "u2", "role": "user", "content": "new"},
    ]
}
OPTIONS = {
    "maxUnits": 26,
    "targetUnits": 22,
    "summaryMaxUnits": 13,
    "retainRecentMessages": 1,
    "summaryId": "s1",
    "recordId": "k1",
}


class Token:
    def __init__(self, at_look=None):
        self.looks, self.at_look, self.on = 0, at_look, False

    def cancelled(self):
        self.on = self.on or self.looks == self.at_look
        self.looks += 1
        return self.on


def run(summarizer, token=None, context=None, options=OPTIONS):
    """The compaction, or the code of the refusal."""
    live = context or boundary.build_context(CONTEXT)
    try:
        return asyncio.run(boundary.compact(live, options, summarizer, token))
    except boundary.Fault as fault:
        return fault.code


class SpecificationExamples(unittest.TestCase):
    @unittest.skipUnless(PAGE.exists(), "needs the specification")
    def test_every_example_is_answered_as_written(self):
        blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        done = 0
        for block in blocks:
            example = boundary.read_json(block)
            if "request" in example:
                text = json.dumps(example["request"])
            else:
                pieces = example["requestText"]
                text = "".join(p if isinstance(p, str) else p["repeat"] * int(p["times"]) for p in pieces)
            if example.get("request", {}).get("op") == "judgeCut":
                continue
            with self.subTest(block=block[:200]):
                self.assertEqual(answer(text), example["response"])
            done += 1
        self.assertGreater(done, 100)


class Summarizers(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error")
        self.addCleanup(warnings.resetwarnings)

    def test_text_of_each_kind_of_deferred_value(self):
        async def coroutine():
            return "short"

        async def future():
            return asyncio.get_running_loop().run_in_executor(None, lambda: "short")

        def thread(request, cancellation):
            pool = concurrent.futures.ThreadPoolExecutor(1)
            self.addCleanup(pool.shutdown)
            return pool.submit(lambda: "short")

        for summarizer in (lambda r, c: "short", lambda r, c: coroutine(), lambda r, c: future(), thread):
            self.assertEqual(run(summarizer).record.units_after, 21)

    def test_depth_of_nesting(self):
        class Nest:
            def __init__(self, depth):
                self.depth = depth

            def __await__(self):
                yield
                return "short" if self.depth == 1 else Nest(self.depth - 1)

        self.assertEqual(run(lambda r, c: Nest(64)).status, "compacted")
        self.assertEqual(run(lambda r, c: Nest(65)), "CONTEXT_SUMMARIZER_FAILED")

        async def forever():
            return forever()

        self.assertEqual(run(lambda r, c: forever()), "CONTEXT_SUMMARIZER_FAILED")

    def test_failures_of_every_kind(self):
        imitation = boundary.Fault("CONTEXT_CANCELLED")
        for error in (ValueError(), imitation, SystemExit(), GeneratorExit(), asyncio.CancelledError()):

            def throws(request, cancellation, error=error):
                raise error

            async def rejects(request, cancellation, error=error):
                raise error

            self.assertEqual(run(throws), "CONTEXT_SUMMARIZER_FAILED")
            self.assertEqual(run(rejects), "CONTEXT_SUMMARIZER_FAILED")

    def test_values_that_cannot_be_observed(self):
        loop = asyncio.new_event_loop()
        self.addCleanup(loop.close)
        self.assertEqual(run(lambda r, c: loop.create_future()), "CONTEXT_ASYNC_VALUE_UNOBSERVABLE")
        self.assertEqual(run(lambda r, c: loop.create_future(), Token(1)), "CONTEXT_CANCELLED")

    def test_values_that_are_no_text(self):
        for value in (None, 1, True, b"short", ["short"], {"content": "short"}, lambda: "short"):
            self.assertEqual(run(lambda r, c, value=value: value), "CONTEXT_SUMMARY_INVALID")

    def test_the_request_is_the_summarizers_own(self):
        live = boundary.build_context(CONTEXT)

        def vandal(request, cancellation):
            request["messages"][0]["content"] = "gone"
            request["messages"].clear()
            request["requirements"].append(1)
            return "short"

        compaction = run(vandal, context=live)
        self.assertEqual(compaction.record.compacted_message_ids, ("u1",))
        self.assertEqual(live, boundary.build_context(CONTEXT))

    def test_options_are_a_snapshot(self):
        options = dict(OPTIONS)

        async def vandal(request, cancellation):
            options.update(summaryId="other", recordId=" ", summaryMaxUnits=1)
            return "short"

        self.assertEqual(run(vandal, options=options).record.summary_id, "s1")


class Cancelling(unittest.TestCase):
    def test_at_every_look(self):
        async def later():
            await asyncio.sleep(0)
            return "short"

        for summarizer in (lambda r, c: "short", lambda r, c: later()):
            token = Token()
            self.assertEqual(run(summarizer, token).status, "compacted")
            for look in range(token.looks):
                self.assertEqual(run(summarizer, Token(look)), "CONTEXT_CANCELLED")
            self.assertEqual(run(summarizer, Token(token.looks)).status, "compacted")
            self.assertGreaterEqual(token.looks, 3)

    def test_no_look_under_the_threshold(self):
        token = Token(0)
        live = boundary.build_context(CONTEXT)
        done = run(None, token, live, dict(OPTIONS, maxUnits=27))
        self.assertEqual((done.status, done.context is live, token.looks), ("unchanged", True, 0))

    def test_while_waiting_for_ever(self):
        async def never():
            await asyncio.get_running_loop().create_future()

        self.assertEqual(run(lambda r, c: never(), Token(5)), "CONTEXT_CANCELLED")

    def test_a_throw_of_the_call_wins(self):
        def throws(request, cancellation):
            cancellation.on = True
            raise ValueError()

        async def rejects(request, cancellation):
            cancellation.on = True
            raise ValueError()

        self.assertEqual(run(throws, Token()), "CONTEXT_SUMMARIZER_FAILED")
        self.assertEqual(run(rejects, Token()), "CONTEXT_CANCELLED")

    def test_a_late_settlement_is_silent(self):
        settled = []

        async def late(error):
            await asyncio.sleep(0.03)
            settled.append(error)
            if error:
                raise ValueError("late")
            return "late"

        async def session(error):
            live = boundary.build_context(CONTEXT)
            with self.assertRaises(boundary.Fault):
                await boundary.compact(live, OPTIONS, lambda r, c: late(error), Token(3))
            await asyncio.sleep(0.06)
            gc.collect()
            return live

        output = io.StringIO()
        with contextlib.redirect_stderr(output), contextlib.redirect_stdout(output), self.assertNoLogs("asyncio"):
            for error in (False, True):
                self.assertEqual(asyncio.run(session(error)), boundary.build_context(CONTEXT))
        self.assertEqual((settled, output.getvalue()), ([False, True], ""))

    if not hasattr(unittest.TestCase, "assertNoLogs"):  # before Python 3.10

        @contextlib.contextmanager
        def assertNoLogs(self, logger):
            yield

    def test_two_at_once_do_not_meet(self):
        async def both():
            live = boundary.build_context(CONTEXT)

            async def text(text, seconds):
                await asyncio.sleep(seconds)
                return text

            return await asyncio.gather(
                boundary.compact(live, OPTIONS, lambda r, c: text("one", 0.02)),
                boundary.compact(live, OPTIONS, lambda r, c: text("two", 0.01)),
            )

        first, second = asyncio.run(both())
        self.assertEqual((first.context.summary.content, second.context.summary.content), ("one", "two"))


if __name__ == "__main__":
    unittest.main()
