// The kit and compactions: questions, scripts, cancellation, several at once.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Session } from "./session.mjs";

const OLD = { id: "u1", role: "user", content: "old question" };
const CONTEXT = { messages: [OLD, { id: "u2", role: "user", content: "new" }] };
const budget = { maxUnits: 26, targetUnits: 22, summaryMaxUnits: 13, retainRecentMessages: 1 };
const OPTIONS = { ...budget, summaryId: "s1", recordId: "k1" };
/** An implementation that tells what it sees: its summary is called once, thenables are counted, looks are made. */
const PROBE = `
import { serve } from "./seamcheck_kit.mjs";
const capabilities = { cancel: ["at-look", "async"], summarize: process.env.SCRIPTED ? "scripted" : "callback" };
serve({
  declaration: { name: "probe", version: "1", levels: ["compact"], capabilities },
  build: (context) => context,
  inspect: (context) => context,
  async compact(live, options, summarize, signal) {
    const record = { isSignal: signal instanceof AbortSignal, seen: [] };
    for (let look = 0; look < (options.looks ?? 0); look += 1) record.seen.push(signal.aborted);
    try { if (options.looks) signal.throwIfAborted(); } catch (error) { record.thrown = error.name; }
    try {
      let value = summarize({ boundary: 1 });
      for (record.depth = 0; typeof value?.then === "function"; record.depth += 1) {
        const { then } = value;
        [value] = await new Promise((resolve, reject) => then.call(value, (settled) => resolve([settled]), reject));
      }
      record.value = value;
    } catch (error) {
      record.failure = error instanceof Error ? error.message : { thrown: error };
    }
    return { status: options.unchanged ? "unchanged" : "compacted", live, record };
  },
}, { readJson: JSON.parse });
`;
const sessions = [];
const open = async (file, code) => {
  const session = await Session.start(file, code);
  sessions.push(session);
  return session;
};
after(() => sessions.forEach(({ child }) => child.kill()));

async function started(session, handle, more = {}) {
  const id = session.request("compact", { handle, options: OPTIONS, ...more });
  const asked = await session.next();
  assert.equal(asked.method, "summarize");
  assert.equal(asked.params.compaction, id);
  return [id, asked.id, asked.params.request];
}

test("several compactions wait at once, other requests are answered meanwhile, in any order of answers", async () => {
  const session = await open("boundary_adapter.mjs");
  const handle = await session.build(CONTEXT);
  const [one, first, request] = await started(session, handle);
  const [two, second] = await started(session, handle);
  const expected = { requirements: [], previousSummary: null, messages: [OLD], boundary: 1, maxSummaryUnits: 13 };
  assert.deepEqual(request, expected);
  assert.deepEqual((await session.call("inspect", { handle })).result.context.messages, CONTEXT.messages);
  session.send({ id: second, result: { kind: "text", text: "two" } });
  const later = await session.next();
  session.send({ id: first, result: { kind: "text", text: "one", unknown: true } });
  const earlier = await session.next();
  assert.deepEqual([later.id, earlier.id], [two, one]);
  const { context } = (await session.call("inspect", { handle: earlier.result.handle })).result;
  assert.equal(context.summary.content, "one");
  assert.equal(later.result.record.unitsAfter, 19);
});

test("a cancel takes effect as it is read, and late or repeated answers are ignored", async () => {
  const session = await open("boundary_adapter.mjs");
  const handle = await session.build(CONTEXT);
  const [id, question] = await started(session, handle);
  session.send({ method: "cancel", params: { compaction: id } });
  const refused = await session.next();
  assert.equal(refused.id, id);
  assert.equal(refused.error.data.code, "CONTEXT_CANCELLED");
  assert.equal(typeof refused.error.data.looks, "number");
  session.send({ id: question, result: { kind: "reject", message: "late" } });
  session.send({ id: question, result: { kind: "text", text: "again" } });
  session.send({ method: "cancel", params: { compaction: id } });
  assert.equal((await session.call("inspect", { handle })).result.context.compactions.length, 0);
});

test("an answer and a cancel in one write take effect in their order", async () => {
  const session = await open("boundary_adapter.mjs");
  const handle = await session.build(CONTEXT);
  for (const order of [["answer", "cancel"], ["cancel", "answer"]]) {
    const [id, question] = await started(session, handle);
    const answer = { id: question, result: { kind: "text", text: "ok" } };
    const lines = { answer, cancel: { method: "cancel", params: { compaction: id } } };
    session.write(order.map((name) => `${JSON.stringify({ jsonrpc: "2.0", ...lines[name] })}\n`).join(""));
    const { result, error } = await session.next();
    assert.equal(result?.status ?? error.data.code, order[0] === "answer" ? "compacted" : "CONTEXT_CANCELLED");
  }
});

test("an error as the answer fails the summarizer, an unreadable answer ends the compaction with -32602", async () => {
  const session = await open("boundary_adapter.mjs");
  const handle = await session.build(CONTEXT);
  const [, failed] = await started(session, handle);
  session.send({ id: failed, error: { code: -32000, message: "no network" } });
  assert.equal((await session.next()).error.data.code, "CONTEXT_SUMMARIZER_FAILED");
  const unreadable = [
    null, {}, { kind: "text" }, { kind: "sing" }, { kind: "toString" }, { kind: "chain", text: "x" }, { kind: "value" },
    { kind: "chain", text: "x", depth: -1 }, { kind: "text", text: "x", cancel: 1 },
    { kind: "value", value: { json: "{" } },
  ];
  for (const result of unreadable) {
    const [id, question] = await started(session, handle);
    session.send({ id: question, result });
    const answer = await session.next();
    assert.deepEqual([answer.id, answer.error?.code], [id, -32602], JSON.stringify(result));
  }
  const scripted = await session.call("compact", { handle, options: OPTIONS, summarizer: { kind: "sing" } });
  assert.equal(scripted.error.code, -32602);
});

test("a script is acted out inside the call, after a notification", async () => {
  const session = await open(undefined, PROBE);
  const handle = await session.build({});
  const run = async (summarizer, options = {}) => {
    const [, question] = await started(session, handle, { summarizer, options });
    assert.equal(question, undefined);
    return (await session.next()).result.record;
  };
  const said = await run({ kind: "text", text: "\ud800" });
  assert.deepEqual(said, { isSignal: true, seen: [], depth: 0, value: "\ud800" });
  assert.deepEqual((await run({ kind: "value", value: { json: '{"a":[1,2]}' } })).value, { a: [1, 2] });
  assert.deepEqual(await run({ kind: "throw", message: "m" }), { isSignal: true, seen: [], failure: "m" });
  assert.deepEqual((await run({ kind: "panic", message: "m" })).failure, { thrown: "m" });
  assert.deepEqual(await run({ kind: "reject" }), { isSignal: true, seen: [], depth: 0, failure: "" });
  for (const depth of [0, 1, 2, 65]) assert.equal((await run({ kind: "chain", depth, text: "x" })).depth, depth);
});

test("after a question the wait is the first deferral", async () => {
  const session = await open(undefined, PROBE);
  const handle = await session.build({});
  const run = async (result) => {
    const [, question] = await started(session, handle);
    session.send({ id: question, result });
    return (await session.next()).result.record;
  };
  for (const depth of [0, 1]) assert.equal((await run({ kind: "chain", depth, text: "x" })).depth, 1);
  assert.equal((await run({ kind: "throw", message: "m" })).failure, "m");
  assert.deepEqual((await run({ kind: "panic", message: "m" })).failure, { thrown: "m" });
});

test("looks are counted, and the signal turns on at the one that was named", async () => {
  const session = await open(undefined, PROBE);
  const handle = await session.build({});
  const run = async (more) => {
    const script = { options: { looks: 3 }, summarizer: { kind: "text", text: "" } };
    await started(session, handle, { ...script, ...more });
    return (await session.next()).result;
  };
  const free = await run({});
  assert.deepEqual([free.looks, free.record.seen, free.record.thrown], [4, [false, false, false], undefined]);
  const second = await run({ cancelAtLook: 1 });
  assert.deepEqual([second.record.seen, second.record.thrown], [[false, true, true], "AbortError"]);
  assert.equal((await run({ cancelAtLook: 3 })).record.thrown, "AbortError");
  assert.deepEqual((await run({ cancelled: true })).record.seen, [true, true, true]);
});

test("handles are new each time, unchanged keeps its own, and a released one is unknown", async () => {
  const session = await open(undefined, PROBE);
  const handle = await session.build({ json: "1" });
  const script = { handle, summarizer: { kind: "text", text: "" } };
  session.request("compact", { ...script, options: { unchanged: true } });
  session.request("compact", { ...script, options: {} });
  const answers = [];
  while (answers.length < 2) answers.push(...[await session.next()].filter(({ method }) => method === undefined));
  const handles = answers.map(({ result }) => result.handle);
  assert.equal(handles[0], handle);
  assert.notEqual(handles[1], handle);
  assert.deepEqual((await session.call("release", { handle })).result, {});
  for (const method of ["inspect", "release", "compact"]) {
    assert.equal((await session.call(method, { handle, options: {} })).error.data.code, "unknown-handle");
  }
  assert.equal((await session.call("inspect", {})).error.code, -32602);
});

test("raw payloads are read as text, and what is no JSON is refused", async () => {
  const session = await open("boundary_adapter.mjs");
  const units = async (json) => session.call("units", { context: { json } });
  assert.equal(session.declared.capabilities.rawJson, true);
  assert.equal((await units('{"summary":{"id":"old","id":"s","content":"\\ud800"}}')).result.units, 7);
  assert.equal((await units('{"messages":[}')).error.data.code, "not-json");
  assert.equal((await units(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).result.units, 0);
});

test("the end of the input ends a compaction that waits", async () => {
  const session = await open("boundary_adapter.mjs");
  await started(session, await session.build(CONTEXT));
  assert.equal(await session.close(), 0);
  const other = await open("boundary_adapter.mjs");
  await started(other, await other.build(CONTEXT));
  assert.deepEqual((await other.call("shutdown")).result, {});
  assert.deepEqual(await other.ended, [0, null]);
});
