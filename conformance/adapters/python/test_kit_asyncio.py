"""The form of the kit in one event loop: lines at any time, several compactions at once, whatever fails."""

import json
import unittest

from test_kit import TEXT, Session

ADAPTER = """
import asyncio, seamcheck_kit
class Toy:
    declaration = {"name": "toy", "version": "1", "levels": ["compact"], "maxInFlight": 4,
                   "capabilities": {"answers": ["throw", "reject"], "cancel": ["async"]}}
    async def build(self, context):
        await asyncio.sleep(0)
        if context == "foreign":
            raise KeyError("broken")
        if context == "cancelled":
            asyncio.current_task().cancel()
            await asyncio.sleep(0)
        return context
    def inspect(self, live):
        print("stray print")
        return live
    async def compact(self, live, options, summarize, cancellation):
        asked = asyncio.ensure_future(summarize(options))
        waiting = asyncio.ensure_future(cancellation.wait())
        await asyncio.wait({asked, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if cancellation.cancelled():
            raise seamcheck_kit.Refusal("CONTEXT_CANCELLED")
        said = repr(asked.exception()) if asked.exception() else asked.result()
        return "compacted", said, said
seamcheck_kit.serve(Toy())
"""


class AsyncioTest(unittest.TestCase):
    def setUp(self):
        self.session = Session("-c", ADAPTER)
        self.addCleanup(lambda: self.session.process.poll() is None and self.session.process.kill())
        self.handle = self.session.call("build", context="x")["result"]["handle"]

    def ask(self, **more):
        started = self.session.start("compact", handle=self.handle, options={"n": self.session.ids}, **more)
        asked = self.session.receive()
        self.assertEqual((asked["method"], asked["params"]["compaction"]), ("summarize", started))
        return started, asked.get("id")

    def ended(self):
        status, output, errors = self.session.close()
        self.assertEqual((status, output), (0, b""), errors)
        return errors.decode()

    def test_several_compactions_wait_and_are_answered_in_any_order(self):
        first, second, third = self.ask(), self.ask(), self.ask()
        again = self.session.start("compact", handle=self.handle, options={})
        self.session.send(id=again, method="compact", params={"handle": self.handle, "options": {}})
        self.session.receive()
        self.assertEqual(self.session.receive()["error"]["code"], -32600)
        self.assertEqual(self.session.call("inspect", handle=self.handle)["result"], {"context": "x"})
        for started, question in (third, first):
            self.session.send(id=question, result=dict(TEXT, text="of %d \ud800" % started))
            done = self.session.receive()
            self.assertEqual((done["id"], done["result"]["record"]), (started, "of %d \ud800" % started))
            self.session.send(id=question, result=TEXT)
        self.session.send(method="cancel", params={"compaction": second[0]})
        self.session.send(id=second[1], result=TEXT)
        self.assertEqual(self.session.receive()["error"]["data"], {"code": "CONTEXT_CANCELLED", "looks": 1})
        self.assertIn("stray print", self.ended())

    def test_lines_take_effect_in_their_order(self):
        for turn in range(40):
            started, question = self.ask()
            lines = [
                {"method": "cancel", "params": {"compaction": started}},
                {"id": question, "result": TEXT},
            ]
            raw = [json.dumps(dict(line, jsonrpc="2.0")).encode("ascii") + b"\n" for line in lines]
            self.session.write(b"".join(raw if turn % 2 else raw[::-1]))
            self.assertEqual("error" in self.session.receive(), bool(turn % 2))
        self.ended()

    def test_foreign_exceptions_cancelled_tasks_and_unreadable_answers(self):
        for context in ("foreign", "cancelled"):
            self.assertEqual(self.session.call("build", context=context)["error"]["code"], -32603)
        self.assertEqual(self.session.call("inspect", handle="h2")["error"]["data"]["code"], "unknown-handle")
        _, question = self.ask()
        self.session.send(id=question, result={"kind": "text"})
        self.assertEqual(self.session.receive()["error"]["code"], -32602)
        _, question = self.ask()
        self.session.send(id=question, error={"code": 1, "message": "gone"})
        self.assertIn("gone", self.session.receive()["result"]["record"])
        self.ask(summarizer=TEXT)
        self.assertEqual(self.session.receive()["result"]["record"], "short")
        self.session.start("compact", handle=self.handle, options={}, summarizer={"kind": "throw", "message": "m"})
        self.session.receive()
        self.assertEqual(self.session.receive()["error"]["code"], -32603)  # the toy does not catch it
        _, question = self.ask()
        self.assertEqual(self.session.call("shutdown")["result"], {})
        self.assertIn("KeyError", self.ended())


if __name__ == "__main__":
    unittest.main()
