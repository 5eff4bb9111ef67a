// How many requests a second the kit answers, against a child that only parses, answers and writes: node bench.mjs
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const KIT = `import { serve } from "./seamcheck_kit.mjs";
serve({ declaration: { name: "bench", version: "1", levels: ["cut"] }, measure: (messages) => messages.length });`;
const ECHO = `let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, params } = JSON.parse(line);
    const answer = { jsonrpc: "2.0", id, result: { units: params.messages?.length } };
    process.stdout.write(JSON.stringify(answer) + "\\n");
  }
});`;
const content = "some words ".repeat(6);
const messages = Array.from({ length: 12 }, (_, at) => ({ id: `m${at}`, role: "user", content }));
const lineOf = (id, method, params) => Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);

/** Requests a second, with so many of them in flight. */
function rate(code, count, inFlight) {
  const argv = ["--input-type=module", "-e", code];
  const stdio = ["pipe", "pipe", "inherit"];
  const child = spawn(process.execPath, argv, { cwd: FOLDER, stdio });
  let [sent, answered, started] = [0, -1, 0];
  const send = (number) => {
    const lines = [];
    for (; number > 0 && sent < count; number -= 1) lines.push(lineOf(++sent, "measure", { messages }));
    if (lines.length > 0) child.stdin.write(Buffer.concat(lines));
  };
  return new Promise((resolve) => {
    child.stdout.on("data", (chunk) => {
      let ended = 0;
      for (const byte of chunk) ended += byte === 10;
      answered += ended;
      if (started === 0) [started] = [performance.now(), send(inFlight)];
      else send(ended);
      if (answered < count) return;
      child.kill();
      resolve(count / ((performance.now() - started) / 1000));
    });
    child.stdin.write(lineOf(0, "initialize", { protocolVersions: ["1"] }));
  });
}

for (const inFlight of [1, 64]) {
  const [kit, echo] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    echo.push(await rate(ECHO, 50_000, inFlight));
    kit.push(await rate(KIT, 50_000, inFlight));
  }
  const [ours, theirs] = [kit, echo].map((rates) => rates.sort((one, other) => one - other)[2]); // the medians
  const [kitRate, echoRate] = [ours.toFixed(0), theirs.toFixed(0)];
  const ratio = (ours / theirs).toFixed(2);
  console.log(`${inFlight} in flight: kit ${kitRate}, echo ${echoRate} requests a second: ${ratio}`);
}
