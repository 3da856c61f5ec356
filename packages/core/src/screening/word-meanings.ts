import { foldText } from "./fold.ts";
import type { Word } from "./words.ts";

/** Meaning → the words that carry it, parted by blanks; `stem*` stands for every ending of at least three letters' stem. */
export type Lexicon<Meaning extends string> = Record<Meaning, string>;

/** Meanings that no lexicon lists, since how a word is written tells them: the start of a mail address, a number to pay to. */
export type WrittenMeaning = "address" | "payee";

/** Says which meanings a word carries, by number. The numbers are what {@link MeaningIndex.idOf} gives. */
export interface MeaningIndex {
  idOf(meaning: string): number;
  meaningsOf(word: Word): readonly number[];
}

/** The part of a word that finds its stems. */
const STEM_KEY_CHARS = 3;

/** Makes an index of a lexicon. A look-up costs the same for every word. */
export function meaningIndex<Meaning extends string>(lexicon: Lexicon<Meaning>): MeaningIndex {
  const names: string[] = [...Object.keys(lexicon), "address", "payee"];
  const idOf = (meaning: string): number => {
    const id = names.indexOf(meaning);
    if (id < 0) throw new Error(`No meaning is called ${meaning}`);
    return id;
  };
  const exact = new Map<string, number[]>();
  const stems = new Map<string, Array<{ stem: string; id: number }>>();
  for (const [meaning, list] of Object.entries<string>(lexicon)) {
    const id = idOf(meaning);
    for (const entry of new Set(foldText(list).split(/\s+/u))) {
      const stem = entry.endsWith("*") ? entry.slice(0, -1) : null;
      if (stem === null) exact.set(entry, [...(exact.get(entry) ?? []), id]);
      else stems.set(stem.slice(0, STEM_KEY_CHARS), [...(stems.get(stem.slice(0, STEM_KEY_CHARS)) ?? []), { stem, id }]);
    }
  }
  const meaningsOf = (word: Word): readonly number[] => {
    const text = exact.has(word.text) ? word.text : plainWriting(word.text);
    const listed = exact.get(text) ?? [];
    const inflected = stems.get(text.slice(0, STEM_KEY_CHARS))?.filter(({ stem }) => text.startsWith(stem)) ?? [];
    const written = writtenMeaning(word);
    if (inflected.length === 0 && written === null) return listed;
    return [...listed, ...inflected.map(({ id }) => id), ...(written === null ? [] : [idOf(written)])];
  };
  return { idOf, meaningsOf };
}

function writtenMeaning(word: Word): WrittenMeaning | null {
  if (word.address) return "address";
  if (word.text.length < SHORTEST_PAYEE) return null;
  if (/^(?:[a-z]{2}\d{10,30}|0x[0-9a-f]{20,40}|bc1[a-z0-9]{20,40})$/u.test(word.text)) return "payee";
  return null;
}

/** Two letters and ten digits. */
const SHORTEST_PAYEE = 12;

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

/** Words whose misspelling is read as the word: models do so too. */
const WATCHED = ["instructions", "instruction", "previous", "disregard", "override", "ignore"];
const SHORTEST_WATCHED = 6;
const SLIPS = new Map(WATCHED.flatMap((word) => withoutOneLetter(word).map((slip) => [slip, word] as const)));
const WATCHED_STARTS = new Set(WATCHED.map((word) => word[0]));

/** A word with digits turned into the letters they stand for ("1gn0re"), and one slip of typing undone in the watched words. */
function plainWriting(text: string): string {
  if (text.length < SHORTEST_WATCHED) return text;
  const lettered =
    /\d/u.test(text) && /[a-z]/u.test(text) ? text.replace(/[0134578]/gu, (digit) => DIGIT_LETTERS[digit] ?? digit) : text;
  return SLIPS.get(lettered) ?? withoutSlip(lettered) ?? lettered;
}

function withoutSlip(text: string): string | undefined {
  if (text.length < 8 || text.length > 13 || !WATCHED_STARTS.has(text[0])) return undefined;
  for (const shorter of withoutOneLetter(text)) {
    if (WATCHED.includes(shorter)) return shorter;
    const swapped = SLIPS.get(shorter);
    if (swapped?.length === text.length) return swapped;
  }
  return undefined;
}

function withoutOneLetter(word: string): string[] {
  return Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)).filter((slip) => slip.length >= SHORTEST_WATCHED);
}
