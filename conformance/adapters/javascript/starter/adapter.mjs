// An adapter for a trimmer, level `cut`. It runs as it is, but what it certifies is the stand-in below: put your
// library in its place, wherever a comment says REPLACE.
import { Refusal, serve } from "./seamcheck_kit.mjs"; // stays the first import: it moves all prints to standard error
// REPLACE: import * as mylib from "mylib";

/** REPLACE: from the message IR to what your library takes. Refuse what it cannot express; do not drop it. */
function toNative(message) {
  if (!["user", "assistant", "toolResult"].includes(message.role)) throw new Refusal("unsupported");
  return { ...message };
}

/** REPLACE: back again. Repair nothing: what the library changed is what is to be found. */
function fromNative(native) {
  return { ...native };
}

/** REPLACE: the count that your library holds against its budget. Without one, leave `measure` out. */
function count(natives) {
  return natives.reduce((sum, native) => sum + JSON.stringify(native).length, 0);
}

/** REPLACE: the call to be certified. The stand-in keeps everything or nothing, which is safe and useless. */
function trim(natives, budget) {
  return count(natives) <= budget ? natives : [];
}

serve({
  declaration: {
    name: "stand-in", // REPLACE: the name and version of your library, which the certificate shows
    version: "0.0.0",
    levels: ["cut"],
    capabilities: { keeps: "suffix" }, // or "subset", where it leaves gaps
  },
  measure: (messages) => count(messages.map(toNative)),
  cut(messages, budget) {
    const natives = messages.map(toNative);
    const places = new Map(natives.map((native, index) => [native, index]));
    // The place is found by identity. A library that copies its messages is followed by a marker instead: the id.
    const placeOf = (native) => places.get(native) ?? messages.length;
    return trim(natives, budget).map((native) => ({
      index: placeOf(native),
      id: native.id,
      message: fromNative(native),
    }));
  },
});
