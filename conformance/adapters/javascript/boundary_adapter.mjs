// Serves boundary/ at the level `exact`, with every kind of answer and both ways to cancel that JavaScript has.
import { Refusal, serve } from "./seamcheck_kit.mjs";
import { createHash } from "node:crypto";
import { buildContext, buildMessages } from "./boundary/build.mjs";
import { compact } from "./boundary/compact.mjs";
import { diagnose } from "./boundary/diagnose.mjs";
import { ContextError } from "./boundary/fault.mjs";
import { readBoundaryOptions } from "./boundary/options.mjs";
import { groups, selectBoundary } from "./boundary/select.mjs";
import { contextUnits } from "./boundary/units.mjs";

const refusal = (error) => (error instanceof ContextError ? new Refusal(error.code, error.message) : error);

/** The same function, with the errors of the implementation as refusals. */
function refusing(operation) {
  return (...given) => {
    try {
      return operation(...given);
    } catch (error) {
      throw refusal(error);
    }
  };
}

/** A digest over every own property of the context and all that it holds, hidden ones and symbols too. */
function native(context) {
  const hash = createHash("sha256");
  const walk = (value) => {
    if (typeof value !== "object" || value === null) return hash.update(`${typeof value} ${JSON.stringify(value)}\n`);
    const keys = Reflect.ownKeys(value);
    hash.update(`${Array.isArray(value)} ${Object.isFrozen(value)} ${keys.length}\n`);
    return keys.forEach((key) => hash.update(`${JSON.stringify(String(key))}\n`) && walk(value[key]));
  };
  walk(context);
  return hash.digest("hex");
}

serve(
  {
    declaration: {
      name: "seamcheck-javascript",
      version: "1.0.0",
      levels: ["compact", "exact"],
      capabilities: {
        answers: ["text", "value", "throw", "reject", "panic", "chain", "unobservable", "pending"],
        cancel: ["at-look", "async"],
      },
    },
    build: refusing(buildContext),
    inspect: (context) => context,
    native,
    units: refusing((context) => contextUnits(buildContext(context))),
    groups: refusing((messages) => groups(buildMessages(messages))),
    diagnose,
    boundary: refusing((context, options) => selectBoundary(buildContext(context), readBoundaryOptions(options))),
    compact: async (live, options, summarize, signal) => {
      const outcome = await compact(live, options, summarize, signal).catch((error) => Promise.reject(refusal(error)));
      return { status: outcome.status, live: outcome.context, record: outcome.record };
    },
  },
  { readJson: JSON.parse },
);
