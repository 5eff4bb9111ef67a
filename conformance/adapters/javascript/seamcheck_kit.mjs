// Serves a JavaScript implementation over the fixture protocol, version 1. One file, no dependencies; copy it freely.
// Import it first: from then on, prints go to standard error. What an adapter is, seamcheck_kit.d.mts says.
// Left out: what writes to descriptor 1 past Node's streams, as fs.writeSync(1) and children that inherit it do.
import { isUtf8 } from "node:buffer";

const [MAX_LINE_BYTES, STRAY] = [16 * 1024 * 1024, process.env.SEAMCHECK_STRAY]; // printed, to see where prints go
const METHODS = { // method: its payloads, the field of its result
  __proto__: null, build: [["context"], "handle"], units: [["context"], "units"], groups: [["messages"], "groups"],
  diagnose: [["messages"], "diagnostics"], measure: [["messages"], "units"], cut: [["messages"], "kept"],
  boundary: [["context", "options"], "boundary"], inspect: [[], "context"], compact: [["options"], ""], release: [[]],
};
const write = process.stdout.write.bind(process.stdout);
let [unwritten, flushAt] = ["", 0]; // lines of this tick, which go out together; and from when on each goes out at once
const flush = (done) => void (write(unwritten, done), (unwritten = ""));
process.on("exit", () => flush()); // so that the answers before a crash are known
process.stdout.write = (...print) => process.stderr.write(...print); // in the stream itself: console and others hold it

/** The implementation says no: one of the ten codes of the spec, `not-json`, `unsupported` or `refused`. */
export class Refusal extends Error {
  constructor(code, message = code) {
    Object.assign(super(message), { code });
  }
}
class ProtocolError extends Refusal {} // a fault of the line: no answer of the implementation

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const raise = (failure) => { throw failure; };
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const attempt = (run, fail) => { try { return run(); } catch (error) { return fail(error); } };
const then = (value, next, fail) => (typeof value?.then === "function" ? value.then(next, fail) : next(value));

/** A field of an object of the protocol; `type` is what `typeof` says, or a predicate. */
function field(holder, key, type, absent) {
  const value = Object.hasOwn(holder, key) ? holder[key] : absent;
  if (typeof type === "string" ? typeof value === type : type(value)) return value;
  throw new ProtocolError(-32602, `\`${key}\` is absent or of a wrong type`);
}

function errorOf(error) {
  if (error instanceof ProtocolError) return { code: error.code, message: error.message };
  const { code, message, looks } = error instanceof Refusal ? error : {};
  if (code !== undefined) return { code: -32000, message, data: { code, looks } };
  process.stderr.write(`${error?.stack ?? error}\n`);
  return { code: -32603, message: String(error?.message ?? error) };
}

/** Writes a line by the end of the tick. JSON.stringify escapes lone surrogates; no code unit has over three bytes. */
function send(members) {
  const line = `{"jsonrpc":"2.0",${members}\n`;
  const isTooLong = line.length * 3 > MAX_LINE_BYTES && Buffer.byteLength(line) - 1 > MAX_LINE_BYTES;
  if (isTooLong) throw new Error("a line of the adapter would be longer than 16 MiB");
  if (unwritten === "") process.nextTick(flush);
  unwritten += line;
  if (unwritten.length > 65_536 || performance.now() > flushAt) flush();
}
const answer = (idText, body) => send(`"id":${idText},${JSON.stringify(body).slice(1)}`);

/** A real AbortSignal that counts the looks, `aborted` and `throwIfAborted()`, and may turn on at one of them. */
function countedToken(isOn, atLook) {
  const controller = new AbortController();
  const turn = (isNow = true) => isNow && (token.isOn = true) && controller.abort();
  const token = { signal: controller.signal, isOn: false, looks: 0, turn };
  const look = () => (turn(token.looks++ === atLook), token.isOn);
  const throwIfAborted = () => look() && raise(token.signal.reason);
  Object.defineProperties(token.signal, { aborted: { get: look }, throwIfAborted: { value: throwIfAborted } });
  turn(isOn);
  return token;
}

/** What the summarizer is to do: `act(0)` in its call, or `act(1)` in the promise that has waited for the answer. */
function acting(answer, token, payload) {
  const kind = field(field({ answer }, "answer", isObject), "kind", "string");
  const isCancelling = field(answer, "cancel", "boolean", false);
  const [key, absent] = kind === "text" || kind === "chain" ? ["text"] : ["message", ""];
  const words = field(answer, key, "string", absent);
  const depth = kind === "chain" ? field(answer, "depth", isCount) : 0;
  const value = kind === "value" ? payload(answer, "value") : undefined;
  const say = () => (token.turn(isCancelling), words);
  const nest = (left) => { // the language flattens promises, so that all but the innermost are plain thenables
    if (left < 2) return left === 1 ? Promise.resolve().then(say) : say();
    return { then: (settle) => queueMicrotask(() => settle(nest(left - 1))) };
  };
  const actions = {
    text: say,
    value: () => value,
    throw: () => raise(new Error(say())),
    panic: () => raise(say()), // a string: no Error, no stack, no message
    reject: () => Promise.reject(new Error(say())),
    chain: (waited) => nest(depth - waited),
    unobservable: () => new Proxy(Promise.resolve(words), {}),
    pending: () => new Promise(() => isCancelling && setImmediate(token.turn)), // by then somebody waits
  };
  return field(actions, kind, "function");
}

class Server {
  lines = []; // complete lines that are not yet read; null stands for one that was too long
  held = []; // the pieces of a line that has not ended, and their length
  heldBytes = 0;
  tail = undefined; // a promise, while an answer is to come before the next
  live = new Map(); // handle: live context
  compactions = new Map(); // id of a running compaction: its token
  questions = new Map(); // id of a question: what takes its answer
  count = 0; // of all handles and questions so far
  issue = (live) => this.live.set(`h${++this.count}`, live) && `h${this.count}`;

  constructor(adapter, readJson) {
    const { capabilities, ...about } = adapter.declaration;
    const found = { native: "native" in adapter, measure: "measure" in adapter, rawJson: readJson !== undefined };
    const base = { protocolVersion: "1", language: "JavaScript", profiles: ["boundary"], maxInFlight: 8 };
    this.declaration = { ...base, ...about, capabilities: { ...capabilities, ...found } };
    Object.assign(this, { adapter, readJson: readJson ?? JSON.parse, payload: this.payload.bind(this) });
    process.stdin.on("data", (chunk) => this.feed(chunk)).on("end", () => this.end());
    process.stdout.on("drain", () => this.pump()).on("error", () => process.exit(0)); // an error: the runner is gone
  }

  /** Ends the process once all that was written is out. A runner that does not read is not waited for. */
  end() {
    this.hasEnded = true;
    flush(() => process.exit(0));
    setTimeout(() => process.exit(0), 1000);
  }

  feed(chunk) {
    for (let start = 0, end = 0; start < chunk.length; start = end + 1) {
      end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.heldBytes += piece.length;
      this.held = this.heldBytes > MAX_LINE_BYTES ? [null] : [...this.held, piece];
      if (end === -1) break;
      this.lines.push(this.held.length === 1 ? this.held[0] : Buffer.concat(this.held));
      [this.held, this.heldBytes] = [[], 0];
    }
    this.pump();
  }

  /** Reads lines until none is left, the output is full, or a compaction was woken, which then goes on first. */
  pump() {
    let isWoken = false;
    flushAt = performance.now() + 10;
    while (this.lines.length > 0 && !isWoken && !process.stdout.writableNeedDrain && !this.hasEnded) {
      if (unwritten !== "" && performance.now() > flushAt) flush();
      isWoken = this.read(this.lines.shift());
    }
    if (this.lines.length > 0 && isWoken) setImmediate(() => this.pump());
    process.stdin[this.lines.length > 0 || process.stdout.writableNeedDrain ? "pause" : "resume"]();
  }

  /** Takes one line; true when it woke a compaction. */
  read(line) {
    const refuse = (code, message) => void answer("null", { error: { code, message } });
    if (line === null) return refuse(-32600, "the line is longer than 16 MiB");
    if (!isUtf8(line)) return refuse(-32700, "the line is not UTF-8");
    const text = line.toString();
    const message = attempt(() => JSON.parse(text), (error) => error);
    if (message instanceof Error) return /^[ \t\r]*$/.test(text) ? undefined : refuse(-32700, message.message);
    const { jsonrpc, id, method, params = {} } = isObject(message) ? message : {};
    if (jsonrpc === "2.0" && method === undefined && ("result" in message || "error" in message)) {
      this.questions.get(id)?.(message);
      return this.questions.delete(id);
    }
    const isRequest = typeof method === "string" && (/string|undefined/.test(typeof id) || Number.isSafeInteger(id));
    if (jsonrpc !== "2.0" || !isRequest) return refuse(-32600, "no message of JSON-RPC 2.0, or a batch");
    if (id !== undefined) return this.request(method, params, id, JSON.stringify(id));
    const token = method === "cancel" ? this.compactions.get(params?.compaction) : undefined;
    token?.turn();
    return token !== undefined;
  }

  /** Runs a request at once. What is asynchronous holds back the answers to later requests, but for compactions. */
  request(method, params, id, idText) {
    const fail = (error) => ({ error: errorOf(error) });
    const run = () => this.result(method, field({ params }, "params", isObject), id, idText);
    const finish = (body) => {
      if (this.hasEnded) return;
      attempt(() => answer(idText, body), (error) => answer(idText, fail(error)));
      if (method === "compact") this.compactions.delete(id);
      if (method === "shutdown" && this.isInitialized) this.end();
    };
    const body = attempt(() => then(run(), (result) => ({ result }), fail), fail);
    if (method === "compact" || (this.tail ?? body.then) === undefined) return void then(body, finish);
    const tail = Promise.all([body, this.tail]).then(([body]) => {
      if (this.tail === tail) this.tail = undefined;
      finish(body);
    });
    this.tail = tail;
  }

  result(method, params, id, idText) {
    const isFirst = method === "initialize";
    if (isFirst === (this.isInitialized ?? false)) throw new ProtocolError(-32600, "`initialize` comes first, once");
    const isSpoken = !isFirst || field(params, "protocolVersions", Array.isArray).includes("1");
    if (!isSpoken) throw new ProtocolError(-32602, "this adapter speaks version 1 of the protocol");
    this.isInitialized = true;
    if (isFirst || method === "shutdown") return isFirst ? this.declaration : {};
    const [names, name] = METHODS[method] ?? [];
    const isOffered = method === "release" || (names !== undefined && typeof this.adapter[method] === "function");
    if (!isOffered) throw new ProtocolError(-32601, `no method \`${method}\``);
    const handle = ["inspect", "compact", "release"].includes(method) ? field(params, "handle", "string") : undefined;
    const live = this.live.get(handle);
    if (handle !== undefined && !this.live.has(handle)) throw new Refusal("unknown-handle");
    if (method === "release") return this.live.delete(handle) && {};
    const payloads = names.map((key) => this.payload(params, key));
    if (method === "compact") return this.compact(live, payloads[0], params, id, idText);
    if (method === "inspect") payloads.push(live);
    if (method === "cut") payloads.push(field(params, "budget", isCount));
    if (STRAY) console.log(STRAY);
    const native = method === "inspect" ? this.adapter.native?.(live) : undefined; // JSON leaves undefined members out
    const named = (value, native) => ({ [name]: method === "build" ? this.issue(value) : value, native });
    return then(this.adapter[method](...payloads), (value) => then(native, (native) => named(value, native)));
  }

  payload(holder, key) {
    const value = field(holder, key, (given) => given !== undefined);
    if (!isObject(value) || typeof value.json !== "string" || Object.keys(value).length > 1) return value;
    const refuse = key === "value" ? () => new ProtocolError(-32602, "no JSON") : () => new Refusal("not-json");
    return attempt(() => this.readJson(value.json), () => raise(refuse()));
  }

  async compact(live, options, params, id, idText) {
    const atLook = field(params, "cancelAtLook", isCount, Number.MAX_SAFE_INTEGER);
    const token = countedToken(field(params, "cancelled", "boolean", false), atLook);
    const script = "summarizer" in params ? acting(params.summarizer, token, this.payload) : undefined;
    let breakOff; // for faults of the protocol, which must not pass for a failing summarizer
    const broken = new Promise((_, reject) => (breakOff = (error) => reject(error) ?? raise(error)));
    const summarize = (request) => {
      const question = `s${++this.count}`;
      const head = script === undefined ? `"id":"${question}",` : "";
      const asked = () => `{"compaction":${idText},"request":${JSON.stringify(request) ?? null}}`;
      const isSilent = head === "" && this.declaration.capabilities.summarize === "scripted";
      if (!isSilent) attempt(() => send(`${head}"method":"summarize","params":${asked()}}`), breakOff);
      if (script !== undefined) return script(0);
      const answered = new Promise((resolve) => this.questions.set(question, resolve)).then((message) =>
        "error" in message ? raise(new Error(message.error?.message)) : acting(message.result, token, this.payload)(1));
      return answered.catch((error) => (error instanceof ProtocolError ? breakOff : raise)(error));
    };
    this.compactions.set(id, token);
    try {
      const run = async () => this.adapter.compact(live, options, summarize, token.signal);
      const { status, live: after, record = null } = await Promise.race([run(), broken]);
      const handle = status === "unchanged" && after === live ? params.handle : this.issue(after);
      return { status, handle, record, looks: token.looks };
    } catch (error) {
      throw error instanceof Refusal ? Object.assign(error, { looks: token.looks }) : error;
    }
  }
}

/** Answers until `shutdown`. `readJson(text)` parses raw payloads (it throws: no JSON), and declares `rawJson`. */
export const serve = (adapter, { readJson } = {}) => void new Server(adapter, readJson);
