import type { Extraction } from "../../model/read-mail.ts";
import { LINK_REMOVED } from "./marks.ts";
import type { Visit } from "./walk-texts.ts";

const LINK = /\b(?:https?:|www\.)[^\s<>"']{2,}/gi;
/** Attributes that hold an address; embedded images (`cid:`) stay. */
const LINK_ATTRIBUTE =
  /(\s(?:href|xlink:href|src|srcset|action|formaction|background|poster|cite|ping|data)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
const STYLE_URL = /url\(\s*[^)]{0,4000}\)/gi;

/** A text without links, but for those that `keep` holds. */
function removeLinks(text: string, keep: ReadonlySet<string> = new Set()): string {
  return text.replace(LINK, (link) => (keep.has(link) ? link : LINK_REMOVED));
}

/** HTML without links, but for those that `keep` holds. */
function removeHtmlLinks(html: string, keep: ReadonlySet<string> = new Set()): string {
  const without = html
    .replace(LINK_ATTRIBUTE, (whole, name: string, value: string) => {
      const bare = value.replace(/^["']|["']$/g, "");
      return keep.has(bare) || bare.startsWith("cid:") || bare.startsWith("#")
        ? whole
        : `${name}"${LINK_REMOVED}"`;
    })
    .replace(STYLE_URL, LINK_REMOVED);
  return removeLinks(without, keep);
}

/** The links in a text or in HTML, as they are written there. */
function linksIn(text: string, html: string | null): Set<string> {
  const attributes = [...(html ?? "").matchAll(LINK_ATTRIBUTE)].map(([, , value = ""]) =>
    value.replace(/^["']|["']$/g, ""),
  );
  return new Set([...(text.match(LINK) ?? []), ...((html ?? "").match(LINK) ?? []), ...attributes]);
}

/** Lines shorter than this may stand in a letter and in an answer by chance. */
const MIN_QUOTED_CHARS = 24;
/** More comparisons of lines than this, and whether a mail quotes a letter stays unsure. */
const MAX_COMPARISONS = 200_000;

/**
 * A visit that removes the links of a mail that answers or holds a letter: a link rewriter may have hidden a secret in
 * any of them. Links in its new words stay, unless these words repeat the letter's own or cannot be told from a quote.
 */
export function removingLinks(extraction: Extraction, letters: readonly string[]): Visit {
  const keep = hasOwnWords(extraction, letters)
    ? linksIn(extraction.extracted_text, extraction.extracted_html)
    : new Set<string>();
  return (text, place) => {
    if (place === "html") return removeHtmlLinks(text, keep);
    return place === "text" || place === "header" || place === "filename" ? removeLinks(text, keep) : text;
  };
}

/** Whether the new words are surely the author's own: a quote was found and cut off, and no line is the letter's. */
function hasOwnWords(
  { extracted_text, removed_chars, method }: Extraction,
  letters: readonly string[],
): boolean {
  const lines = new Set(
    letters
      .flatMap((letter) => letter.split("\n").map(bare))
      .filter((line) => line.length >= MIN_QUOTED_CHARS),
  );
  if (letters.length === 0 || method === "forward" || method === "inline_reply") return false;
  const words = extracted_text.split("\n").map(bare);
  if (removed_chars === 0 && words.length * lines.size > MAX_COMPARISONS) return false;
  return removed_chars > 0
    ? !words.some((line) => lines.has(line))
    : !words.some((line) =>
        [...lines].some(
          (quoted) => line.includes(quoted) || (quoted.includes(line) && line.length >= MIN_QUOTED_CHARS),
        ),
      );
}

/** The target of a link, which the new text of HTML has behind the link's words. */
const TARGET = / \((?:https?:|mailto:|tel:|a link )[^()]{0,2500}\)/g;

const bare = (line: string): string =>
  line
    .replace(TARGET, "")
    .replace(/^[\s>|]+/, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
