import { DecodedBase64 } from "../model/base64.ts";

/** Strings are written in slices of this many UTF-16 units. */
const SLICE_CHARS = 64 * 1024;

/** Whether the strings in a JSON value have more than `max` UTF-16 units together. Stops counting there. */
export function isLongJson(value: unknown, max: number): boolean {
  return charsLeft(value, max) < 0;
}

function charsLeft(value: unknown, left: number): number {
  if (typeof value === "string") return left - value.length;
  if (typeof value !== "object" || value === null) return left;
  // `JSON.stringify` knows nothing of its text.
  if (value instanceof DecodedBase64) return -1;
  let rest = left;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    rest = charsLeft(child, rest);
    if (rest < 0) return rest;
  }
  return rest;
}

/**
 * A JSON value as text (RFC 8259), in parts of bounded length, so that a long one can be written over several
 * turns of the event loop. Together they are what `JSON.stringify` returns; with `sorted`, keys are in order.
 */
export function* jsonTexts(value: unknown, { sorted = false } = {}): Generator<string, undefined> {
  if (typeof value === "string") {
    yield '"';
    yield* slicesOf(value);
    yield '"';
    return;
  }
  if (value instanceof DecodedBase64) {
    yield '"';
    yield* value.texts();
    yield '"';
    return;
  }
  if (typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  if (!sorted && !isLongJson(value, SLICE_CHARS)) {
    yield JSON.stringify(value);
    return;
  }
  if (Array.isArray(value)) {
    yield "[";
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ",";
      yield* jsonTexts(item, { sorted });
    }
    yield "]";
    return;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (sorted) fields.sort(([a], [b]) => (a < b ? -1 : 1));
  yield "{";
  for (const [index, [name, field]] of fields.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(name)}:`;
    yield* jsonTexts(field, { sorted });
  }
  yield "}";
}

/** A long string, escaped, in slices that don't split a surrogate pair. */
function* slicesOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + SLICE_CHARS);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
