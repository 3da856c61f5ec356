import type { Fact, Facts } from "./facts.ts";

/** Values that need no quotes: ids and times. */
const PLAIN = /^[a-z]{2,4}_[0-9a-z]{20}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Fields whose value is arbitrary JSON, so that anyone may have chosen the names in it. */
const FREE = new Set(["metadata", "result"]);

/** The context for writing facts: the frames, and whether names may be chosen by anybody. */
interface Writing {
  frames: readonly string[];
  free: boolean;
}

/**
 * Facts as a short text: a line for each, and one for each record of a list. A text stands in quotes on one line,
 * which it can't end, or is one of the `frames`, which follow the lines.
 */
export function textOf(facts: Facts, frames: readonly string[]): string {
  const { next_cursor, ...others } = facts;
  const lines = Object.entries(others).flatMap(([name, fact]) => linesOf(name, fact, frames));
  if (next_cursor !== undefined) lines.push(`More: call again with cursor ${JSON.stringify(next_cursor)}`);
  return [...(lines.length + frames.length === 0 ? ["Nothing."] : lines), ...frames].join("\n");
}

function linesOf(name: string, fact: Fact, frames: readonly string[]): string[] {
  const writing = { frames, free: FREE.has(name) };
  if (isFrame(fact, frames)) return [];
  if (Array.isArray(fact) && fact.length === 0) return ["Nothing found."];
  if (!isRecords(fact)) return [`${nameOf(name, false)}: ${wordsOf(fact, writing)}`];
  return [
    `${name === "data" ? "Found" : nameOf(name, false)}: ${fact.length}`,
    ...fact.map((record) => `- ${fieldsOf(record, writing)}`),
  ];
}

function fieldsOf(facts: Facts, { frames, free }: Writing): string {
  const fields = Object.entries(facts).filter(([, fact]) => !isFrame(fact, frames));
  return fields
    .map(
      ([name, fact]) => `${nameOf(name, free)}: ${wordsOf(fact, { frames, free: free || FREE.has(name) })}`,
    )
    .join(", ");
}

function wordsOf(fact: Fact, writing: Writing): string {
  if (typeof fact === "string") return PLAIN.test(fact) ? fact : JSON.stringify(fact);
  if (typeof fact !== "object" || fact === null) return String(fact);
  if (Array.isArray(fact)) return `[${fact.map((each) => wordsOf(each, writing)).join(", ")}]`;
  return `{${fieldsOf(fact, writing)}}`;
}

/** A field's name, in quotes unless it is one of ours. */
const nameOf = (name: string, free: boolean): string =>
  !free && /^[a-z][a-z0-9_]{0,40}$/.test(name) ? name : JSON.stringify(name);

const isFrame = (fact: Fact, frames: readonly string[]): boolean =>
  typeof fact === "string" && frames.includes(fact);

const isRecords = (fact: Fact): fact is Facts[] =>
  Array.isArray(fact) &&
  fact.length > 0 &&
  fact.every((each) => typeof each === "object" && each !== null && !Array.isArray(each));
