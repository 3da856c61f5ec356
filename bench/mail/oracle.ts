import { createIds } from "../../packages/core/src/catalogue/ids.ts";
import { seeded } from "../../test/support/seeded.ts";
import { generateMail } from "./stored-mail.ts";

/** A word, and the Message-IDs of all mails of a store that contain it. */
export interface OracleWord {
  word: string;
  message_ids: Set<string>;
}

/** Words in more mails than this have too many result pages to read. */
const MAX_HITS = 500;
const MIN_LENGTH = 4;
const LETTERS: Record<string, string> = { ß: "ss", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };
const UNSPACED_SCRIPT = /^[\p{Script=Han}\p{Script=Hiragana}]+$/u;
const PLACEHOLDERS = { account_id: "", inbox_id: "", makeId: createIds(() => 0), now: new Date(0) };

/**
 * Picks `count` words from a store's mails and finds the mails that contain them by brute force: each mail is
 * generated again from its number and read in full. Accents don't count; in scripts without spaces a word may
 * occur anywhere.
 */
export function oracleWords(options: { mails: number; seed: number; count: number }): OracleWord[] {
  const { mails, seed, count } = options;
  const random = seeded(seed);
  const wordsOf = (number: number) => {
    const { message } = generateMail({ number, seed, ...PLACEHOLDERS });
    return new Set(fold(`${message.subject}\n${message.extracted_text}`).match(/[\p{L}\p{N}\p{M}]+/gu));
  };
  const chosen = new Map<string, Set<string>>();
  while (chosen.size < count) {
    const words = [...wordsOf(Math.floor(random() * mails))];
    const word = words[Math.floor(random() * words.length)] ?? "";
    if (word.length >= MIN_LENGTH || UNSPACED_SCRIPT.test(word)) chosen.set(word, new Set());
  }
  for (let number = 0; number < mails; number++) {
    const words = wordsOf(number);
    for (const [word, message_ids] of chosen)
      if (contains(words, word)) message_ids.add(`<${number}@example.com>`);
  }
  return [...chosen]
    .map(([word, message_ids]) => ({ word, message_ids }))
    .filter(({ message_ids }) => message_ids.size <= MAX_HITS);
}

function contains(words: ReadonlySet<string>, word: string): boolean {
  if (!UNSPACED_SCRIPT.test(word)) return words.has(word);
  for (const each of words) if (each.includes(word)) return true;
  return false;
}

function fold(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return plain.replace(/[ßøłđıς]/g, (letter) => LETTERS[letter] ?? letter);
}
