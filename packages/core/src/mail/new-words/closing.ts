import { CLOSING_WORDS } from "./closing-words.ts";
import { isDeviceLine } from "./device-lines.ts";
import { MAX_SIGNATURE_LINE_CHARS, MAX_SIGNATURE_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

/** The mail's author as in its From header. It distinguishes a closing name from a last word. */
export interface Sender {
  name: string;
  address: string;
}

/**
 * A sender as they appear in a signature: every word of the name and the address, and the initials after "=".
 */
export interface Signer {
  /** The From header has a name besides the address. */
  named: boolean;
  words: ReadonlySet<string>;
}

const CLOSINGS = new Set(Object.values(CLOSING_WORDS).flat());
const LONGEST_CLOSING = Math.max(...[...CLOSINGS].map((closing) => closing.length)) + 10;
const CONTACT =
  /@|www\.|https?:\/\/|\d{3}[ .)/-]{1,3}\d{3,4}|\+\d{2}|\b(?:tel|phone|fax|mobile|cell|e-?mail|ext)\b|^x[ -]?\d{3,}/;
const WORDS_OF_PROSE = 8;
const WORDS_OF_A_SENTENCE = 5;
const WORDS_OF_A_NAME = 4;
const LINES_OF_A_SHORT_CLOSING = 4;
const CHARS_OF_SHARED_NAME = 3;

/**
 * Where the closing starts ("Thanks, / Ada / 555 0100") among the kept lines, given by index; -1 when unsure.
 * It takes the sender's own name, or a name with contact details below a closing word, at the end of the
 * mail. Any other last words stay.
 */
export function closingAt(lines: readonly Line[], kept: readonly number[], signer: Signer): number {
  const at = namedBlockAt(lines, kept, signer.words);
  if (at < 0) return signer.named ? Math.max(closedNameAt(lines, kept), letterNameAt(lines, kept)) : -1;
  const above = filledAbove(lines, kept, at);
  return above > 0 && isClosingLine(lineAt(lines, kept, above)) ? above : at;
}

function namedBlockAt(lines: readonly Line[], kept: readonly number[], names: ReadonlySet<string>): number {
  let found = -1;
  let filled = 0;
  let contacts = 0;
  let gaps = 0;
  for (let at = kept.length - 1; at > 0 && filled < MAX_SIGNATURE_LINES; at -= 1) {
    const line = lineAt(lines, kept, at);
    if (isBlank(line)) {
      gaps += 1;
      continue;
    }
    if (line.quoted || isProse(line)) break;
    filled += 1;
    if (hasContact(line)) contacts += 1;
    if (closesWithName(line.bare, names)) return at;
    const contacted = gaps < 2 && contacts > 0 && contacts * 4 >= filled && isNameShaped(line);
    const closed = isClosingLine(lineAt(lines, kept, Math.max(0, filledAbove(lines, kept, at))));
    const alone = closed || isBlank(lineAt(lines, kept, at - 1));
    const ends =
      alone || /[.!?)]$/.test(lineAt(lines, kept, at - 1).bare) || filled <= LINES_OF_A_SHORT_CLOSING;
    if ((ends && isOwnName(line.bare, names)) || (closed && contacted)) found = at;
  }
  return found;
}

// A name below "Regards," is a signature even if the From header doesn't show it: a department or a second
// address.
function closedNameAt(lines: readonly Line[], kept: readonly number[]): number {
  const at = filledAbove(lines, kept, kept.length);
  const above = filledAbove(lines, kept, at);
  if (above < 1 || !isClosingLine(lineAt(lines, kept, above))) return -1;
  const name = lineAt(lines, kept, at);
  return !name.quoted && !isClosingLine(name) && isNameShaped(name) ? above : -1;
}

// A letter starts with "Tom," and ends with a single word: a name that the From header doesn't show.
function letterNameAt(lines: readonly Line[], kept: readonly number[]): number {
  const at = filledAbove(lines, kept, kept.length);
  const greeting = lineAt(lines, kept, 0);
  if (
    at < 2 ||
    !isBlank(lineAt(lines, kept, at - 1)) ||
    !/[,:!]$/.test(greeting.bare) ||
    greeting.bare.split(" ").length > WORDS_OF_A_NAME
  )
    return -1;
  const above = filledAbove(lines, kept, at);
  return above > 0 &&
    !isClosingLine(lineAt(lines, kept, at)) &&
    !isClosingLine(lineAt(lines, kept, above)) &&
    /^\p{Lu}\p{L}{2,14}$/u.test(lineAt(lines, kept, at).text.trim())
    ? at
    : -1;
}

function filledAbove(lines: readonly Line[], kept: readonly number[], at: number): number {
  let above = at - 1;
  while (above >= 0 && isBlank(lineAt(lines, kept, above))) above -= 1;
  return above;
}

function lineAt(lines: readonly Line[], kept: readonly number[], at: number): Line {
  return lines[kept[at] as number] as Line;
}

/** Whether the line is only a closing ("Kind regards,"). */
export function isClosingLine(line: Line): boolean {
  return line.bare.length <= LONGEST_CLOSING && CLOSINGS.has(line.bare.replace(/[ ,.!;:~-]+$/, ""));
}

/** Whether a line contains an address, a phone number or a URL. */
export function hasContact(line: Line): boolean {
  return CONTACT.test(line.bare);
}

/** Whether a line is shaped like a name or company: up to four capitalised words. */
export function isNameShaped(line: Line): boolean {
  const words = line.text.trim().split(/\s+/);
  if (words.length > WORDS_OF_A_NAME || line.text.length > MAX_SIGNATURE_LINE_CHARS) return false;
  return words.every((word) => /^[\p{Lu}\p{Lo}(][\p{L}\p{M}.,'’)-]*$/u.test(word));
}

function closesWithName(bare: string, names: ReadonlySet<string>): boolean {
  const comma = bare.indexOf(",");
  return comma > 0 && CLOSINGS.has(bare.slice(0, comma).trim()) && isOwnName(bare.slice(comma + 1), names);
}

/** Whether a line is prose: longer than a signature line, or a sentence. */
export function isProse(line: Line): boolean {
  if (line.text.length > MAX_SIGNATURE_LINE_CHARS) return true;
  if (isDeviceLine(line.bare)) return false;
  const words = line.bare.split(" ").length;
  const sentence = /[.!?:;…]$/.test(line.bare) && words >= WORDS_OF_A_SENTENCE;
  return (words >= WORDS_OF_PROSE || sentence) && !(CONTACT.test(line.bare) && !sentence);
}

function isOwnName(bare: string, names: ReadonlySet<string>): boolean {
  const words = bare.split(/[^\p{L}]+/u).filter((word) => word !== "");
  if (words.length === 0 || words.length > WORDS_OF_A_NAME || /[\d@?]/.test(bare)) return false;
  if (words.length === 1 && words[0]?.length === 2 && names.has(`=${words[0]}`)) return true;
  return words.some((word) => [...names].some((name) => isSameName(word, name)));
}

// "Dave" signs for "David", "Bert" for "Albert".
function isSameName(word: string, name: string): boolean {
  if (word === name) return true;
  if (word.length < CHARS_OF_SHARED_NAME || name.length < CHARS_OF_SHARED_NAME) return false;
  return (
    word.slice(0, CHARS_OF_SHARED_NAME) === name.slice(0, CHARS_OF_SHARED_NAME) ||
    name.endsWith(word) ||
    word.endsWith(name)
  );
}

/** The words that identify a sender's name; none when the sender is unknown. */
export function signerOf(sender: Sender | undefined): Signer {
  if (sender === undefined) return { named: false, words: new Set() };
  const local = sender.address.split("@")[0] ?? "";
  const words = nameWords(`${sender.name} ${local}`.slice(0, 200)).filter((word) => word.length > 1);
  const initials = nameWords(sender.name)
    .map((word) => word.charAt(0))
    .join("");
  return {
    named: sender.name !== "",
    words: new Set([...words, `=${initials}`, `=${[...initials].reverse().join("")}`]),
  };
}

const nameWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
