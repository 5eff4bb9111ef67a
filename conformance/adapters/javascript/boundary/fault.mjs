// The refusals of the spec (section 3.3) and the bounds that are more than one file's affair (section 3.1).

export class ContextError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ContextError";
    this.code = code;
  }
}

export const INPUT = "CONTEXT_INVALID_INPUT";
export const TRANSCRIPT = "CONTEXT_INVALID_TRANSCRIPT";
export const LIMIT = "CONTEXT_LIMIT_EXCEEDED";
export const BUDGET = "CONTEXT_INVALID_BUDGET";
export const INSUFFICIENT = "CONTEXT_SUMMARY_INSUFFICIENT";
export const SUMMARY = "CONTEXT_SUMMARY_INVALID";
export const FAILED = "CONTEXT_SUMMARIZER_FAILED";

export const MAX_STRING_CODE_POINTS = 65_536;
export const MAX_UNITS = 1_000_000;
export const MAX_MESSAGES = 4_096;

/** Refuses with this code unless the condition holds. */
export function demand(condition, code, message) {
  if (!condition) throw new ContextError(code, message);
}
