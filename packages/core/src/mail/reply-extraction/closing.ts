import { inAllLanguages } from "../words/index.ts";
import { isDeviceLine } from "./device-lines.ts";
import { MAX_SIGNATURE_LINE_CHARS, MAX_SIGNATURE_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

/** The mail's author as in its From header. It distinguishes a closing name from a last word. */
export interface Sender {
  name: string;
  address: string;
}

/** A sender as named in a signature: every word of the name and the address, and the initials after "=". */
export interface Signer {
  /** The From header has a name besides the address. */
  named: boolean;
  words: ReadonlySet<string>;
}

const CLOSINGS = new Set(inAllLanguages("closings"));
const LONGEST_CLOSING = Math.max(...[...CLOSINGS].map((closing) => closing.length)) + 10;
const CONTACT =
  /@|www\.|https?:\/\/|\d{3}[ .)/-]{1,3}\d{3,4}|\+\d{2}|\b(?:tel|phone|fax|mobile|cell|e-?mail|ext)\b|^x[ -]?\d{3,}/;
/** The notices that companies append to signatures, in the languages of most mail. */
const NOTICE =
  /\bconfidential|intended (?:only|solely|exclusively)|legally privileged|received (?:this|it)\b.*\bin error|before printing|^disclaimer\b|vertraulich|bevor sie diese e-?mail (?:aus)?drucken|confidentiel|destinataire|d'imprimer|confidencial|destinatari|antes de imprimir|riservat|vertrouwelijk|geadresseerde|poufn|důvěrn|конфиденциал|fortrolig|konfidentiell|gizli/;
const OF_THE_MAIL =
  /mail|message|communication|nachricht|courriel|messag|mensaje|correo|mensagem|bericht|wiadomoś|zpráv|письм|сообщен|meddelande|meddelelse|ileti/;
/** A shorter notice may be the writer's own. */
const MIN_NOTICE_CHARS = 50;
const MAX_NOTICES = 3;
const MAX_NOTICE_LINES = 40;
const WORDS_OF_PROSE = 8;
const WORDS_OF_A_SENTENCE = 5;
const WORDS_OF_A_NAME = 4;
const LINES_OF_A_SHORT_CLOSING = 4;
const CHARS_OF_SHARED_NAME = 3;

/**
 * Returns the start of the closing ("Thanks, / Ada / 555 0100") among the kept lines, given by index; -1 when unsure.
 * It takes the sender's own name, or a name with contact details below a closing word, at the end of the mail. Any
 * other last words stay.
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
  for (let at = aboveNotices(lines, kept); at > 0 && filled < MAX_SIGNATURE_LINES; at -= 1) {
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

/** Returns the last line above the notices about confidentiality and the like that companies append to signatures. */
function aboveNotices(lines: readonly Line[], kept: readonly number[]): number {
  let end = kept.length - 1;
  for (let paragraphs = 0; paragraphs < MAX_NOTICES; paragraphs += 1) {
    let at = end;
    while (at > 0 && isBlank(lineAt(lines, kept, at))) at -= 1;
    const below = at;
    let chars = 0;
    while (at > 0 && !isBlank(lineAt(lines, kept, at)) && below - at < MAX_NOTICE_LINES) {
      const line = lineAt(lines, kept, at);
      if (line.quoted) return end;
      chars += line.bare.length;
      at -= 1;
    }
    if (chars < MIN_NOTICE_CHARS || at < 1) return end;
    const says = (pattern: RegExp): boolean =>
      kept.slice(at + 1, below + 1).some((index) => pattern.test(lines[index]?.bare ?? ""));
    if (!says(NOTICE) || !says(OF_THE_MAIL)) return end;
    end = at;
  }
  return end;
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
  if (line.text.length > MAX_SIGNATURE_LINE_CHARS) return false;
  const words = line.text.trim().split(/\s+/, WORDS_OF_A_NAME + 1);
  if (words.length > WORDS_OF_A_NAME) return false;
  return words.every((word) => /^[\p{Lu}\p{Lo}(][\p{L}\p{M}.,'’)-]*$/u.test(word));
}

function closesWithName(bare: string, names: ReadonlySet<string>): boolean {
  const comma = bare.indexOf(",");
  return comma > 0 && CLOSINGS.has(bare.slice(0, comma).trim()) && isOwnName(bare.slice(comma + 1), names);
}

/** Whether a line is prose: longer than a signature line, or a sentence. */
export function isProse(line: Line): boolean {
  if (line.text.length > MAX_SIGNATURE_LINE_CHARS) return true;
  // Separators make columns, not sentences. Few lines have any, and searching for two is slow.
  if (/[|•·]/.test(line.bare) && / [|•·] .* [|•·] |^\S+: .* [|•·] /.test(line.bare)) return false;
  if (isDeviceLine(line.bare)) return false;
  const words = line.bare.split(" ").length;
  const sentence = /[.!?:;…]$/.test(line.bare) && words >= WORDS_OF_A_SENTENCE;
  return (words >= WORDS_OF_PROSE || sentence) && !(CONTACT.test(line.bare) && !sentence);
}

function isOwnName(bare: string, names: ReadonlySet<string>): boolean {
  if (startsWithFullName(bare, names)) return true;
  const words = bare.split(/[^\p{L}]+/u).filter((word) => word !== "");
  if (words.length === 0 || words.length > WORDS_OF_A_NAME || /[\d@?]/.test(bare)) return false;
  const initials = words.every((word) => word.length === 1) ? words.join("") : (words[0] ?? "");
  if (initials.length === 2 && (words.length === 1 || words.length === 2) && names.has(`=${initials}`))
    return true;
  return words.some((word) => [...names].some((name) => isSameName(word, name)));
}

// "Ada Moss | Head of Ferries | Example", "Ada Moss <ada@example.com>", in a box or not.
function startsWithFullName(bare: string, names: ReadonlySet<string>): boolean {
  if (bare.length > MAX_SIGNATURE_LINE_CHARS) return false;
  const [name = ""] = bare.replace(/^[|*+# ]+/, "").split(/ ?[|•·,;:<([]| [-–—/] |\S+@/, 1);
  const words = nameWords(name);
  return (
    words.length > 1 &&
    words.length <= WORDS_OF_A_NAME &&
    words.filter((word) => names.has(word)).length > 1 &&
    words.every((word) => word.length === 1 || names.has(word))
  );
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
