// What is wrong with a transcript (LINK). Never fails, knows no limits, and does not recurse into what it is given.
import { get, isObject, isPlainText } from "./value.mjs";

/** A list of [code, index]; empty for a valid transcript. */
export function diagnose(messages) {
  if (!Array.isArray(messages)) return [["INVALID_TRANSCRIPT", -1]];
  const seen = new Links();
  messages.forEach((message, index) => readMessage(message, index, seen));
  return [...seen.reports, ...judgeResults(seen), ...missingResults(seen)];
}

/** Calls and results by call id, as far as they are met, and the reports made while reading. */
class Links {
  reports = [];
  calls = []; // sound ones, in their order
  callsOf = new Map();
  resultsOf = new Map(); // valid ones; its order is that of each id's first
  malformedCalls = new Set();
  malformedResults = new Set();

  report(code, index) {
    this.reports.push([code, index]);
  }

  add(map, id, entry, duplicate) {
    const earlier = map.get(id);
    if (earlier === undefined) return map.set(id, [entry]);
    this.report(duplicate, entry.index);
    return earlier.push(entry);
  }
}

function readMessage(message, index, seen) {
  const role = isObject(message) ? get(message, "role") : undefined;
  const isReadable = ["user", "assistant", "toolResult"].includes(role) && isPlainText(get(message, "id"));
  if (!isReadable) return seen.report("INVALID_MESSAGE", index);
  if (role === "toolResult") return readResult(message, index, seen);
  const content = get(message, "content");
  const isShaped = role === "user" ? typeof content === "string" : Array.isArray(content);
  if (!isShaped) return seen.report("INVALID_MESSAGE", index);
  if (role === "assistant") content.forEach((block) => readBlock(block, index, seen));
}

function readBlock(block, index, seen) {
  const type = isObject(block) ? get(block, "type") : undefined;
  if (type === "toolCall") return readCall(block, index, seen);
  if (type !== "text" || typeof get(block, "text") !== "string") seen.report("INVALID_MESSAGE", index);
}

function readCall(block, index, seen) {
  const [id, name, given] = [get(block, "id"), get(block, "name"), get(block, "arguments")];
  const before = seen.reports.length;
  if (!isPlainText(id)) seen.report("INVALID_MESSAGE", index);
  if (!isPlainText(name)) seen.report("EMPTY_TOOL_NAME", index);
  if (!isObject(given) || !isFiniteThroughout(given)) seen.report("INVALID_TOOL_ARGUMENTS", index);
  if (seen.reports.length > before) return isPlainText(id) && seen.malformedCalls.add(id);
  const call = { id, name, index };
  seen.calls.push(call);
  return seen.add(seen.callsOf, id, call, "DUPLICATE_TOOL_CALL_ID");
}

function readResult(message, index, seen) {
  const [id, name] = [get(message, "toolCallId"), get(message, "toolName")];
  const before = seen.reports.length;
  if (!isPlainText(id)) seen.report("INVALID_MESSAGE", index);
  if (!isPlainText(name)) seen.report("EMPTY_TOOL_NAME", index);
  if (typeof get(message, "content") !== "string") seen.report("INVALID_MESSAGE", index);
  if (typeof get(message, "isError") !== "boolean") seen.report("INVALID_MESSAGE", index);
  if (seen.reports.length > before) return isPlainText(id) && seen.malformedResults.add(id);
  return seen.add(seen.resultsOf, id, { name, index }, "DUPLICATE_TOOL_RESULT");
}

function isFiniteThroughout(value) {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number" && !Number.isFinite(next)) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const member of Object.values(next)) open.push(member);
  }
  return true;
}

/** B-LINK-5, but where B-LINK-4 or B-LINK-7 says that the pairing is not to be judged. */
function judgeResults({ callsOf, resultsOf, malformedCalls }) {
  const reports = [];
  for (const [id, results] of resultsOf) {
    const [call, second] = callsOf.get(id) ?? [];
    if (second !== undefined || malformedCalls.has(id)) continue;
    for (const { name, index } of results) {
      if (call === undefined) reports.push(["ORPHAN_TOOL_RESULT", index]);
      else if (index <= call.index) reports.push(["TOOL_RESULT_BEFORE_CALL", index]);
      else if (name !== call.name) reports.push(["TOOL_NAME_MISMATCH", index]);
    }
  }
  return reports;
}

/** B-LINK-6. */
function missingResults({ calls, callsOf, resultsOf, malformedCalls, malformedResults }) {
  const isMissing = ({ id, index }) =>
    callsOf.get(id).length === 1 && !malformedCalls.has(id) && !malformedResults.has(id) &&
    !(resultsOf.get(id) ?? []).some((result) => result.index > index);
  return calls.filter(isMissing).map(({ index }) => ["MISSING_TOOL_RESULT", index]);
}
