// The operation (COMPACT, SUMMARY, STATE). Contexts are frozen all through, so the request may share what they hold.
import { buildContext } from "./build.mjs";
import { cancelled, settle } from "./deferred.mjs";
import { diagnose } from "./diagnose.mjs";
import { ContextError, demand, MAX_STRING_CODE_POINTS } from "./fault.mjs";
import { FAILED, INPUT, INSUFFICIENT, LIMIT, SUMMARY, TRANSCRIPT } from "./fault.mjs";
import { readCompactOptions } from "./options.mjs";
import { selectBoundary } from "./select.mjs";
import { codePoints, isBlank } from "./text.mjs";
import { contextUnits, summaryUnits } from "./units.mjs";
import { freeze } from "./value.mjs";

/** `context` is one that was built. Gives {status, context, record}; fails with a ContextError. */
export async function compact(context, givenOptions, summarizer, signal = new AbortController().signal) {
  const options = readCompactOptions(givenOptions);
  const unitsBefore = contextUnits(context);
  if (unitsBefore <= options.maxUnits) return { status: "unchanged", context, record: null };
  if (signal.aborted) throw cancelled();
  const isRecorded = context.compactions.some(({ id }) => id === options.recordId);
  demand(!isRecorded, INPUT, "a record has the recordId already");
  const boundary = selectBoundary(context, options);
  demand(boundary !== null, "CONTEXT_BOUNDARY_UNAVAILABLE", "no safe boundary meets the budget");
  const content = await settle(call(summarizer, requestOf(context, boundary, options), signal), signal);
  const summary = { id: options.summaryId, content: accept(content, options) };
  const after = assemble(context, boundary, summary, unitsBefore, options);
  if (signal.aborted) throw cancelled();
  return { status: "compacted", context: after, record: after.compactions.at(-1) };
}

function requestOf(context, boundary, { summaryMaxUnits: maxSummaryUnits }) {
  const { requirements, summary: previousSummary } = context;
  const messages = context.messages.slice(0, boundary);
  return freeze({ requirements, previousSummary, messages, boundary, maxSummaryUnits });
}

/** A throw of the call itself fails whatever the signal says (B-CANCEL-3), and whatever it threw (B-SUMMARY-5). */
function call(summarizer, request, signal) {
  try {
    return summarizer(request, signal);
  } catch {
    throw new ContextError(FAILED, "the summarizer failed");
  }
}

function accept(text, { summaryId, summaryMaxUnits }) {
  demand(typeof text === "string", SUMMARY, "the summarizer gave no text");
  const count = codePoints(text);
  demand(count <= MAX_STRING_CODE_POINTS, LIMIT, `the summary has ${count} code points`);
  demand(!isBlank(text), INSUFFICIENT, "the summary is blank");
  const units = summaryUnits({ id: summaryId, content: text });
  demand(units <= summaryMaxUnits, INSUFFICIENT, `the summary costs ${units} units of ${summaryMaxUnits}`);
  return text;
}

/** B-COMPACT-9. The order of these checks is what a caller sees. */
function assemble(context, boundary, summary, unitsBefore, { recordId, targetUnits }) {
  const messages = context.messages.slice(boundary);
  demand(diagnose(messages).length === 0, TRANSCRIPT, "what is kept is no valid transcript");
  const unrecorded = buildContext({ ...context, summary, messages });
  const unitsAfter = contextUnits(unrecorded);
  demand(unitsAfter <= targetUnits, INSUFFICIENT, `the new context costs ${unitsAfter} units of ${targetUnits}`);
  const compactedMessageIds = context.messages.slice(0, boundary).map(({ id }) => id);
  const record = { id: recordId, summaryId: summary.id, boundary, compactedMessageIds, unitsBefore, unitsAfter };
  return buildContext({ ...unrecorded, compactions: [...unrecorded.compactions, record] });
}
