import { FRAMES, type LetterKind } from "../../catalogue/letter-frames.ts";

/**
 * The kinds of letters whose frames stand in a text, with its entities and encodings decoded. Only letters and digits
 * count, so that quote marks, broken lines, other apostrophes and tags between words change nothing. Linear.
 */
export function framesIn(text: string): Set<LetterKind> {
  const folded = fold(text);
  const found = new Set<LetterKind>();
  for (const { kind, sentences, needed } of FOLDED) {
    if (found.has(kind)) continue;
    let standing = 0;
    for (const sentence of sentences) if (folded.includes(sentence)) standing += 1;
    if (standing >= needed) found.add(kind);
  }
  return found;
}

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const FOLDED = FRAMES.map(({ kind, sentences, needed }) => ({
  kind,
  sentences: sentences.map(fold),
  needed,
}));
