import { CANARY_PREFIX, isChecked, WORD_CHARS } from "../catalogue/letter-words.ts";

/** Looks ahead, so that a word is found at every position, also where another seems to begin before it. */
const WORD = new RegExp(`(?=(${CANARY_PREFIX}[a-z2-7]{${WORD_CHARS}}))`, "gi");
const MAX_WORDS = 1_000;

/** Finds words in the form of a canary in texts and bytes: each once, in lower case, at most 1,000. */
export function canaryWordsIn(texts: readonly (string | Uint8Array)[]): string[] {
  const words = new Set<string>();
  for (const each of texts)
    for (const text of textsOf(each))
      for (const found of text.matchAll(WORD)) {
        const lower = String(found[1]).toLowerCase();
        if (isChecked(lower.slice(CANARY_PREFIX.length))) words.add(lower);
        if (words.size === MAX_WORDS) return [...words];
      }
  return [...words];
}

/** Bytes that are read as one text; a large file's would otherwise be in memory once more. */
const WINDOW_BYTES = 524_288;
/** Two windows share so many bytes: a word that one of them cuts is whole in the next. */
const SHARED_BYTES = CANARY_PREFIX.length + WORD_CHARS - 1;

/** Bytes with each as a character, in windows; nothing where they can't hold a word. */
function* textsOf(each: string | Uint8Array): Generator<string> {
  if (typeof each === "string") return yield each;
  const bytes = Buffer.from(each.buffer, each.byteOffset, each.byteLength);
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES - SHARED_BYTES) {
    const window = bytes.subarray(at, at + WINDOW_BYTES);
    if (window.includes(CANARY_PREFIX) || window.includes(CANARY_PREFIX.toUpperCase()))
      yield window.toString("latin1");
  }
}
