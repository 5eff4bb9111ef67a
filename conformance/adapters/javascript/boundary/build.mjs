// From a JSON value to a context (BUILD, LIMIT): copied, frozen, without unknown fields; or the first fault in reading
// order. Records are read in record.mjs; whether calls and results link is asked of diagnose.mjs.
import { diagnose } from "./diagnose.mjs";
import { demand, INPUT, LIMIT, SUMMARY, TRANSCRIPT } from "./fault.mjs";
import { MAX_MESSAGES, MAX_STRING_CODE_POINTS, MAX_UNITS } from "./fault.mjs";
import { readRecords } from "./record.mjs";
import { codePoints, isBlank } from "./text.mjs";
import { contextUnits } from "./units.mjs";
import { freeze, get, isObject } from "./value.mjs";

const MAX_ITEMS = 16_384;
const MAX_ALL_CODE_POINTS = 1_000_000;
const MAX_REQUIREMENTS = 128;
const MAX_DEPTH = 32;

/** The running totals of one context, and how a string and an array are judged against them. */
export class Totals {
  items = 0;
  codePoints = 0;

  addItems(count) {
    this.items += count;
    demand(this.items <= MAX_ITEMS, LIMIT, `more than ${MAX_ITEMS} collection items`);
  }

  /** Steps 2 and 3 of B-BUILD-4. */
  addText(text, what) {
    const count = codePoints(text);
    demand(count <= MAX_STRING_CODE_POINTS, LIMIT, `${what} has ${count} code points`);
    this.codePoints += count;
    demand(this.codePoints <= MAX_ALL_CODE_POINTS, LIMIT, `more than ${MAX_ALL_CODE_POINTS} code points of text`);
    return text;
  }

  /** B-BUILD-4, blank or not. */
  text(value, what, code) {
    demand(typeof value === "string", code, `${what} is no string`);
    return this.addText(value, what);
  }

  /** B-BUILD-4, where blank is not allowed. */
  name(value, what, code) {
    demand(!isBlank(this.text(value, what, code)), code, `${what} is blank`);
    return value;
  }

  /** Steps 1 to 3 of B-BUILD-3. */
  array(value, what, limit, code) {
    demand(Array.isArray(value), code, `${what} is no array`);
    demand(value.length <= limit, LIMIT, `${what} has ${value.length} members`);
    this.addItems(value.length);
    return value;
  }
}

export function buildContext(value) {
  const totals = new Totals();
  demand(isObject(value), INPUT, "the context is no object");
  const context = {
    requirements: readRequirements(get(value, "requirements"), totals),
    summary: readSummary(get(value, "summary") ?? null, totals),
    messages: readMessages(get(value, "messages"), totals),
    compactions: readRecords(get(value, "compactions"), totals),
  };
  const units = contextUnits(context);
  demand(units <= MAX_UNITS, LIMIT, `the context costs ${units} units`);
  return freeze(context);
}

/** Messages without a context: the same rules, but no ceiling on the estimate (B-ROUND-4). */
export function buildMessages(value) {
  return readMessages(value === undefined ? null : value, new Totals());
}

function readRequirements(value, totals) {
  if (value === undefined) return [];
  const seen = new Set();
  return totals.array(value, "requirements", MAX_REQUIREMENTS, INPUT).map((entry) => {
    demand(isObject(entry), INPUT, "a requirement is no object");
    const id = totals.name(get(entry, "id"), "the id of a requirement", INPUT);
    const content = totals.name(get(entry, "content"), "the content of a requirement", INPUT);
    demand(!seen.has(id), INPUT, "two requirements have one id");
    seen.add(id);
    return { id, content };
  });
}

function readSummary(value, totals) {
  if (value === null) return null;
  demand(isObject(value), INPUT, "the summary is no object");
  const id = totals.name(get(value, "id"), "the id of the summary", INPUT);
  const content = totals.text(get(value, "content"), "the content of the summary", INPUT);
  demand(!isBlank(content), SUMMARY, "the content of the summary is blank");
  return { id, content };
}

function readMessages(value, totals) {
  if (value === undefined) return [];
  const messages = totals.array(value, "messages", MAX_MESSAGES, TRANSCRIPT).map((entry) => readMessage(entry, totals));
  const [first] = diagnose(messages);
  demand(first === undefined, TRANSCRIPT, `${first?.[0]} at message ${first?.[1]}`);
  return messages;
}

function readMessage(entry, totals) {
  demand(isObject(entry), TRANSCRIPT, "a message is no object");
  const role = get(entry, "role");
  demand(role !== undefined, TRANSCRIPT, "a message has no role");
  const name = (key) => totals.name(get(entry, key), `the ${key} of a message`, TRANSCRIPT);
  const text = (key) => totals.text(get(entry, key), `the ${key} of a message`, TRANSCRIPT);
  const id = name("id");
  if (role === "user") return { id, role, content: text("content") };
  if (role === "assistant") {
    const blocks = totals.array(get(entry, "content"), "the content of a message", MAX_ITEMS, TRANSCRIPT);
    return { id, role, content: blocks.map((block) => readBlock(block, totals)) };
  }
  demand(role === "toolResult", TRANSCRIPT, "the role of a message is unknown");
  const result = { id, role, toolCallId: name("toolCallId"), toolName: name("toolName"), content: text("content") };
  const isError = get(entry, "isError");
  demand(typeof isError === "boolean", TRANSCRIPT, "the isError of a result is no boolean");
  return { ...result, isError };
}

function readBlock(block, totals) {
  demand(isObject(block), TRANSCRIPT, "a block is no object");
  const type = get(block, "type");
  if (type === "text") return { type, text: totals.text(get(block, "text"), "the text of a block", TRANSCRIPT) };
  demand(type === "toolCall", TRANSCRIPT, "the type of a block is unknown");
  const id = totals.name(get(block, "id"), "the id of a call", TRANSCRIPT);
  const name = totals.name(get(block, "name"), "the name of a call", TRANSCRIPT);
  const given = get(block, "arguments");
  demand(isObject(given), TRANSCRIPT, "the arguments of a call are no object");
  return { type, id, name, arguments: readValue(given, 0, totals) };
}

/** A value inside arguments. The limit on depth comes first, so this never calls itself more than 33 deep. */
function readValue(value, depth, totals) {
  demand(depth <= MAX_DEPTH, LIMIT, `arguments are deeper than ${MAX_DEPTH}`);
  if (typeof value === "string") return totals.addText(value, "a string of arguments");
  if (typeof value === "number") demand(Number.isFinite(value), TRANSCRIPT, "a number of arguments is not finite");
  if (Array.isArray(value)) {
    totals.array(value, "an array of arguments", MAX_ITEMS, TRANSCRIPT);
    return value.map((member) => readValue(member, depth + 1, totals));
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value); // in own-key order, as B-JSON-3 asks
  totals.addItems(keys.length);
  const copy = Object.create(null); // so that `__proto__` is a key like any other
  for (const key of keys) copy[totals.addText(key, "a key of arguments")] = readValue(value[key], depth + 1, totals);
  return copy;
}
