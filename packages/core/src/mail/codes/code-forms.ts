import { UNITS } from "./code-words.ts";

/** Something in a line that looks like a code. */
export interface CodeForm {
  /** The code as a user would enter it: digits without spaces and dashes. */
  code: string;
  start: number;
  end: number;
  /** The line contains nothing else. */
  alone: boolean;
  /** The weight of its form as evidence for a code; around 0. */
  weight: number;
  /** The position that this form needs to count; without it, any position will do. */
  needs?: Needs;
}

/**
 * `link`: directly behind its word ("is", a colon), in quotes or bold, or alone in its line. `letters`: the same, and
 * nothing suggests a word in capitals. `word`: like letters, but it could be a word, so the word must be strong.
 */
type Needs = "link" | "letters" | "word";

/**
 * The forms of codes and how strongly each suggests one. Forms that may be words must stand alone in their
 * line.
 */
const FORMS: readonly { form: RegExp; weight: number; alone?: true; needs?: Needs; why: string }[] = [
  { form: /^(?:19|20)\d{2}$/, weight: -0.25, why: "four digits that may be a year" },
  {
    form: /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/,
    weight: -0.25,
    why: "eight digits that may be a date",
  },
  { form: /^\d{6}$/, weight: 0.03, why: "six digits, as most services choose" },
  { form: /^\d{4,8}$/, weight: 0, why: "four to eight digits" },
  {
    form: /^\d{3}-\d{3}$|^\d{4}-\d{4}$|^\d{2}-\d{2}-\d{2}$/,
    weight: 0,
    why: "digits in two or three groups",
  },
  { form: /^[A-Z]{1,3}-\d{4,8}$/, weight: 0, why: "digits behind the service's own letters" },
  {
    form: /^(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{3,4}-[A-Z0-9]{3,4}$/,
    weight: -0.02,
    why: "capitals and digits in two groups",
  },
  { form: /^(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{4,8}$/, weight: -0.05, why: "capitals and digits" },
  {
    form: /^\d{9,10}$|^\d{3}-\d{3}-\d{3}$/,
    weight: -0.2,
    needs: "link",
    why: "nine or ten digits, as phone numbers have",
  },
  {
    form: /^(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{2}(?:-[A-Z0-9]{2}){2,3}$/,
    weight: -0.05,
    why: "capitals and digits in pairs",
  },
  {
    form: /^[A-Z]{3,4}-[A-Z]{3,4}$/,
    weight: -0.2,
    needs: "letters",
    why: "capitals in two groups, which may be words",
  },
  { form: /^[A-Z]{4,10}$/, weight: -0.12, needs: "letters", why: "capitals, which may be a word" },
  {
    form: /^[a-z]{3,10}(?:-[a-z]{3,10}){3}$/,
    weight: -0.2,
    alone: true,
    why: "four words, as some services choose",
  },
  {
    form: /^(?=[a-zA-Z]*\d)(?=\d*[a-zA-Z])[a-zA-Z0-9]{5,8}$/,
    weight: -0.2,
    why: "letters of both cases and digits",
  },
];

/** Words of letters and digits that are not codes. */
const NAMES =
  /^(?:\d+(?:st|nd|rd|th|px|[kmg]b|k[mg]|min|[ap]m|[hsdx])|mp[34]|h26[45]|sha\d+|utf8|ipv[46]|ios\d+|win\d+|b2[bc]|[24]g|2fa|covid19|a4|v\d+)$/i;

/** The number of an account, card or telephone whose other digits are hidden: "XX1245", "x1245", "98XXXX45". */
const MASKED = /^(?:\d{0,6}-?[xX]{2,8}-?\d{0,6}|x\d{3,4})$/;

/** Words in capitals that occur where a code is expected. */
const COMMON =
  /^(?:ABOVE|ACTIVE|ALERT|ALWAYS|AVAILABLE|BELOW|CLICK|CODE|COPY|CUSTOMER|DEAR|EMAIL|EMPTY|ENTER|FAILED|FALSE|FREE|FROM|HELLO|HERE|HTML|HTTPS?|IMAP|IMPORTANT|INVALID|JSON|LOGIN|NEVER|NEWS|NONE|NOTE|NOTICE|NULL|ONLY|PASSCODE|PASSWORD|PENDING|PLEASE|REQUIRED|SAVE|SECRET|SECURE|SECURITY|SEEN?|SENT|SIGN|SMTP|TEAM|TEST|THANKS?|THIS|TODO|TODAY|TRUE|UNKNOWN|UPDATE|URGENT|USED?|VALID|VERIFY|WARNING|WELCOME|WHAT|WITH|XXX+|YOUR)$|.(?:ED|ING|ION|ABLE|IBLE|MENT|NESS|LY|UNG|KEIT|HEIT)$/;
const VOWELS = /[AEIOUY]/g;

/** A pattern that every form matches, and most words and lines don't. */
const POSSIBLE = /\d|[A-Z]{3}|-/;
const CHUNK = /[A-Za-z0-9_.+@/:%#=&$€£¥₹,*'~•|\\-]+/g;
const GROUPED =
  /(?<![\w.,:+#$€£¥-]|\d )(?:\d{3} \d{3}|\d{4} \d{4}|\d{2}(?: \d{2}){2,3}|\d(?: \d){3,7})(?! ?\d|[\w:-]|[.,]\d)/g;
/** Small letters too, one by one and alone in their line: within a sentence, single letters are initials. */
const SPELT = /^(?=[A-Za-z ]{0,14}\d)(?=[A-Z\d ]{0,14}[a-z])[A-Za-z\d](?: [A-Za-z\d]){3,7}$/;
/** Capitals and digits in groups or one by one, each group with a digit, so that words don't count. */
const GROUPED_LETTERS =
  /(?<![\w.,:+#$€£¥-]|[A-Z\d] )(?:(?=[A-Z]{0,2}\d)[A-Z\d]{3} (?=[A-Z]{0,2}\d)[A-Z\d]{3}|(?=[A-Z ]{0,12}\d)(?=[\d ]{0,12}[A-Z])[A-Z\d](?: [A-Z\d]){3,7})(?! [A-Z\d]\b|[\w:-]|[.,]\d)/g;
const UNIT_BEHIND = new RegExp(`^\\s{0,2}(?:${UNITS})(?!\\p{L})`, "iu");
const LETTERS = /[\p{L}\p{N}]/u;

/**
 * Finds forms of codes in a line from `plainLines`, from left to right. Never part of an amount, a date or a phone
 * number.
 */
export function codeFormsIn(line: string): CodeForm[] {
  if (!POSSIBLE.test(line)) return [];
  const grouped = [...line.matchAll(GROUPED)].map(({ 0: text, index }) => formAt(line, text, index, 0));
  const lettered = [...line.matchAll(GROUPED_LETTERS)]
    .filter(({ 0: text }) => /[A-Z]/.test(text))
    .map(({ 0: text, index }) => formAt(line, text, index, -0.1, "link"));
  const spelt = SPELT.test(line) ? [formAt(line, line, 0, -0.15, "link")] : [];
  const single = [...line.matchAll(CHUNK)].flatMap(({ 0: chunk, index }) => inChunk(line, chunk, index));
  return [...grouped, ...lettered, ...spelt, ...single]
    .filter(({ end }) => !UNIT_BEHIND.test(line.slice(end, end + 16)))
    .sort((a, b) => a.start - b.start);
}

function inChunk(line: string, chunk: string, at: number): CodeForm[] {
  if (!POSSIBLE.test(chunk) || chunk.includes("@")) return [];
  const labelled = /^[A-Za-z_-]+[:=]/.exec(chunk)?.[0].length ?? 0;
  const rest = chunk.slice(labelled);
  const lead = /^(?:[*_'~|]{1,3}(?=.*[*_'~|]$)|[.,:])?/.exec(rest)?.[0].length ?? 0;
  const core = rest.slice(lead).replace(/[.,:*_'~|]+$/, "");
  const form = FORMS.find((each) => each.form.test(core));
  if (form === undefined || NAMES.test(core) || MASKED.test(core)) return [];
  const needs = form.needs === "letters" ? needsOfLetters(core) : form.needs;
  if (form.needs !== undefined && needs === undefined) return [];
  const found = formAt(line, core, at + labelled + lead, form.weight, needs);
  return form.alone && !found.alone ? [] : [found];
}

/** Returns the position that capitals without digits need to count; undefined for common words in such places. */
function needsOfLetters(text: string): Needs | undefined {
  const groups = text.split("-");
  if (groups.some((group) => COMMON.test(group))) return undefined;
  return groups.every(couldBeWord) ? "word" : "letters";
}

/** Whether capitals have the vowels and consonants of a word; a quarter of random ones do. */
function couldBeWord(text: string): boolean {
  const vowels = text.match(VOWELS)?.length ?? 0;
  return vowels >= text.length / 5 && vowels <= text.length * 0.7 && !/[^AEIOUY]{4}|[AEIOUY]{4}/.test(text);
}

function formAt(line: string, text: string, start: number, weight: number, needs?: Needs): CodeForm {
  const end = start + text.length;
  const digits = /^[\d -]+$/.test(text);
  const alone = !LETTERS.test(line.slice(0, start)) && !LETTERS.test(line.slice(end));
  const code = digits ? text.replace(/[ -]/g, "") : text.replace(/ /g, "");
  return { code, start, end, alone, weight, ...(needs === undefined ? {} : { needs }) };
}
