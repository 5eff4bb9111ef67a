// What a JSON value is. Objects are asked for their own keys only, for a key may be called `constructor`.

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a key, or undefined where it is absent. JSON has no undefined. */
export const get = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

export const isPlainText = (value) => typeof value === "string" && value.trim() !== "";

/** Freezes an object and all that it holds. Only for what was built here: it walks the whole of it. */
export function freeze(value) {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) open.push(member);
  }
  return value;
}
