// Waiting for what a summarizer returned (B-SUMMARY-6, B-SUMMARY-7, CANCEL), without `await`: that would flatten
// a chain of thenables before it can be counted, and would run code of a promise that was tampered with.
import { types } from "node:util";
import { ContextError, FAILED } from "./fault.mjs";

const MAX_DEFERRALS = 64;
const { then: nativeThen } = Promise.prototype;

export const cancelled = () => new ContextError("CONTEXT_CANCELLED", "the compaction was cancelled");

/** What the value settles with in the end. Each `signal.aborted` is one look; a cancellation goes before everything. */
export async function settle(value, signal) {
  let outcome = { value };
  for (let depth = 0; ; depth += 1) {
    if (signal.aborted) {
      consume(outcome.value);
      throw cancelled();
    }
    if (outcome.failure !== undefined) throw outcome.failure;
    const observe = observer(outcome.value);
    if (observe === undefined) return outcome.value;
    if (depth === MAX_DEFERRALS) {
      consume(outcome.value);
      throw new ContextError(FAILED, `more than ${MAX_DEFERRALS} deferred values, one in another`);
    }
    outcome = await firstOf(observe, signal);
  }
}

/** How to watch a value: a function of two callbacks; undefined for a value that is not deferred. */
function observer(value) {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  if (types.isPromise(value)) {
    // `then` asks the promise for its constructor. One of its own is foreign code, so it is not asked for anything.
    const isLocked = Object.hasOwn(value, "constructor");
    return isLocked ? refuse : (settled, failed) => Reflect.apply(nativeThen, value, [settled, failed]);
  }
  let then;
  try {
    ({ then } = value);
  } catch {
    return (_, failed) => failed();
  }
  if (typeof then !== "function") return undefined;
  // What has the `then` of a promise and is none can only be a Proxy around one, or a forgery of it.
  return then === nativeThen ? refuse : (settled, failed) => Reflect.apply(then, value, [settled, failed]);
}

function refuse() {
  throw new ContextError("CONTEXT_ASYNC_VALUE_UNOBSERVABLE", "the value of the summarizer cannot be observed");
}

/** The first of: it settles, it fails, it is cancelled. What comes after the first is consumed. */
function firstOf(observe, signal) {
  return new Promise((resolve) => {
    let isDecided = false;
    const decide = (outcome) => {
      if (isDecided) return consume(outcome.value);
      isDecided = true;
      signal.removeEventListener("abort", stop);
      return resolve(outcome);
    };
    const stop = () => decide({ failure: cancelled() });
    signal.addEventListener("abort", stop);
    const fail = () => decide({ failure: new ContextError(FAILED, "the summarizer failed") });
    try {
      observe((value) => decide({ value }), fail);
    } catch (error) {
      if (observe === refuse) decide({ failure: error });
      else fail();
    }
  });
}

/** Lets a value settle unheard, and what it settles with, so that no failure of it stays unhandled in the host. */
function consume(value, depth = 0) {
  if (depth > MAX_DEFERRALS) return;
  try {
    observer(value)?.((next) => consume(next, depth + 1), () => {});
  } catch {
    // Nobody waits for it any more.
  }
}
