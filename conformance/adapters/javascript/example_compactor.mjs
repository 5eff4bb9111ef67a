// A correct compactor in a few lines, at the level `compact`; its estimate and its boundary are those of boundary/.
import { Refusal, serve } from "./seamcheck_kit.mjs";
import { selectBoundary } from "./boundary/select.mjs";
import { contextUnits, summaryUnits } from "./boundary/units.mjs";

const refuse = (code) => { throw new Refusal(`CONTEXT_${code}`); };
const attempt = (run) => { try { return run(); } catch { return refuse("SUMMARIZER_FAILED"); } };

const build = ({ requirements = [], summary = null, messages = [], compactions = [] }) =>
  structuredClone({ requirements, summary, messages, compactions });

async function compact(live, { maxUnits, summaryId, recordId, ...budget }, summarize, signal) {
  const unitsBefore = contextUnits(live);
  if (unitsBefore <= maxUnits) return { status: "unchanged", live };
  if (signal.aborted) refuse("CANCELLED");
  if (live.compactions.some(({ id }) => id === recordId)) refuse("INVALID_INPUT");
  const boundary = selectBoundary(live, budget) ?? refuse("BOUNDARY_UNAVAILABLE");
  const [after, { requirements, summary, messages }] = [structuredClone(live), structuredClone(live)]; // share nothing
  const request = { requirements, previousSummary: summary, messages: messages.slice(0, boundary), boundary };
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  const answer = attempt(() => summarize({ ...request, maxSummaryUnits: budget.summaryMaxUnits }));
  const content = await Promise.race([answer, stopped]).catch(() => signal.aborted || refuse("SUMMARIZER_FAILED"));
  if (signal.aborted) refuse("CANCELLED");
  if (typeof content !== "string") refuse("SUMMARY_INVALID");
  if ([...content].length > 65_536) refuse("LIMIT_EXCEEDED");
  after.summary = { id: summaryId, content };
  const isTooLarge = summaryUnits(after.summary) > budget.summaryMaxUnits;
  if (content.trim() === "" || isTooLarge) refuse("SUMMARY_INSUFFICIENT");
  const compactedMessageIds = after.messages.splice(0, boundary).map(({ id }) => id);
  const unitsAfter = contextUnits(after);
  const record = { id: recordId, summaryId, boundary, compactedMessageIds, unitsBefore, unitsAfter };
  after.compactions.push(record);
  if (signal.aborted) refuse("CANCELLED"); // the last look
  return { status: "compacted", live: after, record };
}

const answers = ["text", "value", "throw", "reject", "panic", "pending"];
const capabilities = { answers, cancel: ["at-look", "async"] };
const declaration = { name: "example-compactor", version: "1.0.0", levels: ["compact"], capabilities };
serve({ declaration, build, inspect: (live) => live, compact });
