import { closings } from "./closing-words.ts";
import { isDeviceLine } from "./device-lines.ts";
import { MAX_SIGNATURE_LINE_CHARS, MAX_SIGNATURE_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

/** Who sent the mail, as its From header says; known, it tells a closing name from a last word. */
export interface Sender {
  name: string;
  address: string;
}

const CLOSINGS = new Set(Object.values(closings).flat());
const CONTACT = /@|www\.|https?:\/\/|\d{3}[ .)/-]{1,3}\d{3,4}|\+\d{2}|\b(?:tel|phone|fax|mobile|cell|e-?mail|ext)\b|^x[ -]?\d{3,}/;
const WORDS_OF_PROSE = 9;
const WORDS_OF_A_SENTENCE = 5;
const WORDS_OF_A_NAME = 4;
const CHARS_OF_SHARED_NAME = 3;

/**
 * Where the closing begins ("Thanks, / Ada / 555 0100") among the kept lines given by index; -1 when nothing is sure. It needs
 * the sender's own name, or a name with contact details, at the end of the mail: any other last words stay.
 */
export function closingAt(lines: readonly Line[], kept: readonly number[], sender: Sender | undefined): number {
  const names = sender ? namesOf(sender) : new Set<string>();
  let found = -1;
  let filled = 0;
  let contacts = 0;
  let named = false;
  for (let at = kept.length - 1; at > 0 && filled < MAX_SIGNATURE_LINES; at -= 1) {
    const line = lines[kept[at] as number] as Line;
    if (isBlank(line)) continue;
    if (line.quoted || isProse(line)) break;
    filled += 1;
    if (CONTACT.test(line.bare)) contacts += 1;
    const own = isOwnName(line.bare, names);
    const contacted = contacts > 0 && contacts * 4 >= filled && isNameShaped(line);
    if (isClosing(line.bare, names) && (named || own)) return at;
    if (own || (contacted && standsAlone(lines, kept, at))) {
      named = true;
      found = at;
    }
  }
  if (found < 0) return -1;
  const above = lines[kept[found - 1] as number];
  return isBlank(above) || /[.!?)]$/.test(above?.bare ?? "") || filled <= WORDS_OF_A_NAME ? found : -1;
}

/** Whether the line closes a letter and says no more ("Kind regards,"). */
export function isClosingLine(line: Line): boolean {
  return CLOSINGS.has(line.bare.replace(/[ ,.!;:~-]+$/, ""));
}

/** Whether a line gives an address, a number or a site. */
export function hasContact(line: Line): boolean {
  return CONTACT.test(line.bare);
}

/** Up to four words, each beginning with a capital, as a name or a company does. */
export function isNameShaped(line: Line): boolean {
  const words = line.text.trim().split(/\s+/);
  if (words.length > WORDS_OF_A_NAME || line.text.length > MAX_SIGNATURE_LINE_CHARS) return false;
  return words.every((word) => /^[\p{Lu}\p{Lo}(][\p{L}\p{M}.,'’)-]*$/u.test(word));
}

function isClosing(bare: string, names: ReadonlySet<string>): boolean {
  const phrase = bare.replace(/[ ,.!;:~-]+$/, "");
  if (CLOSINGS.has(phrase)) return true;
  const comma = phrase.indexOf(",");
  return comma > 0 && CLOSINGS.has(phrase.slice(0, comma).trim()) && isOwnName(phrase.slice(comma + 1), names);
}

function standsAlone(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  const above = lines[kept[at - 1] as number] as Line;
  return isBlank(above) || isClosingLine(above);
}

function isProse(line: Line): boolean {
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
  return word.slice(0, CHARS_OF_SHARED_NAME) === name.slice(0, CHARS_OF_SHARED_NAME) || name.endsWith(word) || word.endsWith(name);
}

function namesOf(sender: Sender): Set<string> {
  const local = sender.address.split("@")[0] ?? "";
  const words = `${sender.name} ${local}`
    .slice(0, 200)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1);
  const shown = sender.name.toLowerCase().split(/[^\p{L}]+/u).filter((word) => word !== "");
  const initials = shown.map((word) => word.charAt(0)).join("");
  return new Set([...words, `=${initials}`, `=${[...initials].reverse().join("")}`]);
}
