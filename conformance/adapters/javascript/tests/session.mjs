// An adapter as a child process, for the tests: lines in, lines out, what it printed, how it ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const WAIT_MS = 10_000;

export class Session {
  lines = [];
  waiting = [];
  errors = "";
  ids = 0;

  /** Runs a file of the folder, or, with `code`, a module that is given as text and imports relative to the folder. */
  constructor(file, code) {
    const argv = code === undefined ? [file] : ["--input-type=module", "-e", code];
    this.child = spawn(process.execPath, argv, { cwd: FOLDER });
    this.ended = once(this.child, "exit");
    let rest = "";
    this.child.stdin.on("error", () => {}); // it may be gone before all is written
    this.child.stderr.on("data", (chunk) => (this.errors += chunk));
    this.child.stdout.setEncoding("utf8").on("data", (chunk) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop();
      for (const line of parts) this.waiting.length > 0 ? this.waiting.shift()(line) : this.lines.push(line);
    });
  }

  static async start(file, code) {
    const session = new Session(file, code);
    session.declared = (await session.call("initialize", { protocolVersions: ["1"], suite: { name: "tests" } })).result;
    return session;
  }

  write(bytes) {
    this.child.stdin.write(bytes);
  }

  send(message) {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  request(method, params) {
    this.send({ id: ++this.ids, method, params });
    return this.ids;
  }

  /** The next line as it is. */
  async line() {
    if (this.lines.length > 0) return this.lines.shift();
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no line; stderr: ${this.errors}`)), WAIT_MS);
    });
    const line = new Promise((resolve) => this.waiting.push(resolve));
    return Promise.race([line, late]).finally(() => clearTimeout(timer));
  }

  async next() {
    return JSON.parse(await this.line());
  }

  /** The answer to a request when nothing else is to come before it. */
  async call(method, params) {
    const id = this.request(method, params);
    const answer = await this.next();
    if (answer.id !== id) throw new Error(`not the answer to ${method}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async build(context) {
    return (await this.call("build", { context })).result.handle;
  }

  /** The exit status, after the input has ended. */
  async close() {
    this.child.stdin.end();
    const [status] = await this.ended;
    return status;
  }
}
