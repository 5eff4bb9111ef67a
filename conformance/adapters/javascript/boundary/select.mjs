// Groups (ROUND) and the boundary (SELECT), over messages that build.mjs has accepted: every call has one later result.
import { messageUnits, requirementUnits } from "./units.mjs";

/** A list of [kind, start, end], end exclusive. */
export function groups(messages) {
  const answeredAt = new Map();
  messages.forEach((message, index) => message.role === "toolResult" && answeredAt.set(message.toolCallId, index));
  const endOf = (index) => {
    const blocks = messages[index].role === "assistant" ? messages[index].content : [];
    const calls = blocks.filter(({ type }) => type === "toolCall");
    return calls.reduce((end, { id }) => Math.max(end, answeredAt.get(id) + 1), index + 1);
  };
  const found = [];
  for (let start = 0, end = 0; start < messages.length; start = end) {
    end = start + 1;
    for (let inside = start; inside < end; inside += 1) end = Math.max(end, endOf(inside));
    found.push([end === start + 1 ? "message" : "toolRound", start, end]);
  }
  return found;
}

/** The earliest end of a group from which on all fits into the target, or null. */
export function selectBoundary({ requirements, messages }, { targetUnits, summaryMaxUnits, retainRecentMessages }) {
  const latest = messages.length - retainRecentMessages;
  const costs = messages.map(messageUnits);
  let units = requirements.reduce((total, requirement) => total + requirementUnits(requirement), summaryMaxUnits);
  units = costs.reduce((total, cost) => total + cost, units);
  for (const [, start, end] of groups(messages)) {
    if (end > latest) return null;
    for (let gone = start; gone < end; gone += 1) units -= costs[gone];
    if (units <= targetUnits) return end;
  }
  return null;
}
