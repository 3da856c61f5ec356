import { CANARY_PREFIX, isChecked, WORD_CHARS } from "../catalogue/letter-words.ts";

/** Looks ahead, so that a word is found at every position, also where another seems to begin before it. */
const WORD = new RegExp(`(?=(${CANARY_PREFIX}[a-z2-7]{${WORD_CHARS}}))`, "gi");
const MAX_WORDS = 1_000;

/** What has the form of a canary in texts and bytes, each once, in lower case; at most 1,000. */
export function canaryWordsIn(texts: readonly (string | Uint8Array)[]): string[] {
  const words = new Set<string>();
  for (const each of texts) {
    for (const found of textOf(each).matchAll(WORD)) {
      const lower = String(found[1]).toLowerCase();
      if (isChecked(lower.slice(CANARY_PREFIX.length))) words.add(lower);
      if (words.size === MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** Bytes with each as a character; nothing where they can't hold a word. */
function textOf(each: string | Uint8Array): string {
  if (typeof each === "string") return each;
  const bytes = Buffer.from(each.buffer, each.byteOffset, each.byteLength);
  const may = bytes.includes(CANARY_PREFIX) || bytes.includes(CANARY_PREFIX.toUpperCase());
  return may ? bytes.toString("latin1") : "";
}
