import { decodeHTML } from "../entities.ts";

/** Characters that nobody sees. */
const INVISIBLE =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]/g;
// Gaps are bounded: a pattern that begins with any number of blanks tries them all from each of them.
const BRACKETED_AT = /\s{0,8}[[({<]\s{0,8}(?:at|@)\s{0,8}[\])}>]\s{0,8}/g;
const BRACKETED_DOT = /\s{0,8}[[({<]\s{0,8}(?:dot|\.)\s{0,8}[\])}>]\s{0,8}/g;
const SPELLED = /([\w.+-]{1,64})\s{1,8}at\s{1,8}([\w-]{1,63}(?:\s{1,8}dot\s{1,8}[\w-]{1,63}){1,8})/g;
const SPELLED_DOT = /\s+dot\s+/g;
const APART_AT = /([\w.+-])[ \t]{1,8}@[ \t]{0,8}(?=[\w-])|([\w.+-])@[ \t]{1,8}(?=[\w-])/g;
const APART_DOT =
  /(@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8})[ \t]{0,8}\.[ \t]{1,8}(?=[a-z]{2,})|(@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8})[ \t]{1,8}\.[ \t]{0,8}(?=[a-z])/g;

const DIGITS: Record<string, string> = {
  ...{ zero: "0", oh: "0", one: "1", two: "2", three: "3", four: "4" },
  ...{ five: "5", six: "6", seven: "7", eight: "8", nine: "9" },
};
const WORD = Object.keys(DIGITS).join("|");
const SPOKEN = new RegExp(`\\b(?:${WORD})(?:[\\s,.-]{1,3}(?:${WORD}|\\d)){3,20}\\b`, "g");

/** A text without its entities whose letters are alike however they were written: in full width, apart, in capitals. */
export const foldLetters = (decoded: string): string =>
  decoded.normalize("NFKC").replace(INVISIBLE, "").toLowerCase();

/**
 * Folds a text so that an address or number written in another way reads the same: entities, full width, invisible
 * characters, `[at]`, `(dot)`, ` at ` with ` dot `, blanks around @ and dots, and digits in words.
 */
export function fold(text: string): string {
  const plain = foldLetters(decodeHTML(text));
  return plain
    .replace(BRACKETED_AT, "@")
    .replace(BRACKETED_DOT, ".")
    .replace(
      SPELLED,
      (_, local: string, host: string) => `${local}@${host.replace(SPELLED_DOT, ".").replace(/\s+/g, "")}`,
    )
    .replace(APART_AT, "$1$2@")
    .replace(APART_DOT, "$1$2.")
    .replace(SPOKEN, (words) =>
      words.replace(/[a-z]+/g, (word) => DIGITS[word] ?? word).replace(/[\s,.-]/g, ""),
    );
}
