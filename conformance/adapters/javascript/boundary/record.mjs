// Reading the records of earlier compactions (B-BUILD-8, B-BUILD-9).
import { demand, INPUT } from "./fault.mjs";
import { get, isObject } from "./value.mjs";

const MAX_RECORDS = 256;
const MAX_RECORD_IDS = 4_096;

export function readRecords(value, totals) {
  if (value === undefined) return [];
  const seen = new Set();
  return totals.array(value, "compactions", MAX_RECORDS, INPUT).map((entry) => {
    const record = readRecord(entry, totals);
    demand(!seen.has(record.id), INPUT, "two records have one id");
    seen.add(record.id);
    return record;
  });
}

function readRecord(entry, totals) {
  demand(isObject(entry), INPUT, "a record is no object");
  const name = (key) => totals.name(get(entry, key), `the ${key} of a record`, INPUT);
  const integer = (key, least) => {
    const value = get(entry, key);
    demand(Number.isSafeInteger(value) && value >= least, INPUT, `the ${key} of a record is no integer from ${least}`);
    return value;
  };
  const [id, summaryId] = [name("id"), name("summaryId")];
  const boundary = integer("boundary", 1);
  const [unitsBefore, unitsAfter] = [integer("unitsBefore", 0), integer("unitsAfter", 0)];
  const ids = totals.array(get(entry, "compactedMessageIds"), "the list of ids of a record", MAX_RECORD_IDS, INPUT);
  demand(ids.length === boundary, INPUT, "a record does not list as many ids as its boundary says");
  const compactedMessageIds = ids.map((member) => totals.name(member, "an id in a record", INPUT));
  return { id, summaryId, boundary, compactedMessageIds, unitsBefore, unitsAfter };
}
