import { closingAt, hasContact, isClosingLine, isNameShaped, isProse, type Signer } from "./closing.ts";
import { isDeviceLine } from "./device-lines.ts";
import { MAX_RULE_CHARS, MAX_SIGNATURE_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

const LINES_AFTER_DELIMITER = 30;
/** Another sign among the first four: nearly every line has one. */
const NO_RULE = /^[^]{0,3}[^-_=+~#•·—–ᐧ*\s]/;
// A motto, or a disclaimer on one line.
const PROSE_IN_SIGNATURE = 1;
const LINES_ABOVE_RULE = 3;
const LINES_OF_A_WARNING = 4;
const WARNING =
  /^\[?(?:caution|warning|external|attention|achtung|vorsicht|attenzione|atención|this (?:message|e-?mail) (?:is|was|came|originated))\b/;
/**
 * Nobody signs with these: what a list or a tracker adds says where the mail can be seen, why it came and how to leave.
 */
const ABOUT_THE_MAIL =
  /^(?:view (?:this|it|the|your)|reply to this|respond to|if you reply|configure |manage your|to (?:unsubscribe|view|reply|respond|stop|change)\b|you(?:'re| are| received| were)\b.*(?:receiv|subscri|because)|this (?:message|e-?mail|mail|notification)\b.*(?:automatic|generated|sent (?:by|from|via)\b)|an? auto|diese (?:nachricht|e-?mail) wurde automatisch|ce(?:t e-?mail| message) a été (?:envoyé|généré) automatiquement|este (?:mensaje|correo) (?:se ha|fue|ha sido) (?:enviado|generado) automáticamente)/;
const WARNING_OF = /external|outside|extern|externe|esterno|externo/;

/**
 * The indexes in `kept` without the signature: the delimiter's block, device lines, the closing, and rules at
 * the end.
 */
export function withoutSignature(lines: readonly Line[], kept: readonly number[], signer: Signer): number[] {
  const marked = withoutMarked(lines, kept);
  const warned = withoutWarning(lines, marked);
  const delimited = warned.slice(0, delimiterAt(lines, warned));
  const plain = withoutDevice(lines, delimited);
  const ended = trimmed(lines, plain);
  const closing = closingAt(lines, ended, signer);
  const rest = closing > 0 ? trimmed(lines, ended.slice(0, closing)) : ended;
  return rest.length > 0 ? rest : trimmed(lines, [...kept]);
}

function withoutMarked(lines: readonly Line[], kept: readonly number[]): readonly number[] {
  const rest = kept.filter((index) => !lines[index]?.signature);
  return rest.some((index) => !isBlank(lines[index])) ? rest : kept;
}

// A warning that a mail gateway puts above every external mail says nothing about this one.
function withoutWarning(lines: readonly Line[], kept: readonly number[]): readonly number[] {
  const start = kept.findIndex((index) => !isBlank(lines[index]));
  if (start < 0 || !WARNING.test(lines[kept[start] as number]?.bare ?? "")) return kept;
  const blank = kept.findIndex((index, at) => at > start && isBlank(lines[index]));
  if (blank < 0 || blank - start > LINES_OF_A_WARNING) return kept;
  const words = kept
    .slice(start, blank)
    .map((index) => lines[index]?.bare)
    .join(" ");
  return WARNING_OF.test(words) && /link|attach|anh[aä]ng|pi[eè]ce|allegat|adjunt|sender|absender/.test(words)
    ? kept.slice(blank)
    : kept;
}

/** The position of the signature delimiter in `kept`; its length when there is none. */
function delimiterAt(lines: readonly Line[], kept: readonly number[]): number {
  if (!kept.some((index) => isRule(lines[index] as Line))) return kept.length;
  const below = { filled: 0, prose: 0, contact: false, named: false, list: false, about: false };
  let found = kept.length;
  for (let at = kept.length - 1; at > 0 && below.filled <= LINES_AFTER_DELIMITER; at -= 1) {
    const line = lines[kept[at] as number] as Line;
    if (isBlank(line)) continue;
    const rule = !line.quoted && isRule(line) && hasTextAbove(lines, kept, at);
    if (
      rule &&
      (below.about
        ? below.filled <= MAX_SIGNATURE_LINES && isBelowQuote(lines, kept, at)
        : line.text === "-- " ||
          delimits(line, below) ||
          (below.filled <= MAX_SIGNATURE_LINES && closesAbove(lines, kept, at)))
    )
      found = at;
    below.filled += 1;
    below.prose += isProse(line) || isListed(line) ? 1 : 0;
    below.list = below.list || /mailing list|mailman/.test(line.bare);
    below.contact = below.contact || hasContact(line);
    below.named = isNameShaped(line);
    below.about = ABOUT_THE_MAIL.test(line.bare);
  }
  return found;
}

/** Whether a quote was removed directly above: what stands there was added to the mail, whatever it says. */
function isBelowQuote(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  let above = (kept[at] as number) - 1;
  while (above >= 0 && isBlank(lines[above])) above -= 1;
  let last = at - 1;
  while (last >= 0 && isBlank(lines[kept[last] as number])) last -= 1;
  return lines[above]?.quoted === true && above !== kept[last];
}

interface Below {
  filled: number;
  prose: number;
  contact: boolean;
  named: boolean;
  list: boolean;
  /** The line directly below is about the mail. */
  about: boolean;
}

// Without its trailing space it may separate sections: then what follows must look like a signature.
function delimits(line: Line, below: Below): boolean {
  if (below.filled > MAX_SIGNATURE_LINES) return false;
  return /^(?:--|—|–)$/.test(line.text)
    ? below.prose <= PROSE_IN_SIGNATURE
    : below.contact && (below.named || below.list);
}

/** Whether a line is only dashes, stars or the like. */
export function isRule(line: Line): boolean {
  if (NO_RULE.test(line.text)) return false;
  const text = line.text.trim();
  return (
    text !== "" &&
    text.length <= MAX_RULE_CHARS &&
    /^(?:—|–|ᐧ|[-_=+~#•·—–ᐧ]{2,}|\*[* ]+|[-_] [-_ ]+)$/.test(text)
  );
}

/** Whether a line is a list item, which may follow a line of dashes. */
function isListed(line: Line): boolean {
  return /^(?:[-*•]|\d{1,2}[.)]) /.test(line.bare);
}

function closesAbove(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  let seen = 0;
  for (let above = at - 1; above >= 0 && seen < LINES_ABOVE_RULE; above -= 1) {
    const line = lines[kept[above] as number] as Line;
    if (isBlank(line)) continue;
    if (isClosingLine(line)) return true;
    seen += 1;
  }
  return false;
}

function withoutDevice(lines: readonly Line[], kept: readonly number[]): readonly number[] {
  const found = kept
    .map((index, at) => (isDeviceLine(lines[index]?.bare ?? "") && !lines[index]?.quoted ? at : -1))
    .filter((at) => at >= 0);
  if (found.length === 0) return kept;
  const cut = found.find(
    (at) =>
      isOwnParagraph(lines, kept, at) && hasTextAbove(lines, kept, at) && !isPostscript(lines, kept, at),
  );
  const devices = new Set(found);
  const rest = kept.filter((_, at) => !devices.has(at) && (cut === undefined || at < cut));
  return rest.some((index) => !isBlank(lines[index])) ? rest : kept;
}

// Phones that don't mark the quote put their line between the answer and the quote.
function isOwnParagraph(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  return isBlank(lines[kept[at - 1] as number]) && isBlank(lines[kept[at + 1] as number]);
}

function isPostscript(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  const below = kept.find((index, position) => position > at && !isBlank(lines[index]));
  return /^p\.? ?p?\.? ?s\b/.test(lines[below ?? -1]?.bare ?? "");
}

function hasTextAbove(lines: readonly Line[], kept: readonly number[], at: number): boolean {
  for (let above = at - 1; above >= 0; above -= 1) {
    const line = lines[kept[above] as number] as Line;
    if (!isBlank(line) && !isRule(line)) return true;
  }
  return false;
}

function trimmed(lines: readonly Line[], kept: readonly number[]): number[] {
  const empty = (index: number): boolean => isBlank(lines[index]) || isRule(lines[index] as Line);
  let end = kept.length;
  while (end > 0 && empty(kept[end - 1] as number)) end -= 1;
  let start = 0;
  while (start < end && isBlank(lines[kept[start] as number])) start += 1;
  return kept.slice(start, end);
}
