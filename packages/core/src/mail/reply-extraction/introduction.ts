import { inEachLanguage } from "../words/index.ts";
import { isDateWord, namesDay, namesTime, wordsOf } from "./dates.ts";

const ADDRESS = /[^\s<>()[\]"',;:@]+@[^\s<>()[\]"',;:]+/;
/** The phrases other than "wrote" with which clients and people name the author of a quote. */
const QUOTING =
  /^(?:\s*(?:quoting|according to|thus spake|thus spoke|also sprach|zitat von|zitiere|selon|dixit|citando(?: a)?|mensaje citado por|begin|(?:original )?message from|reply from|antwort von|réponse de|respuesta de|resposta de|risposta di|antwoord van|svar från|svar fra|ответ от|nachricht von|message de|mensaje de|mensagem de|messaggio di|missatge de|citazione|citerar|citerer|citaat van|cytowanie|cytuję|citát|citace|цитирую|цитата|once upon a time,?|in a message dated|in reply to)\s)/u;
const HEADERS = inEachLanguage("reply_headers").map(({ words }) => words);
const escaped = (word: string): string => word.replace(/[()/.]/g, "\\$&");
const WROTE = HEADERS.flatMap(({ verbs }) => verbs).map(escaped);
/** A client's first word, such as "On" or "Am". */
const LEAD = new RegExp(
  `^\\s*(?:${HEADERS.flatMap(({ leads }) => leads)
    .map(escaped)
    .join("|")})(?!\\p{L})`,
  "iu",
);
const WROTE_WITHIN = new RegExp(`(?<!\\p{L})(?:${WROTE.join("|")})(?!\\p{L})`, "u");
/** Verbs that people use besides those of clients. */
const SAID =
  "said says typed commented asked replied answered noted stated spake spoke sagte meinte schreibt dit disait dijo dice disse dizia zei schrijft sa sade sagde skriver sanoi kirjoittaa řekl řekla píše powiedział powiedziała сказал сказала quotation";
const VERB = `(?:${[...WROTE, ...SAID.split(" "), "thus spake", "thus spoke"].sort((a, b) => b.length - a.length).join("|")})(?: the following| thus| as follows| folgendes| ce qui suit| lo siguiente)?`;
/** "Ada wrote…", "Ada said:", "[Ada writes]", "Ada wrote (5 January):" */
const SAYS = new RegExp(
  `(?:^|[\\s,])${VERB}(?: \\([^()]{4,40}\\))?( (?:on|at|am|um|le|à|el|op|om|il|den|w|в) .{1,40}?)?\\s?(?:[:：]|\\.{3}|…|\\]|$)$`,
  "u",
);
const BRACKETED_ADDRESS = /[<([][^\s<>()[\]@]+@[^\s<>()[\]@]+[>)\]]/;
const PRONOUNS = new Set(
  "i we you he she they it this that what ich wir du er je nous vous tu yo nosotros tú eu nós você io noi tu ik wij jij ja my ty jag vi du я мы ты вы он она".split(
    " ",
  ),
);
/** The beginnings of requests and comparisons: "Remind Ada on 5 January 2026 at 9:00:", "As Ada wrote:" */
const ASKING =
  /^(?:as|like|when|where|because|since|and|but|so|also(?! sprach)|here|wie|was|als|comme|como|come|zoals|как|jak|please|pls|bitte|send|e-?mail|mail|tell|remind|forward|ask|call|write|reply|answer|meet|book|pay|sende|schicke|frage|envoyez|envoie|rappelle|envía|envie|manda)(?!\p{L})/u;
const MAX_WORDS = 20;
const WORDS_OF_A_NAME = 5;
/** The longest line without a colon, such as "Ada Moss wrote the following…". */
const MAX_CHARS_WITHOUT_COLON = 60;

/**
 * Whether a line above a marked quote introduces it without a client's verb: by a name and the date and time, an
 * address and these, or words for quoting somebody. `text` is as written, `bare` its lower case.
 */
export function introducesQuote(text: string, bare: string): boolean {
  const dated = namesDay(bare) && (namesTime(bare) || (LEAD.test(bare) && BRACKETED_ADDRESS.test(bare)));
  const colon = /[:：]\]?$/.test(bare);
  // Rejects nearly all sentences.
  if (!dated && !colon && bare.length > MAX_CHARS_WITHOUT_COLON) return false;
  if (bare.length < 4 || ASKING.test(bare) || /[!?]$/.test(bare)) return false;
  const address = bare.includes("@") && !bare.startsWith("@");
  const without = address ? text.replace(ADDRESS, " ") : text;
  const said = without.toLowerCase();
  const all = wordsOf(said.replace(/ du (?=\d)/, " "));
  if (all.length > MAX_WORDS || all.some((word) => PRONOUNS.has(word))) return false;
  const quoting = colon || dated ? (QUOTING.exec(said)?.[0].length ?? 0) : 0;
  const verb = SAYS.exec(said.trimEnd());
  if (verb?.[1] !== undefined && !wordsOf(verb[1]).every(isDateWord)) return false;
  if (quoting > 0 || verb !== null) return isNamed(without.slice(quoting, verb?.index), address);
  return dated && isNamed(without, address);
}

const SIGNS_BESIDE_A_DATE = 2;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;

/**
 * Whether a line between blank ones introduces a quote that isn't marked: it says what `introducesQuote` asks for, and
 * either the day and the year and two more (the time of day, an address in brackets or behind a client's first word, a
 * verb), or a word for quoting, and behind it an address in brackets or the day and the time.
 */
export function introducesUnmarkedQuote(text: string, bare: string): boolean {
  const bracketed = BRACKETED_ADDRESS.test(bare);
  const address = bracketed || (bare.includes("@") && LEAD.test(bare));
  const dated = YEAR.test(bare) && namesDay(bare);
  const quoting = ((bracketed && bare.endsWith(":")) || (dated && namesTime(bare))) && QUOTING.test(bare);
  const signs = [namesTime(bare), address, saysWhoWrote(bare) || SAYS.test(bare)].filter(Boolean).length;
  return (quoting || (dated && signs >= SIGNS_BESIDE_A_DATE)) && introducesQuote(text, bare);
}

/** Whether a line has a client's first word and its verb, such as "On … wrote", or ends with who wrote, and when. */
export const saysWhoWrote = (bare: string): boolean =>
  (LEAD.test(bare) && WROTE_WITHIN.test(bare)) || (namesTime(bare) && SAYS.test(bare));

/** Whether all words besides the date are a name. An address may stand for it. */
function isNamed(text: string, address: boolean): boolean {
  const names = wordsIn(text.replace(LEAD, "")).filter(
    (word) => !isDateWord(word.toLowerCase()) && !FROM.has(word.toLowerCase()),
  );
  if (names.length === 0) return address;
  return names.length <= WORDS_OF_A_NAME && names.every((word) => /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(word));
}

const FROM = new Set([..."from by von vom de du del van av af od от da".split(" "), ...WROTE]);
const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\u200c\u200d]+|\d+/gu) ?? [];
