/**
 * Invisible characters: zero-width characters, joiners, soft hyphens, bidi marks, variation selectors,
 * fillers, tag characters.
 */
const INVISIBLE =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]|\uDB40[\uDC00-\uDDEF]/g;

/** Folds a text except for the case changes and look-alikes in its words. */
export function plainLetters(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(STROKED, (letter) => PLAIN_FORMS[letter] ?? letter);
}

/** Letters that Unicode doesn't decompose, and their usual replacements. */
const PLAIN_FORMS: Record<string, string> = { ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe" };
const STROKED = /[łøđßæœ]/g;

/** Letters of other scripts, and small capitals, that look like a Latin letter. */
const LOOKALIKES = new Map<string, string>(
  "аa еe оo рp сc уy хx іi ѕs ԁd ԛq ԝw һh јj ӏl ԍg ɡg αa οo ρp νv ιi κk υu τt ɩi ıi ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz вb нh кk мm тt"
    .split(" ")
    .map((pair) => [pair[0] ?? "", pair[1] ?? ""]),
);

/** A Latin letter, in lower case and without accents. */
export const LATIN = /[a-z]/;
/** A letter of a script with Latin look-alikes: Greek, Cyrillic, phonetic letters and small capitals. */
export const FOREIGN = /[\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]/;
/** A change from Latin to another script within a word, or back. */
const LATIN_BY_FOREIGN =
  /[a-z][\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]|[\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731][a-z]/;
const FOREIGN_WORDS = /[a-z\u0131\u0250-\u02AF\u0370-\u03FF\u0400-\u052F\u1D00-\u1D7F\uA730-\uA731]+/g;

/** A letter in the form of a small Latin capital. */
export const SMALL_CAPITALS = /[\u1D00-\u1D7F\u0262\u026A\u0274\u0280\u028F\u0299\u029C\u029F\uA730\uA731]/;

/** Replaces look-alikes by Latin letters in words that also have Latin letters, or small capitals. */
export function latinisedWords(plain: string): string {
  if (!FOREIGN.test(plain) || (!LATIN_BY_FOREIGN.test(plain) && !SMALL_CAPITALS.test(plain))) return plain;
  return plain.replace(FOREIGN_WORDS, (word) =>
    FOREIGN.test(word) && (LATIN.test(word) || SMALL_CAPITALS.test(word)) ? latinised(word) : word,
  );
}

/** Replaces a word's look-alike letters by the Latin letters that they imitate. */
export function latinised(word: string): string {
  let plain = "";
  for (const letter of word) plain += LOOKALIKES.get(letter) ?? letter;
  return plain;
}
