import { viewHtml } from "../screening/signals/html-view.ts";
import { type FoundCode, findCodes } from "./find-codes.ts";
import { type FoundLink, findLinks } from "./find-links.ts";

/** A mail to search for one-time codes and links. */
export interface SearchedMail {
  subject: string;
  extracted_text: string;
  /** The whole bodies, with what is quoted. */
  text: string | null;
  html: string | null;
  is_reply: boolean;
}

const MAX_HTML_CHARS = 200_000;

/**
 * The one-time codes and links of a mail, each best first. Codes are looked for in the new words, then (unless it is a
 * reply) in the whole text and in what the HTML shows.
 */
export function findInMail(mail: SearchedMail): { codes: FoundCode[]; links: FoundLink[] } {
  const { subject, extracted_text, html } = mail;
  return {
    codes: firstFound(subject, textsOf(mail)),
    links: findLinks({ subject, text: extracted_text, html }),
  };
}

function* textsOf({ extracted_text, text, html, is_reply }: SearchedMail): Generator<string> {
  yield extracted_text;
  if (is_reply) return;
  if (text !== null) yield text;
  if (html !== null) yield viewHtml(html.slice(0, MAX_HTML_CHARS)).visible;
}

function firstFound(subject: string, texts: Iterable<string>): FoundCode[] {
  for (const text of texts) {
    const codes = findCodes({ subject, text });
    if (codes.length > 0) return codes;
  }
  return [];
}
