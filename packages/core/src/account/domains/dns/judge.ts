import type { RecordStatus } from "../../../model/domain-records.ts";

/** The verdict on one expected record. */
export interface Judgement {
  status: RecordStatus;
  found: string[];
  /** The remedy, in one sentence; null when the record is valid. */
  hint: string | null;
}

/** The record, or an equivalent one, is there. */
export const valid = (found: string[]): Judgement => ({ status: "valid", found, hint: null });
/** No record of ours is there. */
export const missing = (hint: string, found: string[] = []): Judgement => ({
  status: "missing",
  found,
  hint,
});
/** There is a record that says something else. */
export const invalid = (hint: string, found: string[]): Judgement => ({ status: "invalid", found, hint });

/** Detects text published with the quotation marks of the zone file format. */
export const isQuoted = (text: string): boolean => /^\s*\\?"/.test(text);

const MAX_SHOWN_CHARS = 200;

/** A stranger's text within a sentence: one line, at most 200 characters. */
export function shown(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}
