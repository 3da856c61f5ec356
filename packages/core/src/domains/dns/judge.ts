import type { RecordStatus } from "../../model/domain-records.ts";

/** What was found in place of one record. */
export interface Judgement {
  status: RecordStatus;
  found: string[];
  /** What to do about it, in one sentence; null when the record is valid. */
  hint: string | null;
}

/** The record is there, or its like. */
export const valid = (found: string[]): Judgement => ({ status: "valid", found, hint: null });
/** There is nothing of ours. */
export const missing = (hint: string, found: string[] = []): Judgement => ({
  status: "missing",
  found,
  hint,
});
/** There is a record that says something else. */
export const invalid = (hint: string, found: string[]): Judgement => ({ status: "invalid", found, hint });

/** What was published with the quotation marks that zone files have. */
export const isQuoted = (text: string): boolean => /^\s*\\?"/.test(text);

const MAX_SHOWN_CHARS = 200;

/** A stranger's text within a sentence: one line, at most 200 characters. */
export function shown(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}
