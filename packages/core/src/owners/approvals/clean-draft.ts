import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { sentContentId } from "../../mail/attachments.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import type { DraftRecord, HtmlChange } from "../../model/drafts.ts";

/** The bodies of a draft, and what was changed in them. */
export type CleanBodies = Pick<DraftRecord, "text" | "html" | "html_changes">;

/** The fields of a draft that its cleaning depends on. */
export type Cleanable = Pick<DraftRecord, "text" | "html" | "html_changes" | "attachments">;

/** The fields of a draft before cleaning, and its cleaned bodies. */
export interface CleanedDraft {
  of: Cleanable;
  bodies: CleanBodies;
}

/**
 * Cleans a draft's bodies as `cleanBodies` does. It takes long, so it is done before the transaction that asks
 * about the draft. Fails like `cleanBodies`.
 */
export async function cleanDraft(
  services: Pick<Services, "contentWorker">,
  of: Cleanable,
): Promise<CleanedDraft> {
  return { of, bodies: await cleanBodies(services, of) };
}

/** The clean bodies of a draft as it is now. Fails with `draft_changed` when it isn't the one that was cleaned. */
export function bodiesOfSame(cleaned: CleanedDraft | undefined, draft: Cleanable): CleanBodies {
  if (cleaned === undefined || contentOf(cleaned.of) !== contentOf(draft)) throw fail("draft_changed");
  return cleaned.bodies;
}

const contentOf = (draft: Cleanable): string =>
  JSON.stringify([draft.text, draft.html, draft.html_changes, [...contentIds(draft)]]);

/**
 * Returns the bodies that an owner is asked about, and that are sent after approval: the HTML without anything that
 * could hide or move words, and a text part made from it. Without HTML the text stays as it is. Cleaning the result
 * again changes nothing. Fails with `missing_body` when nothing remains, and with `message_too_large` for HTML that
 * is too long to be shown.
 */
async function cleanBodies(
  { contentWorker }: Pick<Services, "contentWorker">,
  draft: Cleanable,
): Promise<CleanBodies> {
  const { text, html, html_changes } = draft;
  if (html === null) return { text, html, html_changes };
  if (html.length > LIMITS.approved_html_chars) throw htmlTooLong();
  const clean = await workOnContent(contentWorker, "cleanHtml", {
    html,
    content_ids: [...contentIds(draft)],
  });
  if (clean.html.length > LIMITS.approved_html_chars) throw htmlTooLong();
  const changes = new Set<HtmlChange>([...html_changes, ...clean.changes]);
  if (clean.html === "") {
    if (!text) throw fail("missing_body", { param: "html" });
    return { text, html: null, html_changes: [...changes].sort() };
  }
  if (text !== null && text !== "" && text !== clean.text) changes.add("text");
  return { text: clean.text, html: clean.html, html_changes: [...changes].sort() };
}

const htmlTooLong = () =>
  fail("message_too_large", {
    param: "html",
    message: "The HTML is too long for an owner to read and approve.",
    fix: `Send at most ${LIMITS.approved_html_chars.toLocaleString("en-US")} characters of HTML, or send text.`,
  });

/** Whether a draft's HTML can be shown to an owner as it is: cleaning changes nothing. */
export async function isClean(
  { contentWorker }: Pick<Services, "contentWorker">,
  draft: Pick<DraftRecord, "html" | "attachments">,
): Promise<boolean> {
  const { html } = draft;
  if (html === null) return true;
  if (html.length > LIMITS.approved_html_chars) return false;
  const content_ids = [...contentIds(draft)];
  return (await workOnContent(contentWorker, "cleanHtml", { html, content_ids })).html === html;
}

/** The Content-IDs of pictures that every reader of the mail sees as it is shown before: each names one that a view can show. */
function contentIds({ attachments }: Pick<DraftRecord, "attachments">): Set<string> {
  const named = attachments.flatMap(({ content_id, size_bytes }) =>
    content_id === null ? [] : [{ id: content_id.replace(/^<|>$/g, ""), size_bytes }],
  );
  const sent = named.map(({ id }) => sentContentId(id));
  const certain = named.filter(
    ({ id, size_bytes }, nth) =>
      sent[nth] === id &&
      sent.indexOf(id) === sent.lastIndexOf(id) &&
      size_bytes <= LIMITS.view_picture_bytes,
  );
  return new Set(certain.map(({ id }) => id));
}
