import type { ParsedMail } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";
import { mixedWords } from "../engine/fold.ts";
import { givesInstructions, MAX_ASIDE_CHARS, type Passage } from "../reading.ts";
import { finding } from "./finding.ts";
import type { HtmlView } from "./html-view.ts";
import { asideTexts } from "./machine-texts.ts";

/** With this many words split by invisible characters, it isn't an editor's accident. */
const SPLIT_WORDS = 3;
/** With this many words of mixed scripts, it isn't a formula or typo. */
const MIXED_WORDS = 2;
/** Preheaders are shorter than this. */
const LONG_HIDDEN_CHARS = 600;

/** Signals of text that looks different from what it is, or that a human reader doesn't see. */
export function hiddenSignals(passages: readonly Passage[], html: HtmlView | null): Finding[] {
  const found = passages.flatMap(({ is_ascii, text, where }) => (is_ascii ? [] : disguises(text, where)));
  if (html === null) return found;
  const aside = html.hidden.filter(({ text }) => givesInstructions(text));
  found.push(...aside.map(({ how }) => finding("hidden_instructions", { where: how })));
  if (html.hidden.some(({ how, text }) => how.startsWith("text ") && text.trim().length > LONG_HIDDEN_CHARS))
    found.push(finding("hidden_text"));
  return found;
}

/** Whether the sender's name, a file name or an unusual header gives instructions. */
export function instructionsAside(mail: ParsedMail): Finding[] {
  return asideTexts(mail)
    .filter(({ text }) => givesInstructions(text))
    .map(({ where }) => finding("hidden_instructions", { where }));
}

/** Whether text attachments give instructions; agents read them too. */
export function attachedInstructions(
  attachments: ReadonlyArray<{ content_type: string; bytes: Uint8Array }>,
): Finding[] {
  const texts = attachments
    .filter(({ content_type }) => /^text\/|json|xml/iu.test(content_type))
    .slice(0, MAX_ATTACHED_TEXTS);
  return texts
    .filter(({ bytes }) => givesInstructions(new TextDecoder().decode(bytes.subarray(0, MAX_ASIDE_CHARS))))
    .map(() => finding("hidden_instructions", { where: "an attached text" }));
}

const MAX_ATTACHED_TEXTS = 5;

function disguises(text: string, where: string): Finding[] {
  const found: Finding[] = [];
  if (splitWords(text) >= SPLIT_WORDS) found.push(finding("zero_width", { where }));
  if (/[\u202D\u202E]/.test(text) && /[A-Za-z]/.test(text)) found.push(finding("bidi_override", { where }));
  if (mixedWords(text, MIXED_WORDS) >= MIXED_WORDS) found.push(finding("mixed_script_words", { where }));
  return found;
}

/** Counts invisible characters between two letters of scripts that don't need them there. */
function splitWords(text: string): number {
  if (!/[\u00AD\u034F\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/.test(text)) return 0;
  let count = 0;
  for (const _ of text.matchAll(
    /[A-Za-z\u00C0-\u024F\u0370-\u04FF][\u034F\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{1,20}(?=[A-Za-z\u00C0-\u024F\u0370-\u04FF])/g,
  )) {
    count += 1;
    if (count >= SPLIT_WORDS) break;
  }
  return count;
}
