import { MAX_PREVIEW_CHARS } from "./limits.ts";

const LOOKED_AT = 4 * MAX_PREVIEW_CHARS;

/** The beginning of a mail on one line: at most 200 characters, no control or invisible characters, "…" where it was cut. */
export function previewOf(extracted_text: string): string {
  const head = extracted_text.slice(0, LOOKED_AT);
  const line = head.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, (run) => (/[\s\p{Zl}\p{Zp}]/u.test(run) ? " " : "")).trim();
  const whole = head.length === extracted_text.length && line.length <= MAX_PREVIEW_CHARS;
  if (whole) return line;
  let cut = line.slice(0, MAX_PREVIEW_CHARS - 1);
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}
