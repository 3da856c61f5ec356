import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { cleanHtml } from "../mail/outgoing-html/index.ts";
import type { DraftRecord, HtmlChange } from "../model/drafts.ts";

/** The bodies of a draft, and what was changed in them. */
export type CleanBodies = Pick<DraftRecord, "text" | "html" | "html_changes">;

/**
 * The bodies that an owner is asked about, and that are sent when they approve: the HTML without anything
 * that could hide or move words, and a text part made from it. Without HTML the text stays as it is. Cleaning
 * the result again changes nothing. Fails with `missing_body` when nothing remains, and with
 * `message_too_large` for HTML that is too long to be shown.
 */
export function cleanBodies(
  draft: Pick<DraftRecord, "text" | "html" | "html_changes" | "attachments">,
): CleanBodies {
  const { text, html, html_changes } = draft;
  if (html === null) return { text, html, html_changes };
  if (html.length > LIMITS.approved_html_chars) throw fail("message_too_large", { param: "html" });
  const clean = cleanHtml(html, contentIds(draft));
  if (clean.html.length > LIMITS.approved_html_chars) throw fail("message_too_large", { param: "html" });
  const changes = new Set<HtmlChange>([...html_changes, ...clean.changes]);
  if (clean.html === "") {
    if (!text) throw fail("missing_body", { param: "html" });
    return { text, html: null, html_changes: [...changes].sort() };
  }
  if (text !== null && text !== "" && text !== clean.text) changes.add("text");
  return { text: clean.text, html: clean.html, html_changes: [...changes].sort() };
}

/** Whether a draft's HTML is as an owner may be shown it: cleaning changes nothing. */
export function isClean(draft: Pick<DraftRecord, "html" | "attachments">): boolean {
  const { html } = draft;
  if (html === null) return true;
  return html.length <= LIMITS.approved_html_chars && cleanHtml(html, contentIds(draft)).html === html;
}

const contentIds = ({ attachments }: Pick<DraftRecord, "attachments">): Set<string> =>
  new Set(
    attachments.flatMap(({ content_id }) => (content_id === null ? [] : [content_id.replace(/^<|>$/g, "")])),
  );
