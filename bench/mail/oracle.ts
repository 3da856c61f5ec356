import { createIds } from "../../packages/core/src/catalogue/ids.ts";
import { seeded } from "../../test/support/seeded.ts";
import { storedMail } from "./stored-mail.ts";

/** A word, and the Message-IDs of all mails of a store that hold it. */
export interface OracleWord {
  word: string;
  message_ids: Set<string>;
}

/** Words in more mails than this take too many pages to be read whole. */
const hitsAtMost = 500;
const shortest = 4;
const letters: Record<string, string> = { ß: "ss", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };
const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}]+$/u;
const placeholders = { account_id: "", inbox_id: "", makeId: createIds(() => 0), now: new Date(0) };

/**
 * Chooses so many words from a store's mails and finds by brute force who holds them: each mail is made again
 * from its number and read whole. A word counts without its accents; in scripts without spaces it may stand
 * anywhere.
 */
export function oracleWords(options: { mails: number; seed: number; count: number }): OracleWord[] {
  const { mails, seed, count } = options;
  const random = seeded(seed);
  const wordsOf = (number: number) => {
    const { message } = storedMail({ number, seed, ...placeholders });
    return new Set(fold(`${message.subject}\n${message.extracted_text}`).match(/[\p{L}\p{N}\p{M}]+/gu));
  };
  const chosen = new Map<string, Set<string>>();
  while (chosen.size < count) {
    const words = [...wordsOf(Math.floor(random() * mails))];
    const word = words[Math.floor(random() * words.length)] ?? "";
    if (word.length >= shortest || spaceless.test(word)) chosen.set(word, new Set());
  }
  for (let number = 0; number < mails; number++) {
    const words = wordsOf(number);
    for (const [word, message_ids] of chosen)
      if (holds(words, word)) message_ids.add(`<${number}@example.com>`);
  }
  return [...chosen]
    .map(([word, message_ids]) => ({ word, message_ids }))
    .filter(({ message_ids }) => message_ids.size <= hitsAtMost);
}

function holds(words: ReadonlySet<string>, word: string): boolean {
  if (!spaceless.test(word)) return words.has(word);
  for (const each of words) if (each.includes(word)) return true;
  return false;
}

function fold(text: string): string {
  const plain = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return plain.replace(/[ßøłđıς]/g, (letter) => letters[letter] ?? letter);
}
