// The estimate (UNIT), over what build.mjs has built. Units are not the tokens of any model.
import { codePoints } from "./text.mjs";

const sum = (list, cost) => list.reduce((total, member) => total + cost(member), 0);

export const requirementUnits = ({ id, content }) => 3 + codePoints(id) + codePoints(content);

export const summaryUnits = ({ id, content }) => 5 + codePoints(id) + codePoints(content);

export function messageUnits(message) {
  const { id, role, content } = message;
  if (role === "user") return 4 + codePoints(id) + codePoints(content);
  if (role === "assistant") return 4 + codePoints(id) + sum(content, blockUnits);
  return 6 + codePoints(id) + codePoints(message.toolCallId) + codePoints(message.toolName) + codePoints(content) + 1;
}

export function contextUnits({ requirements, summary, messages }) {
  const summaries = summary === null ? [] : [summary];
  return sum(requirements, requirementUnits) + sum(summaries, summaryUnits) + sum(messages, messageUnits);
}

function blockUnits(block) {
  if (block.type === "text") return 2 + codePoints(block.text);
  return 6 + codePoints(block.id) + codePoints(block.name) + jsonUnits(block.arguments);
}

/** What was built is at most 33 deep. */
function jsonUnits(value) {
  if (value === null) return 1;
  if (typeof value === "boolean") return value ? 5 : 6;
  if (typeof value === "string") return 1 + codePoints(value);
  if (typeof value === "number") return 1 + String(value).length;
  if (Array.isArray(value)) return 2 + sum(value, (member) => 1 + jsonUnits(member));
  return 2 + sum(Object.keys(value), (key) => 1 + codePoints(key) + jsonUnits(value[key]));
}
