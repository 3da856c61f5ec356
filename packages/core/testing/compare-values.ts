import type { Value } from "../src/ports/storage.ts";

/**
 * Compares values like the databases: null first, numbers and booleans by value, text by UTF-8 bytes
 * (collation C).
 */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

/** UTF-16 order differs from UTF-8 order only between surrogates and characters from U+E000 on. */
function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return utf8Rank(unitA) - utf8Rank(unitB);
  }
  return a.length - b.length;
}

function utf8Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
