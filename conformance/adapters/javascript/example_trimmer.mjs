// A correct trimmer in a few lines, at the level `cut`: keeps the newest messages, and rounds whole or not at all.
import { serve } from "./seamcheck_kit.mjs";

const measure = (messages) => messages.reduce((units, message) => units + JSON.stringify(message).length, 0);

/** [call, result] for each pair, by index; a call that waits for its result reaches past the end. */
function spans(messages) {
  const open = new Map();
  const found = [];
  messages.forEach((message, index) => {
    const calls = message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [];
    for (const { id } of calls) open.set(id, [...(open.get(id) ?? []), index]);
    const call = message.role === "toolResult" ? open.get(message.toolCallId)?.pop() : undefined;
    if (call !== undefined) found.push([call, index]);
  });
  return [...found, ...[...open.values()].flat().map((call) => [call, messages.length])];
}

function cut(messages, budget) {
  const pairs = spans(messages);
  const isParted = (start) => pairs.some(([call, result]) => call < start && start <= result);
  let [start, units] = [0, measure(messages)];
  while (start < messages.length && (units > budget || isParted(start))) units -= measure([messages[start++]]);
  return messages.slice(start).map((message, at) => ({ index: start + at, id: message.id, message }));
}

const about = { name: "example-trimmer", version: "1.0.0", levels: ["cut"], capabilities: { keeps: "suffix" } };
serve({ declaration: about, measure, cut });
