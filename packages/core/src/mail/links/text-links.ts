import { MAX_LINKS, type MailLink } from "../screening/signals/html-view.ts";

/** Characters of a link that are read. */
export const MAX_URL_CHARS = 2_000;
const LINK_ENDS = /[\s<>"'`{}|\\^[\]]/;
const LINK_STARTS = /\b(?:https?:\/\/|hxxps?:\/\/|www\.|javascript:|data:text\/html|file:\/\/)/gi;

/**
 * The links in plain text, found by their start, without trailing punctuation. One between "<" and ">" may be broken
 * over lines (RFC 3986, appendix C); any other is `cut` where the next line seems to continue it.
 */
export function linksIn(text: string): MailLink[] {
  const links: MailLink[] = [];
  let read = 0;
  for (const { index } of text.matchAll(LINK_STARTS)) {
    if (links.length >= MAX_LINKS) break;
    if (index < read) continue;
    const rest = text.slice(index, index + MAX_URL_CHARS);
    const bracketed = isBracketed(text, index) ? WITHIN_BRACKETS.exec(rest)?.[0] : undefined;
    if (bracketed !== undefined && bracketed.includes("\n")) {
      read = index + bracketed.length;
      links.push({ href: bracketed.replace(/\s+/g, ""), text: bracketed, place: "the text" });
      continue;
    }
    const end = rest.search(LINK_ENDS);
    const whole = end < 0 ? rest : rest.slice(0, end);
    const href = whole.replace(/[.,;:!?)]{1,10}$/, "");
    const is_cut = bracketed === undefined && isContinued(text, index, whole);
    links.push({ href, text: href, place: "the text", ...(is_cut ? { is_cut } : {}) });
  }
  return links;
}

/** A link up to the ">" after it, with the line breaks in it. */
const WITHIN_BRACKETS = /^[^\s<>"]+(?:[ \t]{0,8}\r?\n[ \t]{0,8}[^\s<>"]+)*(?=\s{0,8}>)/;
const MAX_LINE_CHARS = 1_000;

const isBracketed = (text: string, at: number): boolean =>
  /<(?:url:)?\s{0,8}$/i.test(text.slice(Math.max(0, at - 16), at));

/** Programs wrap lines at no fewer characters. */
const MIN_WRAPPED_CHARS = 60;
const NEXT_LINE = /^[ \t]{0,8}\r?\n[ \t]{0,8}([^\s<>"]{1,1000})/;
const LINE_END = /^[^\S\r\n]{0,8}(?:\r?\n|$)/;
/** The beginning of another link, or of an item of a list. */
const BEGINS_ANEW = /^(?:https?:|www\.|[-*•·>|]|\(?\d{1,3}[.)])/i;
const OF_A_LINK = /^[\w.~!$&'()*+,;=:@/?%#-]+$/;

/** Whether the line below looks like the rest of a link that ends its line. */
function isContinued(text: string, at: number, link: string): boolean {
  const line = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - MAX_LINE_CHARS);
  const end = at + link.length;
  if (end - line < MIN_WRAPPED_CHARS) return false;
  const below = text.slice(end, end + MAX_URL_CHARS);
  const [whole = "", next] = NEXT_LINE.exec(below) ?? [];
  if (next === undefined || BEGINS_ANEW.test(next) || !OF_A_LINK.test(next)) return false;
  if (/[=&%#]|[\w-]\/[\w-]|[\w/]\?\w/.test(next)) return true;
  const alone = LINE_END.test(below.slice(whole.length));
  return alone && (/[-=&?%/_]$/.test(link) || (next.length >= 8 && /\d/.test(next)));
}
