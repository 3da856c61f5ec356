import { inEachLanguage } from "../words/index.ts";
import { isDateWord, namesDay, namesTime, wordsOf } from "./dates.ts";
import { MAX_BLOCK_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

/** The meanings of a line in a quoted mail's header. */
const KINDS = ["other", "subject", "to", "date", "from"] as const;
type HeaderKind = (typeof KINDS)[number];

const KINDS_BY_LABEL = labelTable();
const LABELS = [...KINDS_BY_LABEL.keys()].sort((a, b) => b.length - a.length);
const ANY_LABEL = new RegExp(`(?:^|[^\\p{L}])(${LABELS.join("|")}) ?[:：]`, "gu");
const LABELS_OF_A_BLOCK = 3;
const FOLDED_LINES = 2;
const BLANK_LINES = 3;

/** The evidence found in the lines read so far. */
interface Evidence {
  kinds: Set<HeaderKind>;
  /** From has a value with letters. */
  named: boolean;
  address: boolean;
  /** Sent or From has a time of day. */
  timed: boolean;
}

/**
 * Whether the header of a quoted or forwarded mail starts at `at`: From, Sent, and To or Subject within a few
 * lines, or three labels in one line (some clients lose the line breaks). A form that a person fills in
 * ("From: Rome / To: Oslo") lacks a sender, an address or a date, and stays.
 */
export function headerBlockAt(lines: readonly Line[], at: number): boolean {
  const first = lines[at];
  const start = first && kindsIn(first);
  if (first === undefined || start === undefined || start.includes("other")) return false;
  if (isFlatBlock(first.bare)) return true;
  const found: Evidence = { kinds: new Set(), named: false, address: false, timed: false };
  let folded = 0;
  let blank = 0;
  for (let next = at; next < lines.length && next < at + MAX_BLOCK_LINES; next += 1) {
    const line = lines[next] as Line;
    if (isBlank(line)) {
      blank += 1;
      if (blank > BLANK_LINES) return false;
      continue;
    }
    found.address = found.address || line.bare.includes("@");
    const kinds = kindsIn(line);
    folded = kinds === undefined ? folded + 1 : 0;
    if (folded > FOLDED_LINES) return false;
    if (kinds === undefined) continue;
    note(found, line, kinds);
    if (isBlock(found) || (next === at + 1 && isDatedBlock(found))) return true;
  }
  return false;
}

const LABEL_WITHOUT_COLON = new RegExp(`^(?:\\| ?)?(${LABELS.join("|")})(?: ?(?:$|\\||-)| (?=\\S))`, "u");
const LINES_WITHOUT_COLONS = 10;

/**
 * Whether a header without colons starts at `at`, as text copied from a page or a table has it: an author with an
 * address, a date with the time of day, and To or Subject; or, if no bars make it a table, an author of two names, and all
 * three. Each is on a line of its own, or below its label.
 */
export function colonlessBlockAt(lines: readonly Line[], at: number): boolean {
  const seen = new Set<HeaderKind>();
  let address = false;
  let person = true;
  for (let next = at; next < lines.length && next < at + LINES_WITHOUT_COLONS; next += 1) {
    const [words = "", label = ""] = LABEL_WITHOUT_COLON.exec(lines[next]?.bare ?? "") ?? [];
    const kinds = KINDS_BY_LABEL.get(label);
    if (kinds === undefined) return false;
    const { bare } = lines[next] as Line;
    const rest = bare.slice(words.length);
    person &&= !bare.includes("|");
    // Only a label that is alone has its value on the next line.
    if (rest === "") next += 1;
    const value = rest === "" ? (lines[next]?.bare ?? "") : rest;
    const dated = namesDay(value) && namesTime(value);
    if (kinds.includes("date") && dated) seen.add("date");
    else if (kinds.includes("from") && (value.includes("@") || isName(value))) {
      seen.add("from");
      address ||= value.includes("@");
      person &&= hasTwoNames(lines[next] as Line, value);
    } else if (seen.size === 0) return false;
    else if (kinds.includes("to")) seen.add("to");
    else if (kinds.includes("subject")) seen.add("subject");
    const told = seen.has("from") && seen.has("date");
    if (told && (address ? seen.size >= LABELS_OF_A_BLOCK : person && seen.size >= KINDS_WITHOUT_ADDRESS))
      return true;
  }
  return false;
}
const KINDS_WITHOUT_ADDRESS = 4;

/** Whether the value at the end of a line has at least two words with a capital letter: "Ada Moss", not "Oslo". */
function hasTwoNames({ text }: Line, value: string): boolean {
  const words = text.trim().split(/\s+/).slice(-value.split(" ").length);
  return words.filter((word) => /^\P{L}*[\p{Lu}\p{Lt}\p{Lo}]/u.test(word)).length > 1;
}

// "01/31/2001 12:34 PM", "2001-01-31 12:34:07", alone or behind "on" in the line of the name.
const DATE_AND_TIME =
  /(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}),? (?:at )?\d{1,2}[:.]\d{2}(?:[:.]\d{2})? ?(?:[ap]\.?m\.?)?(?: \(?[a-z]{2,5}\)?)?$/;
const DIGIT = /\d/;
const NOTES_HEADER =
  /^[^-\d]{2,60} ?---\d{1,4}[./-]\d{1,2}[./-]\d{2,4} \d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: [ap]m)?(?: \w{2,5})?---/;
const MAX_NAME_CHARS = 120;
/** Lines of a header whose recipients take up many. */
const MAX_RECIPIENT_LINES = 60;
/** The labels of Notes between the name and the recipients. */
const BESIDE_NAME =
  /^(?:sent by|please respond to|gesendet von|bitte antwort an|envoyé par|enviado por|inviato da)(?!\p{L})/u;
const WORDS_OF_A_NAME = 7;

/**
 * Whether a header starts at `at` that names its author and date without labels, as Lotus Notes writes it: a name and a
 * date, in one line or two, then To and, within a few lines, Subject. The text before these labels is no prose.
 */
export function unlabelledBlockAt(lines: readonly Line[], at: number): boolean {
  const first = lines[at];
  if (first === undefined) return false;
  if (isNotesHeader(first)) return true;
  if (first.label !== "" || first.bare.length > MAX_NAME_CHARS) return false;
  const dated = dateEnd(lines, at, first.bare);
  if (dated === -1) return false;
  let seen: "nothing" | "to" = "nothing";
  let between = 0;
  for (let next = dated + 1; next < lines.length && next < at + MAX_RECIPIENT_LINES; next += 1) {
    const line = lines[next] as Line;
    if (isBlank(line)) continue;
    const kinds = kindsIn(line) ?? [];
    if (kinds.includes("subject")) return seen === "to";
    if (kinds.includes("to")) seen = "to";
    else if (seen === "nothing") {
      between += 1;
      if (between > FOLDED_LINES || !BESIDE_NAME.test(line.bare)) return false;
    } else if (kinds.length === 0 && next > at + MAX_BLOCK_LINES && !/[@/,;]/.test(line.bare)) return false;
  }
  return false;
}

/**
 * "Ada Moss ---05.01.2026 10:15:04---Dear Bo": the line of Notes above the whole mail, with the beginning of its text.
 */
const isNotesHeader = ({ bare }: Line): boolean =>
  bare.includes("---") && NOTES_HEADER.test(bare.slice(0, MAX_NAME_CHARS));

/** Returns the line in which an unlabelled header's date ends; -1 if there is none. */
function dateEnd(lines: readonly Line[], at: number, name: string): number {
  const next = lines[at + 1]?.bare ?? "";
  // Rejects nearly every line.
  if (!DIGIT.test(name) && !DIGIT.test(next) && !DIGIT.test(lines[at + 2]?.bare ?? "")) return -1;
  if (DIGIT.test(name) && DATE_AND_TIME.test(name))
    return isName(name.replace(DATE_AND_TIME, "").replace(/ on $/, "")) ? at : -1;
  if (!isName(name.replace(/ on$/, ""))) return -1;
  // The line of name and date is often broken before or within the date.
  if (isDateAndTime(next)) return at + 1;
  if (BESIDE_NAME.test(next) && isDateAndTime(lines[at + 2]?.bare ?? "")) return at + 2;
  return / on [\d./-]+$/.test(name) && DATE_AND_TIME.test(`${name} ${next}`) ? at + 1 : -1;
}

const isDateAndTime = (bare: string): boolean =>
  (DATE_AND_TIME.test(bare) && bare.replace(DATE_AND_TIME, "") === "") ||
  (namesDay(bare) && namesTime(bare) && wordsOf(bare).every(isDateWord));

const isName = (text: string): boolean =>
  text.split(" ", WORDS_OF_A_NAME + 1).length <= WORDS_OF_A_NAME &&
  /\p{L}/u.test(text) &&
  !/[.!?:;]$/.test(text);

function note(found: Evidence, line: Line, kinds: readonly HeaderKind[]): void {
  const kind = kinds.find((one) => !found.kinds.has(one)) ?? "other";
  found.kinds.add(kind);
  const value = line.bare.slice(line.bare.search(/[:：]/) + 1);
  if (kind === "from") found.named = found.named || /\p{L}/u.test(value);
  if (kind === "from" || kinds.includes("date")) found.timed = found.timed || /\d[:.h]\d{2}/.test(value);
}

function isBlock({ kinds, named, address, timed }: Evidence): boolean {
  const known = [...kinds].filter((kind) => kind !== "other").length;
  const sent = kinds.has("date") || timed;
  return (
    kinds.has("from") &&
    (named || address) &&
    sent &&
    known >= LABELS_OF_A_BLOCK &&
    (address || kinds.has("subject") || timed)
  );
}

// Some clients show only the date and one address.
function isDatedBlock({ kinds, address, timed }: Evidence): boolean {
  return kinds.has("date") && (kinds.has("to") || kinds.has("from")) && address && timed;
}

function isFlatBlock(bare: string): boolean {
  if (bare.split(/[:：]/, LABELS_OF_A_BLOCK + 1).length <= LABELS_OF_A_BLOCK) return false;
  const seen = new Set<HeaderKind>();
  for (const match of bare.matchAll(ANY_LABEL)) {
    const kinds = KINDS_BY_LABEL.get(match[1] ?? "") ?? [];
    const kind = kinds.find((one) => !seen.has(one));
    if (kind) seen.add(kind);
  }
  const address = bare.includes("@");
  if (seen.has("from") && seen.has("date") && address && /\d:\d{2}/.test(bare)) return true;
  return seen.has("from") && seen.size >= LABELS_OF_A_BLOCK && (address || seen.has("subject"));
}

/** Returns the possible meanings of the label at the start of the line; undefined when there is none. */
export function kindsIn(line: Line): readonly HeaderKind[] | undefined {
  return line.label === "" ? undefined : KINDS_BY_LABEL.get(line.label);
}

// "data" is a date in Polish and "a" is To in Italian: one label can have several meanings.
function labelTable(): Map<string, HeaderKind[]> {
  const table = new Map<string, HeaderKind[]>();
  for (const { words } of inEachLanguage("header_labels"))
    for (const kind of KINDS)
      for (const label of words[kind]) table.set(label, [...new Set([...(table.get(label) ?? []), kind])]);
  return table;
}
