import { inAllLanguages } from "./words/index.ts";

/** Subjects are no longer when they are read; the limit holds for what callers bring. */
const MAX_CHARS = 998;

const REPLY = prefixes(inAllLanguages("reply_prefixes"));
const FORWARD = prefixes(inAllLanguages("forward_prefixes"));
const AUTOMATIC = [...new Set(inAllLanguages("automatic_subjects").map(folded))];

/** The subject without the prefixes of replies before it, in whatever language and however many: "AW: RE[2]: x". */
export const withoutReplyPrefixes = (subject: string): string => subject.replace(REPLY, "").trim();

/** The same without prefixes of forwards: "WG: Fwd: x". */
export const withoutForwardPrefixes = (subject: string): string => subject.replace(FORWARD, "").trim();

/**
 * Whether a subject begins or ends with the words of an automatic reply, in any of the languages that are known. People
 * write such subjects too, so it proves nothing by itself.
 */
export function isAutomaticSubject(subject: string): boolean {
  const words = folded(withoutReplyPrefixes(subject.slice(0, MAX_CHARS))).replace(
    /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu,
    "",
  );
  return AUTOMATIC.some(
    (phrase) =>
      (words.startsWith(phrase) && !isWordAt(words, phrase.length)) ||
      (words.endsWith(phrase) && !isWordAt(words, words.length - phrase.length - 1)),
  );
}

/** Prefixes, each with its colon, perhaps a full stop or a number before that ("Re[2]:", "Re^3:", "AW(2):"). */
function prefixes(words: readonly string[]): RegExp {
  const longest_first = [...new Set(words)].toSorted((a, b) => b.length - a.length).map(escaped);
  const number = String.raw`(?:[\[(^*]\d{1,3}[\])]?)?`;
  return new RegExp(
    String.raw`^(?:\s{0,9}(?:${longest_first.join("|")})\.?\s{0,3}${number}\s{0,3}[:：])+`,
    "iu",
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** One form of letters: no accents, small (through capitals, which have one ß and one sigma), with plain apostrophes and hyphens. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[‐‑–—]/g, "-")
    .replace(/\s+/g, " ");
}

/** Whether a letter or digit of a script with spaces between words stands there, so that no word ends before it. */
const isWordAt = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}]$/u.test(text.charAt(at)) &&
  !/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]$/u.test(text.charAt(at));
