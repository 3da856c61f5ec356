import { randomBytes } from "node:crypto";
import type { InboxRecord } from "../../model/inboxes.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const CHARS = 10;

/** A new address of an inbox that nobody can guess: its name, `+x` and ten characters. */
export function newOwnAddress({ username, domain }: Pick<InboxRecord, "username" | "domain">): string {
  const tag = Array.from(randomBytes(CHARS), (byte) => ALPHABET.charAt(byte & 31)).join("");
  return `${username}+x${tag}@${domain}`;
}
