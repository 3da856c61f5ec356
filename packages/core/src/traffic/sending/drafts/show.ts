import type { z } from "zod";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { Options } from "../../../catalogue/options.ts";
import { truncate, truncateBodies } from "../../../mailbox/messages/index.ts";
import { Draft, type DraftRecord } from "../../../model/drafts.ts";
import { nameOf } from "../../../model/mailbox.ts";

/** A draft as callers see it. */
export function showDraft(
  draft: DraftRecord,
  { baseUrl: base_url }: Pick<Options, "baseUrl">,
): z.input<typeof Draft> & { object: "draft" } {
  const attachmentsUrl = `${base_url}/api/v1/inboxes/${draft.inbox_id}/drafts/${draft.id}/attachments`;
  const nameIn = (address: string) => nameOf(address, draft.names);
  return {
    ...draft,
    object: "draft",
    to_names: draft.to.map(nameIn),
    cc_names: draft.cc.map(nameIn),
    bcc_names: draft.bcc.map(nameIn),
    html_changed: draft.html_changes.length > 0,
    attachments: draft.attachments.map((attachment) => ({
      ...attachment,
      url: `${attachmentsUrl}/${attachment.id}`,
    })),
  };
}

/** A draft as lists show it, with truncated bodies. */
export const showDraftInList = (
  draft: DraftRecord,
  options: Pick<Options, "baseUrl">,
): z.input<typeof Draft> => truncateBodies(showDraft(draft, options));

/** A draft as events carry it: its text truncated at 4,000 characters, without html. */
export function showDraftInEvent(
  draft: DraftRecord,
  options: Pick<Options, "baseUrl">,
): Omit<Draft, "html" | "html_truncated"> {
  const { html: _html, ...shown } = Draft.parse(showDraft(draft, options));
  const text = draft.text ?? "";
  return {
    ...shown,
    text: draft.text === null ? null : truncate(text, LIMITS.event_text_chars),
    text_truncated: text.length > LIMITS.event_text_chars,
  };
}
