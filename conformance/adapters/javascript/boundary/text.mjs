// Strings as the spec sees them (B-TEXT-2, B-TEXT-4). A string of JavaScript is already a sequence of code units, and
// `===` compares those, so B-TEXT-1 and B-TEXT-3 need no code.

const isHigh = (unit) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit) => unit >= 0xdc00 && unit <= 0xdfff;

/** The code points: a pair of surrogates counts once, each other code unit too. */
export function codePoints(string) {
  let count = string.length;
  for (let at = 1; at < string.length; at += 1) {
    // A low surrogate is never high itself, so no code unit can be the second of one pair and the first of another.
    if (isLow(string.charCodeAt(at)) && isHigh(string.charCodeAt(at - 1))) count -= 1;
  }
  return count;
}

/** Nothing but white space; the list of the spec is the one that `trim` removes. */
export function isBlank(string) {
  return string.trim() === "";
}
