// Reading options (B-SELECT-1, B-SELECT-2, B-COMPACT-2) into an object of our own: their later changes do not count.
import { BUDGET, demand, INPUT, LIMIT, MAX_MESSAGES, MAX_STRING_CODE_POINTS, MAX_UNITS } from "./fault.mjs";
import { codePoints, isBlank } from "./text.mjs";
import { get, isObject } from "./value.mjs";

export function readBoundaryOptions(options) {
  demand(isObject(options), INPUT, "the options are no object");
  const targetUnits = readInteger(options, "targetUnits", 1);
  const summaryMaxUnits = readInteger(options, "summaryMaxUnits", 1);
  const retainRecentMessages = readInteger(options, "retainRecentMessages", 0);
  demand(targetUnits <= MAX_UNITS, BUDGET, `targetUnits is over ${MAX_UNITS}`);
  demand(summaryMaxUnits <= targetUnits, BUDGET, "summaryMaxUnits is over targetUnits");
  demand(retainRecentMessages <= MAX_MESSAGES, BUDGET, `retainRecentMessages is over ${MAX_MESSAGES}`);
  return { targetUnits, summaryMaxUnits, retainRecentMessages };
}

export function readCompactOptions(options) {
  const known = readBoundaryOptions(options);
  const maxUnits = readInteger(options, "maxUnits", 1);
  demand(maxUnits <= MAX_UNITS, BUDGET, `maxUnits is over ${MAX_UNITS}`);
  demand(known.targetUnits <= maxUnits, BUDGET, "targetUnits is over maxUnits");
  const [summaryId, recordId] = [readId(options, "summaryId"), readId(options, "recordId")];
  return { ...known, maxUnits, summaryId, recordId };
}

function readInteger(options, key, least) {
  const value = get(options, key);
  demand(value !== undefined, INPUT, `${key} is absent`);
  demand(Number.isSafeInteger(value) && value >= least, BUDGET, `${key} is no integer from ${least}`);
  return value;
}

function readId(options, key) {
  const value = get(options, key);
  demand(typeof value === "string", INPUT, `${key} is no string`);
  demand(codePoints(value) <= MAX_STRING_CODE_POINTS, LIMIT, `${key} is over ${MAX_STRING_CODE_POINTS} code points`);
  demand(!isBlank(value), INPUT, `${key} is blank`);
  return value;
}
