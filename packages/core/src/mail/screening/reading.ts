import { SIGNALS, type SignalType } from "../../catalogue/signals.ts";
import type { Finding } from "../../model/screening.ts";
import { fold } from "./engine/fold.ts";
import { type FoundLiterals, holdsAny, literalFinder } from "./engine/literals.ts";
import { NAME_SIGNS, type Stretches, stretchesIn } from "./engine/names-in-text.ts";
import { once } from "./engine/once.ts";
import { phraseMatchers } from "./engine/phrase-matcher.ts";
import { lineAt, TOKEN_PATTERNS, tokenHits } from "./engine/token-patterns.ts";
import { unitsOf } from "./engine/utf16-units.ts";
import { tokenize, type Words } from "./engine/words.ts";
import { INSTRUCTION_RULES } from "./rules/instruction-rules.ts";
import { LURE_RULES } from "./rules/lure-rules.ts";
import { PRESSURE_RULES } from "./rules/pressure-rules.ts";
import { REQUEST_RULES } from "./rules/request-rules.ts";
import { STEERING_RULES } from "./rules/steering-rules.ts";
import { unspacedHits } from "./rules/unspaced-rules.ts";
import { GIVEN_WEIGHTS } from "./score/weights.ts";
import {
  DECODED_LITERALS,
  encodedTexts,
  holdsCipherWords,
  holdsCodedWord,
  taggedText,
  unescapedText,
  unscrambledText,
} from "./signals/decoded.ts";
import { dialogueIn } from "./signals/dialogue-marks.ts";
import { finding } from "./signals/finding.ts";
import { FRAME_SIGNS, framedTexts } from "./signals/framed-texts.ts";
import { LINK_LITERALS } from "./signals/link-signals.ts";
import { floodOf } from "./signals/word-floods.ts";

/** Characters examined per body: its start and, since a hostile part may hide behind padding, its end. */
export const MAX_HEAD_CHARS = 80_000;
export const MAX_TAIL_CHARS = 20_000;

/** Characters examined of hidden text and attachments. */
export const MAX_ASIDE_CHARS = 20_000;

/**
 * A text of the mail in the forms that all rules read, and how findings name it ("the subject", "the text").
 */
export interface Passage {
  text: string;
  where: string;
  is_ascii: boolean;
  folded: string;
  words: Words;
  /** Which of the literals it contains that patterns wait for. */
  literals: FoundLiterals;
}

/**
 * Creates a passage: folds, splits and searches the text once for all rules. An address, a URL, a host and the `names`
 * of recipients are one word each, without a meaning.
 */
export function passageOf(text: string, where: string, names: RegExp | null = null): Passage {
  const { text: folded, units, is_ascii, is_split } = fold(text);
  const findLiterals = literalSearch();
  const literals = findLiterals(units);
  return {
    text,
    where,
    is_ascii,
    folded,
    words: tokenize(
      units,
      names !== null || holdsAny(literals, NAME_SIGNS) ? stretchesIn(folded, names) : NO_STRETCHES,
    ),
    // A pattern sees the words as they are written.
    literals: is_split ? literals.union(findLiterals(unitsOf(text.toLowerCase()))) : literals,
  };
}

const NO_STRETCHES: Stretches = [];

interface Hit {
  signal: SignalType;
  line: number;
}

/** The part of a body that is examined. */
export function examinedPart(text: string): string {
  if (text.length <= MAX_HEAD_CHARS + MAX_TAIL_CHARS) return text;
  return `${text.slice(0, MAX_HEAD_CHARS)}\n${text.slice(-MAX_TAIL_CHARS)}`;
}

/** Searches a passage for commands and pressure, in plain and in every encoded form. */
export function readPassage(passage: Passage): Finding[] {
  const { where } = passage;
  const found = hitsOf(passage).map(({ signal, line }) =>
    finding(signal, { where: where === "the subject" ? where : `${where}, line ${line}` }),
  );
  return [...found, ...readEncoded(passage, found), ...readFramed(passage)];
}

/** Signals of parts that are set apart from the text. Their own signs count, however long the text around them is. */
function readFramed({ text, where, literals }: Passage): Finding[] {
  if (!holdsAny(literals, FRAME_SIGNS)) return [];
  const signs = framedTexts(text)
    .flatMap((part) => hitsOf(passageOf(part, where)))
    .map(({ signal }) => signal)
    .filter(isInstruction);
  return signs.length === 0
    ? []
    : [finding("framed_instructions", { where }), ...signs.map((signal) => finding(signal, { where }))];
}

/** Whether a text gives instructions to people or models; used for text that a human reader can't see. */
export function givesInstructions(text: string): boolean {
  return instructionsIn(hitsOf(passageOf(text.slice(0, MAX_ASIDE_CHARS), "")));
}

/** Made with the first mail: many programs that import this package read none. */
const matchers = once(() =>
  phraseMatchers([[INSTRUCTION_RULES, PRESSURE_RULES, LURE_RULES], [REQUEST_RULES], [STEERING_RULES]]),
);

/** In longer texts, such as digests of lists, some sentence looks like a request to a model by sheer number. */
const MAX_REQUEST_CHARS = 2_000;
/** And in texts of more than a few sentences the rest of them. */
const MAX_STEERING_CHARS = 1_000;

function hitsOf({ text, is_ascii, folded, words, literals }: Passage): Hit[] {
  const [phraseHits, requestHits, steeringHits] = matchers();
  const hits = [
    ...tokenHits(text, literals),
    ...phraseHits(words),
    ...(is_ascii ? [] : unspacedHits(folded)),
  ];
  if (
    (holdsAny(literals, COMPACT_ENDS) && COMPACT.test(folded)) ||
    words.composed.some((word) => word.length >= SPELLED_COMMAND && COMPACT.test(word))
  )
    hits.push({ signal: "override_instructions", line: 1 });
  if (folded.length <= MAX_REQUEST_CHARS) hits.push(...requestHits(words));
  if (folded.length <= MAX_STEERING_CHARS) hits.push(...steeringHits(words));
  const dialogue = dialogueIn(folded);
  if (dialogue >= 0) hits.push({ signal: "dialogue", line: lineAt(folded, dialogue) });
  const flood = floodOf(words);
  if (flood !== null) hits.push({ signal: "repeated_words", line: flood });
  return hits;
}

function readEncoded(passage: Passage, plain: readonly Finding[]): Finding[] {
  const { text, is_ascii, folded, words, literals, where } = passage;
  const found: Finding[] = [];
  const tagged = is_ascii ? "" : taggedText(text);
  if (tagged !== "") found.push(finding("tag_characters", { where }));
  const encoded = encodedTexts(text, words, literals);
  if (encoded.length > 0) found.push(finding("encoded_text", { where }));
  const unscrambled = unscrambledText(folded, literals);
  const unescaped = unescapedText(text, literals);
  const escapes =
    unescaped !== null &&
    instructionsIn(
      hitsOf(passageOf(unescaped, where)).filter(({ signal }) => plain.every(({ type }) => type !== signal)),
    );
  if (
    escapes ||
    [tagged, unscrambled ?? "", ...encoded].some((hidden) => hidden !== "" && givesInstructions(hidden))
  )
    found.push(finding("encoded_instructions", { where }));
  if (holdsCodedWord(text)) found.push(finding("encoded_instructions", { where }));
  if (holdsCipherWords(folded, literals)) found.push(finding("cipher_words", { where }));
  return found;
}

/** A command spelled letter by letter becomes one word of at least this length. */
const SPELLED_COMMAND = 16;

const PRIOR = ["previous", "prior", "above", "earlier", "system"];
const ORDERS = ["instruction", "prompt", "rule", "direction", "message", "guideline"];

/** Commands without spaces ("ignoreallpreviousinstructions"). */
const COMPACT = new RegExp(
  `(?:ignore|disregard|forget|override)(?:all|any|the|your|every)?(?:of)?(?:the|your)?(?:${PRIOR.join("|")})(?:${ORDERS.join("|")})`,
);
const COMPACT_ENDS = new Set(PRIOR.flatMap((prior) => ORDERS.map((order) => `${prior}${order}`)));

const literalSearch = once(() =>
  literalFinder([
    ...TOKEN_PATTERNS.flatMap((each) => [...each.has, ...(each.with ?? [])]),
    ...DECODED_LITERALS,
    ...LINK_LITERALS,
    ...COMPACT_ENDS,
    ...NAME_SIGNS,
    ...FRAME_SIGNS,
  ]),
);

/** Makes what all screening needs, unless it is there: it isn't the first mail's time. */
export function prepareScreening(): void {
  matchers();
  literalSearch();
}

/** In what isn't shown, such as attached scripts and notes, these say less than a line of instructions to a model. */
const ORDINARY_ASIDE: ReadonlySet<SignalType> = new Set<SignalType>(["command_line", "send_elsewhere"]);

function isInstruction(signal: SignalType): boolean {
  return SIGNALS[signal].family === "instructions" && !ORDINARY_ASIDE.has(signal);
}

const STRONG_SIGN = 28;

/** A single weak sign is not an instruction: it takes a strong sign or two weak ones. */
function instructionsIn(hits: readonly Hit[]): boolean {
  const signs = new Set(hits.map(({ signal }) => signal).filter(isInstruction));
  return signs.size > 1 || [...signs].some((signal) => GIVEN_WEIGHTS[signal] >= STRONG_SIGN);
}
