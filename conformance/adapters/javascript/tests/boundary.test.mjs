// The implementation: what the spec page shows, and what only its own host can show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContext, buildMessages } from "../boundary/build.mjs";
import { compact } from "../boundary/compact.mjs";
import { diagnose } from "../boundary/diagnose.mjs";
import { groups } from "../boundary/select.mjs";
import { codePoints, isBlank } from "../boundary/text.mjs";
import { contextUnits } from "../boundary/units.mjs";

const BUDGET = { maxUnits: 26, targetUnits: 22, summaryMaxUnits: 13, retainRecentMessages: 1 };
const OPTIONS = { ...BUDGET, summaryId: "s1", recordId: "k1" };
const OLD = { id: "u1", role: "user", content: "old question" };
const CONTEXT = { messages: [OLD, { id: "u2", role: "user", content: "new" }] };

test("B-TEXT-2: a pair of surrogates is one code point, a lone one too", () => {
  assert.deepEqual(["\ud83d\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", ""].map(codePoints), [1, 2, 2, 0]);
});

test("B-TEXT-4: U+FEFF is blank, U+0085 and U+200B are not", () => {
  assert.deepEqual(["", "\ufeff \u3000", "\u0085", "\u200b"].map(isBlank), [true, true, false, false]);
});

test("B-JSON-2, B-JSON-3: JSON.parse reads equal keys and orders all keys as the spec asks", () => {
  const { v } = JSON.parse('{"v":{"b":1,"4294967295":0,"a":2,"b":3,"4294967294":0,"07":0,"7":0,"__proto__":4}}');
  assert.deepEqual(Object.keys(v), ["7", "4294967294", "b", "4294967295", "a", "07", "__proto__"]);
  assert.equal(v.b, 3);
});

test("B-LINK-8: results are grouped by call id", () => {
  const shape = { role: "toolResult", toolName: "n", content: "", isError: false };
  const result = (id, toolCallId) => ({ id, toolCallId, ...shape });
  const reports = diagnose([result("r1", "x"), result("r2", "y"), result("r3", "x")]);
  const orphan = "ORPHAN_TOOL_RESULT";
  assert.deepEqual(reports, [["DUPLICATE_TOOL_RESULT", 2], [orphan, 0], [orphan, 2], [orphan, 1]]);
});

test("B-ROUND-2: a user message between a call and its result is inside the round", () => {
  const call = { id: "a", role: "assistant", content: [{ type: "toolCall", id: "c", name: "n", arguments: {} }] };
  const answer = { id: "r", role: "toolResult", toolCallId: "c", toolName: "n", content: "", isError: false };
  const user = { id: "u", role: "user", content: "" };
  const found = groups(buildMessages([user, call, user, answer, user]));
  assert.deepEqual(found, [["message", 0, 1], ["toolRound", 1, 4], ["message", 4, 5]]);
});

test("B-CANCEL-5: what settles after a cancellation is consumed, nested failures too", async () => {
  const controller = new AbortController();
  const unhandled = [];
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  let settle;
  const late = { then: (settled) => (settle = settled) };
  const running = compact(buildContext(CONTEXT), OPTIONS, () => late, controller.signal);
  controller.abort();
  await assert.rejects(running, { code: "CONTEXT_CANCELLED" });
  settle(Promise.reject(new Error("late")));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(unhandled, []);
});

test("B-SUMMARY-7: a promise that cannot be observed has a code of its own", async () => {
  const locked = Object.defineProperty(Promise.resolve("x"), "constructor", { value: undefined });
  for (const value of [new Proxy(Promise.resolve("x"), {}), locked]) {
    const running = compact(buildContext(CONTEXT), OPTIONS, () => value);
    await assert.rejects(running, { code: "CONTEXT_ASYNC_VALUE_UNOBSERVABLE" });
  }
});

test("B-STATE-1: contexts and requests are frozen, and the new context is another one", async () => {
  const context = buildContext(CONTEXT);
  const outcome = await compact(context, OPTIONS, ({ messages }) => {
    assert.throws(() => messages.pop(), TypeError);
    assert.throws(() => { messages[0].content = "changed"; }, TypeError);
    return "short";
  });
  assert.equal(outcome.record.unitsAfter, 21);
  assert.equal(contextUnits(context), 27);
});
