import { randomBytes } from "node:crypto";

/** Base 32 in lower case (RFC 4648): no sign that a link rewriter or a line break would change. */
export const WORD_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Every secret in a letter starts with this. */
export const WORD_PREFIX = "lso";
/** Characters of a secret after its prefix: 37 random ones (185 bits) and a check character. */
export const WORD_CHARS = 38;
/** Characters of a reply address's id: 25 random ones (125 bits) and a check character. */
export const REPLY_ID_CHARS = 26;
/** Words have at least so many digits, so that no run of ordinary words passes for one. */
export const MIN_DIGITS = 3;

/** A new secret for a letter: `lso` and 38 characters. Only its hash is stored. */
export const newLetterWord = (): string => WORD_PREFIX + newChecked(WORD_CHARS);

/** A new id for a letter's reply address, `r+<id>@MAIL_DOMAIN`. */
export const newReplyId = (): string => newChecked(REPLY_ID_CHARS);

/** The local part of a letter's reply address. */
export const replyLocalPart = (id: string): string => `r+${id}`;

/** The id in a reply address of any domain; undefined for other addresses. */
export function readReplyAddress(address: string): string | undefined {
  const id = /^r\+([a-z2-7]{26})@/.exec(address.trim().toLowerCase())?.[1];
  return id !== undefined && isChecked(id) ? id : undefined;
}

/** Whether base 32 characters end with their check character and hold the digits that words have. */
export function isChecked(characters: string): boolean {
  return hasDigits(characters) && checkCharacter(characters.slice(0, -1)) === characters.at(-1);
}

function newChecked(length: number): string {
  for (;;) {
    const random = Array.from(randomBytes(length - 1), (byte) => WORD_ALPHABET[byte & 31]).join("");
    const word = random + checkCharacter(random);
    if (hasDigits(word)) return word;
  }
}

const hasDigits = (characters: string): boolean => (characters.match(/[2-7]/g)?.length ?? 0) >= MIN_DIGITS;

/** A sum of the characters' values, each with a weight by its position, modulo 32. */
function checkCharacter(characters: string): string {
  let sum = 0;
  for (let at = 0; at < characters.length; at += 1)
    sum = (sum + WORD_ALPHABET.indexOf(characters.charAt(at)) * (2 * at + 1)) & 31;
  return WORD_ALPHABET.charAt(sum);
}
