import { canaryWordsIn } from "./canary-words.ts";
import { decodeHTML } from "./entities.ts";
import { findWords } from "./redaction/find-words.ts";

/** How often what was decoded is decoded again. */
const MAX_DEPTH = 3;
/** Characters of a text that are decoded; of what follows only the plain form is looked for. */
export const MAX_DECODED_CHARS = 2_000_000;

const KEY = /ls_live_[0-9A-Za-z]{40}/g;
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/]{43}=/g;
const APP_TOKEN = /ls_o[ar]t_[\w-]{40,43}/g;
const TOKEN = /(?<![0-9A-Za-z_])[0-9A-Za-z]{40}(?![0-9A-Za-z])/g;
/** A hash in hex, which looks like a token. */
const HEX = /^[0-9a-f]+$/i;
const SPACE = /[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g;
const PERCENT = /%([0-9a-f]{2})/gi;
const SOFT_BREAK = /=[ \t]{0,20}\r?\n/g;
const QUOTED = /=([0-9a-f]{2})/gi;
const BASE_64 = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const TAG = /<[^<>]{0,300}>/g;

/** Words of a text that have the form of a secret of this service. */
export interface OwnWords {
  /** Keys and webhook secrets: whose they are, their hashes say. */
  secrets: Set<string>;
  /** What may be the token of a session, an app or a claim: their hashes say that too. */
  tokens: Set<string>;
  /** Words that have the form of a canary. */
  canaries: string[];
  /** Whether there is a word of a letter, an upload or a link, which nobody should have. */
  of_letters: boolean;
}

/**
 * Finds the words that have the form of a secret of this service, or of a canary, plainly written, split by blanks, line breaks or tags,
 * or encoded: percent, quoted-printable, entities, base64, also one within another. `plainly`: only as they are written.
 */
export function ownWordsIn(texts: readonly string[], { plainly = false } = {}): OwnWords {
  const found: Found = { secrets: new Set(), tokens: new Set(), canaries: new Set(), of_letters: false };
  for (const text of texts) look(text, found, plainly ? MAX_DEPTH : 0);
  return { ...found, canaries: [...found.canaries] };
}

type Found = Omit<OwnWords, "canaries"> & { canaries: Set<string> };

function look(text: string, found: Found, depth: number): void {
  if (text.length < MIN_CHARS) return;
  read(text, found);
  if (depth >= MAX_DEPTH || text.length > MAX_DECODED_CHARS) return;
  const plain = text.replace(SOFT_BREAK, "").replace(TAG, "").replace(SPACE, "");
  if (plain !== text) read(plain, found);
  const decoded = decodeHTML(plain).replace(PERCENT, fromHex);
  if (decoded !== plain) look(decoded, found, depth + 1);
  const unquoted = plain.replace(QUOTED, fromHex);
  if (unquoted !== plain) look(unquoted, found, depth + 1);
  for (const [run] of plain.matchAll(BASE_64)) {
    // Words before it may have been joined to it: it may begin at any of four places.
    for (let from = 0; from < 4; from++) {
      const bytes = Buffer.from(run.slice(from), "base64").toString("latin1");
      if (HINT.test(bytes)) look(bytes, found, depth + 1);
    }
  }
}

/** Of what is decoded from any run of letters, only what may have a secret is looked into. */
const HINT = /ls_(?:live|o[ar]t)|whsec_|ls[couv]|[A-Za-z0-9+/_-]{32}|%[0-9a-f]{2}|&#/i;
const MIN_CHARS = 30;

function read(text: string, found: Found): void {
  for (const form of [KEY, WEBHOOK_SECRET]) for (const [word] of text.matchAll(form)) found.secrets.add(word);
  for (const [word] of text.matchAll(APP_TOKEN)) found.tokens.add(word);
  for (const [word] of text.matchAll(TOKEN)) if (!HEX.test(word)) found.tokens.add(word);
  for (const word of canaryWordsIn([text])) found.canaries.add(word);
  found.of_letters ||= findWords(text).some(({ secret }) => secret !== null && /^ls[ouv]/.test(secret));
}

const fromHex = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
