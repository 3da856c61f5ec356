import { randomBytes } from "node:crypto";

/** Base 32 in lower case (RFC 4648), which no link rewriter or line break changes. */
export const WORD_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Every secret in a letter starts with this. */
export const WORD_PREFIX = "lso";
/** The words in the addresses that take an upload, and that give one file or show one mail. */
export const UPLOAD_PREFIX = "lsu";
export const FILE_LINK_PREFIX = "lsv";
/** The prefixes of words that are struck from inbound mail: secrets of letters, of uploads, of links to one file or mail. */
export const STRUCK_PREFIXES: readonly string[] = [WORD_PREFIX, UPLOAD_PREFIX, FILE_LINK_PREFIX];
/** Characters of a return path after `bounce+`: 19 of the message's id and 10 of a MAC. */
export const RETURN_PATH_CHARS = 29;
/** Characters of a secret after its prefix: 37 random ones (185 bits) and a check character. */
export const WORD_CHARS = 38;
/** Characters of a reply address's id: 25 random ones (125 bits) and a check character. */
export const REPLY_ID_CHARS = 26;
/** The fewest digits of a word, so that no run of ordinary words passes for one. */
export const MIN_DIGITS = 3;

/** The prefix of canaries. They are not struck from inbound mail: one that comes in is known outside. */
export const CANARY_PREFIX = "lsc";

/** A new canary: `lsc` and 38 characters. Only its hash is stored. */
export const newCanaryWord = (): string => CANARY_PREFIX + newChecked(WORD_CHARS);

/** A new word for the address that takes an upload. Only its hash is stored. */
export const newUploadWord = (): string => UPLOAD_PREFIX + newChecked(WORD_CHARS);

/** A new word for the address of one file or one mail. Only its hash is stored. */
export const newFileLinkWord = (): string => FILE_LINK_PREFIX + newChecked(WORD_CHARS);

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

/** The header of outgoing mail that a complaint returns with the mail: only this service can have created it. */
export const REPORT_HEADER = "X-Svc-Report";
/** The header of forwarded mail: which inboxes, here and elsewhere, have forwarded it, so that nothing goes round. */
export const FORWARDED_HEADER = "X-Svc-Forwarded";
/** The name of return paths; reserved, so no inbox can have it. */
export const RETURN_NAME = "bounce";

/**
 * The word in return paths and `X-Svc-Report`: 19 characters of the message's id and 10 of a MAC, in the alphabet of
 * ids. Not anchored, so that a search can use it; compare without regard to case.
 */
export const REPORT_WORD = "[0-9a-hjkmnp-tv-z]{29}";
/** The local part of a return path: `bounce+` and its word, or, in mail of earlier versions, the message's id. */
export const RETURN_LOCAL_PART = String.raw`bounce\+(?:${REPORT_WORD}|msg_[0-9a-hjkmnp-tv-z]{20})`;

/** Whether base 32 characters end with their check character and have the digits that words have. */
export function isChecked(characters: string): boolean {
  return hasDigits(characters) && checkCharacter(characters.slice(0, -1)) === characters.at(-1);
}

const WHOLE_REPORT_WORD = new RegExp(`^${REPORT_WORD}$`);

/** Whether characters in lower case have the form of a return path's word. */
export const isReturnPathId = (characters: string): boolean => WHOLE_REPORT_WORD.test(characters);

function newChecked(length: number): string {
  for (;;) {
    const random = Array.from(randomBytes(length - 1), (byte) => WORD_ALPHABET[byte & 31]).join("");
    const word = random + checkCharacter(random);
    if (hasDigits(word)) return word;
  }
}

const hasDigits = (characters: string): boolean => (characters.match(/[2-7]/g)?.length ?? 0) >= MIN_DIGITS;

/** Returns the check character: the weighted sum of the characters' values, by position, modulo 32. */
function checkCharacter(characters: string): string {
  let sum = 0;
  for (let at = 0; at < characters.length; at += 1)
    sum = (sum + WORD_ALPHABET.indexOf(characters.charAt(at)) * (2 * at + 1)) & 31;
  return WORD_ALPHABET.charAt(sum);
}
