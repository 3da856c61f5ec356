/**
 * Invisible characters: zero-width characters, joiners, soft hyphens, bidi marks, variation selectors,
 * fillers, tag characters.
 */
const INVISIBLE =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]|\uDB40[\uDC00-\uDDEF]/g;

/** Letters of other scripts, and small capitals, that look like a Latin letter. */
const LOOKALIKES = new Map<string, string>(
  "аa еe оo рp сc уy хx іi ѕs ԁd ԛq ԝw һh јj ӏl ԍg ɡg αa οo ρp νv ιi κk υu τt ɩi ıi ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz вb нh кk мm тt"
    .split(" ")
    .map((pair) => [pair[0] ?? "", pair[1] ?? ""]),
);

const LATIN = /[a-z]/;
const FOREIGN = /[\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]/;
/** Where a word changes from Latin to another script or back. */
const LATIN_BY_FOREIGN =
  /[a-z][\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]|[\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731][a-z]/;
const FOREIGN_WORDS = /[a-z\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]+/g;

/**
 * Text normalised for the word rules: compatibility forms unified, invisible characters and accents removed,
 * lower case, and look-alike letters made Latin in words that also have Latin ones. A case change inside a
 * long word becomes a space. Linear.
 */
export function foldText(text: string): string {
  return foldLetters(splitHumps(text), isAscii(text));
}

/** Whether a text has ASCII characters only; takes a tenth of the time of a pattern. */
export const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** A text with a space at each case change inside its long words; mostly the same text. */
export function splitHumps(text: string): string {
  return HUMP.test(text)
    ? text.replace(HUMPED_WORD, (word) => word.replace(/([a-z])([A-Z])/g, "$1 $2"))
    : text;
}

/** Folds a text as `foldText` does, but for the case changes inside its words. */
export function foldLetters(text: string, is_ascii: boolean): string {
  if (is_ascii) return text.toLowerCase();
  const plain = text
    .replace(INVISIBLE, "")
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(STROKED, (letter) => PLAIN_FORMS[letter] ?? letter);
  if (!FOREIGN.test(plain) || (!LATIN_BY_FOREIGN.test(plain) && !SMALL_CAPITALS.test(plain))) return plain;
  return plain.replace(FOREIGN_WORDS, (word) =>
    FOREIGN.test(word) && (LATIN.test(word) || SMALL_CAPITALS.test(word)) ? latinised(word) : word,
  );
}

/** Letters that Unicode doesn't decompose, and their usual replacements. */
const PLAIN_FORMS: Record<string, string> = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe" };
const STROKED = /[łøđßæœ]/g;

const HUMP = /[a-z][A-Z][a-z]/;
const HUMPED_WORD = /\b[A-Za-z]?[a-z]{2,}(?:[A-Z][a-z]{2,}){2,}\b/g;

const SMALL_CAPITALS = /[\u1D00-\u1D7F\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\uA730\uA731]/;

/** A word with its look-alike letters replaced by the Latin letters they imitate. */
export function latinised(word: string): string {
  let plain = "";
  for (const letter of word) plain += LOOKALIKES.get(letter) ?? letter;
  return plain;
}

/** Whether one word mixes Latin letters with Cyrillic or Greek ones. */
export function mixesScripts(word: string): boolean {
  return /[A-Za-z]/.test(word) && /[\u0370-\u03BB\u03BD-\u03FF\u0400-\u052F]/.test(word);
}

/**
 * How many words of a text mix scripts, counted up to `enough`. A single one is often a formula or a typo.
 */
export function mixedWords(text: string, enough: number): number {
  if (!/[\u0370-\u03FF\u0400-\u052F]/.test(text)) return 0;
  let count = 0;
  for (const [word] of text.matchAll(/[A-Za-z\u0370-\u03FF\u0400-\u052F]{3,}/g)) {
    if (mixesScripts(word)) count += 1;
    if (count >= enough) break;
  }
  return count;
}
