// The kit and the wire: lines, ids, errors, prints, backpressure and the end of a session.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Session } from "./session.mjs";

const ADAPTER = `
import { Refusal, serve } from "./seamcheck_kit.mjs";
serve({
  declaration: { name: "probe", version: "1", levels: ["cut"], capabilities: { keeps: "suffix" } },
  measure: async (messages) => {
    if (messages.length === 1) await new Promise((resolve) => setTimeout(resolve, 50));
    return messages.length;
  },
  cut(messages, budget) {
    if (budget === 1) throw new Refusal("refused", "not these");
    if (budget === 2) throw new TypeError("broken inside");
    if (budget === 3) console.log("a print of console"), process.stdout.write("a write of the library\\n");
    if (budget === 5) process.exit(7);
    if (budget === 6) process.nextTick(() => { throw new Error("nobody catches this"); });
    if (budget === 7 || budget === 8) for (const end = Date.now() + (budget === 7 ? 20 : 400); Date.now() < end; );
    if (budget === 4) messages = [{ id: "long", role: "user", content: "x".repeat(17 * 1024 * 1024) }];
    return messages.map((message, index) => ({ index, id: message.id, message }));
  },
});
`;
const sessions = [];
const open = async () => {
  const session = await Session.start(undefined, ADAPTER);
  sessions.push(session);
  return session;
};
after(() => sessions.forEach(({ child }) => child.kill()));
const user = (content) => ({ id: "u", role: "user", content });
const error = ({ error: { code } }) => code;

test("the handshake declares what the adapter says and what the kit finds", async () => {
  const { declared } = await open();
  const capabilities = { keeps: "suffix", native: false, measure: true, rawJson: false };
  const about = { protocolVersion: "1", language: "JavaScript", profiles: ["boundary"], maxInFlight: 8 };
  assert.deepEqual(declared, { ...about, name: "probe", version: "1", levels: ["cut"], capabilities });
});

test("requests before initialize, a second initialize and unknown versions are refused", async () => {
  const session = new Session(undefined, ADAPTER);
  sessions.push(session);
  assert.equal(error(await session.call("measure", { messages: [] })), -32600);
  assert.equal(error(await session.call("shutdown")), -32600);
  assert.equal(error(await session.call("initialize", { protocolVersions: ["2"] })), -32602);
  assert.equal(error(await session.call("initialize", {})), -32602);
  assert.equal((await session.call("initialize", { protocolVersions: ["2", "1"], more: 1 })).result.name, "probe");
  assert.equal(error(await session.call("initialize", { protocolVersions: ["1"] })), -32600);
});

test("one bad line costs one answer", async () => {
  const session = await open();
  const bad = [
    ["not json", -32700], [Buffer.from([0x22, 0xff, 0x22]), -32700], ["\ufeff{}", -32700], ["\u00a0", -32700],
    [Buffer.from("\"\xed\xa0\x80\"", "latin1"), -32700], ['[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', -32600],
    ["null", -32600], ["1", -32600], ["{}", -32600], ['{"jsonrpc":"2.0"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"shutdown"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32600], ['{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"shutdown"}', -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"shutdown"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"shutdown"}', -32600],
    [Buffer.alloc(16 * 1024 * 1024 + 1, "x"), -32600],
  ];
  for (const [line, code] of bad) {
    session.write(line);
    session.write("\n");
    const answer = await session.next();
    assert.deepEqual([answer.id, answer.error.code], [null, code], String(line).slice(0, 60));
  }
  assert.equal((await session.call("measure", { messages: [] })).result.units, 0);
});

test("a line of just 16 MiB is read", async () => {
  const session = await open();
  const line = '{"jsonrpc":"2.0","id":1,"method":"measure","params":{"messages":[],"more":"';
  session.write(`${line}${"x".repeat(16 * 1024 * 1024 - line.length - 3)}"}}\n`);
  assert.equal((await session.next()).result.units, 0);
});

test("wrong parameters and unknown methods have codes of their own", async () => {
  const session = await open();
  assert.equal(error(await session.call("cut", { messages: [] })), -32602);
  for (const budget of ["1", -1, 1.5, null]) {
    assert.equal(error(await session.call("cut", { messages: [], budget })), -32602);
  }
  assert.equal(error(await session.call("cut", [])), -32602);
  assert.equal(error(await session.call("cut", null)), -32602);
  assert.equal(error(await session.call("cut")), -32602);
  assert.equal(error(await session.call("translate", {})), -32601);
  assert.equal(error(await session.call("toString", {})), -32601);
  assert.equal(error(await session.call("build", { context: {} })), -32601);
  assert.equal(error(await session.call("cancel", {})), -32601);
});

test("notifications, late answers and empty lines are ignored, and so are unknown fields", async () => {
  const session = await open();
  session.write("\n \r\n\t\n");
  session.send({ method: "nobody/knows", params: {} });
  session.send({ method: "measure", params: { messages: [] } });
  session.send({ method: "cancel", params: { compaction: 7 } });
  session.send({ method: "cancel" });
  session.send({ id: "s1", result: { kind: "text", text: "late" } });
  session.send({ id: null, error: { code: 1, message: "m" } });
  assert.deepEqual((await session.call("measure", { messages: [], extra: [1] })).result, { units: 0 });
});

test("ids come back as they came", async () => {
  const session = await open();
  for (const id of ["0", "-7", '""', '"a \\" b"', "9007199254740991", "-9007199254740991"]) {
    session.write(`{"method":"measure","params":{"messages":[],"id":{"id":1}},"jsonrpc":"2.0","id": ${id} }\n`);
    assert.equal((await session.line()).split('"id":')[1].split(',"result"')[0], id);
  }
});

test("lines may come in any pieces", async () => {
  const session = await open();
  const params = { messages: [user("é😀")], budget: 9 };
  const line = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "cut", params })}\r\n`);
  for (const byte of line) {
    session.write(Buffer.from([byte]));
    if (byte > 127) await sleep(2);
  }
  assert.equal((await session.next()).result.kept[0].message.content, "é😀");
  session.write(Buffer.concat([line, line, line]));
  for (let count = 0; count < 3; count += 1) assert.equal((await session.next()).id, 9);
});

test("lone surrogates go through both ways, as escapes", async () => {
  const session = await open();
  const messages = '[{"id":"u","\\udc00":"\\ud800"}]';
  session.write(`{"jsonrpc":"2.0","id":1,"method":"cut","params":{"messages":${messages},"budget":9}}\n`);
  const line = await session.line();
  assert.match(line, /"\\udc00":"\\ud800"/);
});

test("prints go to standard error", async () => {
  const session = await open();
  assert.deepEqual((await session.call("cut", { messages: [], budget: 3 })).result, { kept: [] });
  await session.close();
  assert.match(session.errors, /a print of console\na write of the library/);
  assert.deepEqual(session.lines, []);
});

test("a refusal has its code, and an error of the adapter its stack on standard error", async () => {
  const session = await open();
  const refused = await session.call("cut", { messages: [], budget: 1 });
  assert.deepEqual(refused.error, { code: -32000, message: "not these", data: { code: "refused" } });
  const broken = await session.call("cut", { messages: [], budget: 2 });
  assert.deepEqual(broken.error, { code: -32603, message: "broken inside" });
  assert.equal(error(await session.call("cut", { messages: [], budget: 4 })), -32603, "no line over 16 MiB is written");
  await session.close();
  assert.match(session.errors, /TypeError: broken inside\n +at /);
});

test("an asynchronous answer holds back the later ones", async () => {
  const session = await open();
  const slow = session.request("measure", { messages: [user("")] });
  const later = [session.request("cut", { messages: [], budget: 9 }), session.request("translate")];
  for (const id of [slow, ...later]) assert.equal((await session.next()).id, id);
});

test("a runner that does not read is waited for", async () => {
  const session = await open();
  session.child.stdout.pause();
  const message = user("x".repeat(1_000_000));
  const ids = Array.from({ length: 60 }, () => session.request("cut", { messages: [message], budget: 9 }));
  await sleep(1000);
  const left = session.child.stdin.writableLength;
  assert.ok(left > 20_000_000, `${left} bytes are left to write`);
  session.child.stdout.resume();
  for (const id of ids) assert.equal((await session.next()).id, id);
});

/** Writes two requests at once, and says when the first was answered. */
async function packed(session, first, second) {
  const line = (id, budget) => JSON.stringify({ jsonrpc: "2.0", id, method: "cut", params: { messages: [], budget } });
  session.write(`${line("first", first)}\n${line("second", second)}\n`);
  assert.equal((await session.next()).id, "first");
  return performance.now();
}

test("what was answered before the process ends by itself is written", async () => {
  const session = await open();
  await packed(session, 9, 5);
  assert.deepEqual(await session.ended, [7, null]);
  const another = await open();
  await packed(another, 9, 6);
  assert.deepEqual(await another.ended, [1, null]);
});

test("an answer does not wait for a slow request that was written with its own", async () => {
  const session = await open();
  const answered = await packed(session, 7, 8);
  assert.equal((await session.next()).id, "second");
  assert.ok(performance.now() - answered > 200, "the slow one takes 400 ms");
});

test("shutdown is answered, and the process exits with 0", async () => {
  const session = await open();
  session.request("measure", { messages: [user("")] });
  session.request("shutdown");
  session.request("measure", { messages: [] });
  assert.equal((await session.next()).result.units, 1);
  assert.deepEqual((await session.next()).result, {});
  assert.deepEqual(await session.ended, [0, null]);
  assert.deepEqual(session.lines, []);
});

test("the end of the input ends the process with 0, in the middle of a line too", async () => {
  const session = await open();
  session.write('{"jsonrpc":"2.0","id":1,"method":"measure","params":{"messages":[]}}\n{"jsonrpc":"2.0","id":2,');
  assert.equal((await session.next()).id, 1);
  assert.equal(await session.close(), 0);
  assert.deepEqual(session.lines, []);
});
