"""The kit as a subprocess: what a runner may do to it, and what an adapter may do."""

import json
import pathlib
import subprocess
import sys
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
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
TEXT = {"kind": "text", "text": "short"}
NOISY = """
import os, sys, seamcheck_kit
class Noisy:
    declaration = {"name": "noisy", "version": "1", "levels": ["cut"]}
    def measure(self, messages):
        print("stray print")
        os.write(1, b"stray write")
        return len(messages)
    def cut(self, messages, budget):
        raise KeyError("broken")
    def build(self, context):
        raise seamcheck_kit.Refusal("unsupported")
seamcheck_kit.serve(Noisy())
"""


class Session:
    def __init__(self, *arguments, initialize=True):
        command = [sys.executable, *(arguments or [str(FOLDER / "boundary_adapter.py")])]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=FOLDER)
        self.ids = 0
        if initialize:
            self.call("initialize", protocolVersions=["2", "1"], suite={"name": "test"})

    def write(self, raw):
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps(dict(message, jsonrpc="2.0")).encode("ascii") + b"\n")

    def receive(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def start(self, method, **params):
        self.ids += 1
        self.send(id=self.ids, method=method, params=params)
        return self.ids

    def call(self, method, **params):
        started = self.start(method, **params)
        answer = self.receive()
        assert answer["id"] == started, answer
        return answer

    def close(self):
        self.process.stdin.close()
        errors, output = self.process.stderr.read(), self.process.stdout.read()
        status = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return status, output, errors


class KitTest(unittest.TestCase):
    def open(self, *arguments, **named):
        session = Session(*arguments, **named)
        self.addCleanup(lambda: session.process.poll() is None and session.process.kill())
        return session

    def live(self, session):
        return session.call("build", context=CONTEXT)["result"]["handle"]

    def assertEnded(self, session, status=0):
        ended, output, errors = session.close()
        self.assertEqual((ended, output), (status, b""), errors)
        return errors

    def test_bad_lines_cost_one_answer_each(self):
        session = self.open(initialize=False)
        lines = [
            (b"{", -32700), (b'{"id":NaN}', -32700), (b'"\xff"', -32700), (b"[" * 100000, -32700),
            (b"[]", -32600), (b"1", -32600),
            (b'{"jsonrpc":"1.0","id":1,"method":"x"}', -32600), (b'{"jsonrpc":"2.0","id":1}', -32600),
            (b'{"jsonrpc":"2.0","id":1,"method":2}', -32600), (b'{"jsonrpc":"2.0","id":true,"method":"x"}', -32600),
            (b" " * (16 * 1024 * 1024) + b"1", -32600),
        ]  # fmt: skip
        for line, code in lines:
            session.write(line + b"\n")
            answer = session.receive()
            self.assertEqual((answer["id"], answer["error"]["code"]), (None, code), line[:60])
        self.assertEqual(session.call("units", context={})["error"]["code"], -32600)
        self.assertEqual(session.call("initialize", protocolVersions=["9"])["error"]["code"], -32602)
        session.write(b'\n  \r\n{"jsonrpc":"2.0","method":"shutdown"}\n{"jsonrpc":"2.0","id":"x","result":{}}\n')
        session.write(b'{"jsonrpc":"2.0","id":null,"error":{"code":1}}\n')
        declared = session.call("initialize", protocolVersions=["1"])["result"]
        self.assertEqual((declared["protocolVersion"], declared["capabilities"]["rawJson"]), ("1", True))
        self.assertEqual(session.call("initialize", protocolVersions=["1"])["error"]["code"], -32600)
        self.assertEqual(session.call("nonsense")["error"]["code"], -32601)
        self.assertEqual(session.call("cut", messages=[], budget=1)["error"]["code"], -32601)
        self.assertEqual(session.call("units")["error"]["code"], -32602)
        session.send(id="p", method="units", params=[])
        self.assertEqual(session.receive()["error"]["code"], -32602)
        self.assertEqual(session.call("inspect", handle=1)["error"]["code"], -32602)
        self.assertEqual(session.call("inspect", handle="h9")["error"]["data"]["code"], "unknown-handle")
        self.assertEqual(session.call("shutdown")["result"], {})
        self.assertEqual(session.process.wait(10), 0)
        self.assertEnded(session)

    def test_split_writes_large_lines_and_the_end_of_input(self):
        session = self.open()
        text = json.dumps({"messages": [{"id": "u", "role": "user", "content": "\U0001f600" * 65536}]})
        line = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "units", "params": {"context": {"json": text}}})
        raw = line.encode("ascii") + b"\n"
        for start in range(0, len(raw), 100000):
            session.write(raw[start : start + 100000])
            time.sleep(0.001)
        self.assertEqual(session.receive()["result"], {"units": 65541})
        session.write(b'{"jsonrpc":"2.0","id":"b","met')
        time.sleep(0.05)
        session.write(b'hod":"diagnose","params":{"messages":{}}}')  # no line end before the end
        session.process.stdin.close()
        self.assertEqual(session.receive()["result"], {"diagnostics": [["INVALID_TRANSCRIPT", -1]]})
        self.assertEqual(session.process.wait(10), 0)
        self.assertEnded(session)

    def test_raw_payloads(self):
        session = self.open()
        deep = '{"messages":[{"id":"u","role":"user","content":"","x":%s}]}' % ("[" * 100000 + "]" * 100000)
        self.assertEqual(session.call("units", context={"json": deep})["result"], {"units": 5})
        self.assertEqual(session.call("units", context={"json": "{,}"})["error"]["data"], {"code": "not-json"})
        lone = {"messages": [{"id": "\ud800", "role": "user", "content": "\ude00\ud83d\U0001f600"}]}
        for context in (lone, {"json": json.dumps(lone)}):
            handle = session.call("build", context=context)["result"]["handle"]
            shown = session.call("inspect", handle=handle)["result"]
            self.assertEqual(shown["context"], dict(lone, requirements=[], summary=None, compactions=[]))
            self.assertEqual(session.call("release", handle=handle)["result"], {})
            self.assertEqual(session.call("release", handle=handle)["error"]["data"]["code"], "unknown-handle")
        self.assertEnded(session)

    def test_a_question_and_its_answer(self):
        session = self.open()
        handle = self.live(session)
        before = session.call("inspect", handle=handle)
        started = session.start("compact", handle=handle, options=OPTIONS)
        asked = session.receive()
        self.assertEqual((asked["method"], asked["params"]["compaction"]), ("summarize", started))
        self.assertEqual(asked["params"]["request"]["messages"], CONTEXT["messages"][:1])
        session.send(id="u", method="units", params={"context": CONTEXT})
        session.send(id="stranger", result=TEXT)
        session.send(method="cancel", params={"compaction": "another"})
        session.send(id=asked["id"], result=TEXT)
        done = session.receive()
        self.assertEqual((done["id"], done["result"]["status"]), (started, "compacted"))
        self.assertEqual(session.receive(), {"jsonrpc": "2.0", "id": "u", "result": {"units": 27}})
        after = session.call("inspect", handle=done["result"]["handle"])["result"]["context"]
        self.assertEqual(after["compactions"], [done["result"]["record"]])
        self.assertEqual(session.call("inspect", handle=handle)["result"], before["result"])
        self.assertEnded(session)

    def test_cancelled_while_the_summarizer_waits(self):
        session = self.open()
        handle = self.live(session)
        throw, reject = {"kind": "throw"}, {"kind": "reject"}
        cases = ((TEXT, "CANCELLED"), (throw, "SUMMARIZER_FAILED"), (reject, "CANCELLED"), (None, "CANCELLED"))
        for result, code in cases:
            started = session.start("compact", handle=handle, options=OPTIONS)
            asked = session.receive()
            session.send(method="cancel", params={"compaction": started})
            answer = {"result": result} if result else {"error": {"code": 1, "message": "no"}}
            session.send(id=asked["id"], **answer)
            self.assertEqual(session.receive()["error"]["data"]["code"], "CONTEXT_" + code)
        session.start("compact", handle=handle, options=OPTIONS)
        asked = session.receive()
        session.send(id=asked["id"], result={"kind": "text"})
        self.assertEqual(session.receive()["error"]["code"], -32602)
        session.start("compact", handle=handle, options=OPTIONS)
        session.receive()
        self.assertEnded(session)

    def test_scripts_of_every_kind(self):
        session = self.open()
        handle = self.live(session)
        cases = [
            (TEXT, None),
            (dict(TEXT, cancel=True), "CANCELLED"),
            ({"kind": "value", "value": 1}, "SUMMARY_INVALID"),
            ({"kind": "value", "value": {"json": '"short"'}}, None),
            ({"kind": "throw", "cancel": True}, "SUMMARIZER_FAILED"),
            ({"kind": "reject", "message": "\ud800"}, "SUMMARIZER_FAILED"),
            ({"kind": "reject", "cancel": True}, "CANCELLED"),
            ({"kind": "panic"}, "SUMMARIZER_FAILED"),
            ({"kind": "chain", "depth": 0, "text": "short"}, None),
            ({"kind": "chain", "depth": 64, "text": "short"}, None),
            ({"kind": "chain", "depth": 65, "text": "x"}, "SUMMARIZER_FAILED"),
            ({"kind": "chain", "depth": 2, "text": "short", "cancel": True}, "CANCELLED"),
            ({"kind": "unobservable"}, "ASYNC_VALUE_UNOBSERVABLE"),
            ({"kind": "pending", "cancel": True}, "CANCELLED"),
        ]
        for script, code in cases:
            with self.subTest(script=script):
                started = session.start("compact", handle=handle, options=OPTIONS, summarizer=script)
                asked = session.receive()
                self.assertEqual((asked["method"], "id" in asked), ("summarize", False))
                done = session.receive()
                self.assertEqual(done["id"], started)
                data = done.get("error", {}).get("data", {})
                self.assertEqual(data.get("code"), "CONTEXT_" + code if code else None)
                self.assertGreaterEqual(data.get("looks", done.get("result", {}).get("looks")), 1)
        unknown = session.call("compact", handle=handle, options=OPTIONS, summarizer={"kind": "x"})
        self.assertEqual(unknown["error"]["code"], -32602)
        self.assertEnded(session)

    def test_cancelled_at_each_look(self):
        session = self.open()
        handle = self.live(session)
        started = session.start("compact", handle=handle, options=OPTIONS, summarizer=TEXT)
        session.receive()
        looks = session.receive()["result"]["looks"]
        for look in range(looks):
            session.start("compact", handle=handle, options=OPTIONS, summarizer=TEXT, cancelAtLook=look)
            answer = session.receive()
            answer = session.receive() if "method" in answer else answer
            self.assertEqual(answer["error"]["data"], {"code": "CONTEXT_CANCELLED", "looks": look + 1})
        cancelled = session.call("compact", handle=handle, options=OPTIONS, cancelled=True)
        self.assertEqual(cancelled["error"]["data"], {"code": "CONTEXT_CANCELLED", "looks": 1})
        same = session.call("compact", handle=handle, options=dict(OPTIONS, maxUnits=27), cancelled=True)["result"]
        self.assertEqual(same, {"status": "unchanged", "handle": handle, "record": None, "looks": 0})
        self.assertEqual((started, self.assertEnded(session)), (started, b""))

    def test_an_adapter_that_prints_and_breaks(self):
        session = self.open("-c", NOISY)
        self.assertEqual(session.call("measure", messages=[1, 2])["result"], {"units": 2})
        self.assertEqual(session.call("measure", messages={"json": "{,}"})["error"]["data"], {"code": "not-json"})
        self.assertEqual(session.call("cut", messages=[], budget=1)["error"]["code"], -32603)
        self.assertEqual(session.call("cut", messages=[], budget="1")["error"]["code"], -32602)
        self.assertEqual(session.call("build", context={})["error"]["data"], {"code": "unsupported"})
        self.assertEqual(session.call("units", context={})["error"]["code"], -32601)
        errors = self.assertEnded(session)
        for trace in (b"stray print", b"stray write", b"KeyError"):
            self.assertIn(trace, errors)

    def test_the_example_trimmer(self):
        session = self.open(str(FOLDER / "example_trimmer.py"))
        call = {"type": "toolCall", "id": "c", "name": "n", "arguments": {}}
        result = {"id": "r", "role": "toolResult", "toolCallId": "c", "toolName": "n", "content": "", "isError": False}
        user = {"id": "v", "role": "user", "content": "go"}
        messages = [{"id": "a", "role": "assistant", "content": [call]}, result, user]
        units = session.call("measure", messages=messages)["result"]["units"]
        for budget, expected in ((units, [0, 1, 2]), (units - 1, [2]), (0, [])):
            kept = session.call("cut", messages=messages, budget=budget)["result"]["kept"]
            self.assertEqual([item["index"] for item in kept], expected)
            self.assertEqual([item["message"] for item in kept], [messages[index] for index in expected])
        foreign_messages = ({"id": "a", "role": "assistant", "content": None}, {"from": "human"}, "text")
        for foreign in ([message] for message in (*foreign_messages, {"role": "user"}, {"id": "a", "role": "ai"})):
            refused = session.call("cut", messages=foreign, budget=1)["error"]
            self.assertEqual(refused["data"], {"code": "unsupported"}, foreign)
        self.assertEnded(session)


if __name__ == "__main__":
    unittest.main()
