import { SIGNALS, type SignalType } from "../../catalogue/signals.ts";
import type { Finding } from "../../model/screening.ts";
import {
  encodedTexts,
  holdsCipherWords,
  holdsCodedWord,
  taggedText,
  unescapedText,
  unscrambledText,
} from "./decoded.ts";
import { dialogueIn } from "./dialogue-marks.ts";
import { finding } from "./finding.ts";
import { foldText } from "./fold.ts";
import { INSTRUCTION_RULES } from "./instruction-rules.ts";
import { phraseMatcher } from "./phrase-rules.ts";
import { PRESSURE_RULES } from "./pressure-rules.ts";
import { REQUEST_RULES } from "./request-rules.ts";
import { lineAt, tokenHits } from "./token-patterns.ts";
import { unspacedHits } from "./unspaced-rules.ts";
import { floodOf } from "./word-floods.ts";
import { tokenize, type Word } from "./words.ts";

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
  folded: string;
  words: readonly Word[];
}

/** Creates a passage: folds and splits the text once for all rules. */
export function passageOf(text: string, where: string): Passage {
  const folded = foldText(text);
  return { text, where, folded, words: tokenize(folded) };
}

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
  return [...found, ...readEncoded(passage, found)];
}

/** Whether a text gives instructions to people or models; used for text that a human reader can't see. */
export function givesInstructions(text: string): boolean {
  return instructionsIn(hitsOf(passageOf(text.slice(0, MAX_ASIDE_CHARS), "")));
}

const phraseHits = phraseMatcher([INSTRUCTION_RULES, PRESSURE_RULES]);
const requestHits = phraseMatcher([REQUEST_RULES]);

/** In longer texts, such as digests of lists, some sentence looks like a request to a model by sheer number. */
const MAX_REQUEST_CHARS = 2_000;

function hitsOf({ text, folded, words }: Passage): Hit[] {
  const hits = [...tokenHits(text, folded), ...phraseHits(words), ...unspacedHits(folded)];
  if (
    COMPACT.test(folded) ||
    words.some((word) => word.text.length >= SPELLED_COMMAND && COMPACT.test(word.text))
  )
    hits.push({ signal: "override_instructions", line: 1 });
  if (folded.length <= MAX_REQUEST_CHARS) hits.push(...requestHits(words));
  const dialogue = dialogueIn(folded);
  if (dialogue >= 0) hits.push({ signal: "dialogue", line: lineAt(folded, dialogue) });
  const flood = floodOf(words);
  if (flood !== null) hits.push({ signal: "repeated_words", line: flood.line });
  return hits;
}

function readEncoded({ text, folded, where }: Passage, plain: readonly Finding[]): Finding[] {
  const found: Finding[] = [];
  const tagged = taggedText(text);
  if (tagged !== "") found.push(finding("tag_characters", { where }));
  const encoded = encodedTexts(text);
  if (encoded.length > 0) found.push(finding("encoded_text", { where }));
  const unscrambled = unscrambledText(folded);
  const unescaped = unescapedText(text);
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
  if (holdsCipherWords(folded)) found.push(finding("cipher_words", { where }));
  return found;
}

/** A command spelled letter by letter becomes one word of at least this length. */
const SPELLED_COMMAND = 16;

/** Commands without spaces ("ignoreallpreviousinstructions"). */
const COMPACT =
  /(?:ignore|disregard|forget|override)(?:all|any|the|your|every)?(?:of)?(?:the|your)?(?:previous|prior|above|earlier|system)(?:instruction|prompt|rule|direction|message|guideline)/;

/** In what isn't shown, such as attached scripts and notes, these say less than a line of instructions to a model. */
const ORDINARY_ASIDE: ReadonlySet<SignalType> = new Set<SignalType>(["command_line", "send_elsewhere"]);

function isInstruction(signal: SignalType): boolean {
  return SIGNALS[signal].family === "instructions" && !ORDINARY_ASIDE.has(signal);
}

const STRONG_SIGN = 28;

/** A single weak sign is not an instruction: it takes a strong sign or two weak ones. */
function instructionsIn(hits: readonly Hit[]): boolean {
  const signs = new Set(hits.map(({ signal }) => signal).filter(isInstruction));
  return signs.size > 1 || [...signs].some((signal) => SIGNALS[signal].weight >= STRONG_SIGN);
}
