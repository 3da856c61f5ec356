import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { ownerCopiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { truncate } from "../../mailbox/messages/index.ts";
import type { ApprovalRecord, ApprovalReview } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { mailboxText } from "../../model/mailbox.ts";
import { findActiveNumber } from "../../phone/telephony/index.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { countingPasskeys } from "../passkeys/index.ts";
import { isClean } from "./clean-draft.ts";
import { heldMailOf } from "./held-review.ts";
import { approvalFor, READS_ALL, READS_NONE, reasonSentences } from "./reasons.ts";
import { versionsUntil } from "./versions.ts";

/** An approval and the person who reads it. */
interface Reading {
  approval: ApprovalRecord;
  email: string;
  decides: boolean;
  /** Whether they are signed in, and not only have a letter's link. */
  signed_in: boolean;
}

/**
 * The content of the owner's page; for a mail all headers, both bodies and the attachments. Fails with
 * `approval_link_invalid`.
 */
export async function reviewOf(
  services: Pick<Services, "storage" | "contentWorker" | "options" | "clock">,
  { approval, email: owner_email, decides, signed_in }: Reading,
): Promise<z.input<typeof ApprovalReview>> {
  const { storage } = services;
  const inbox = await storage.get("inboxes", approval.inbox_id);
  if (inbox === undefined) throw fail("approval_link_invalid", { param: "token" });
  const draft =
    approval.subject_type === "draft" ? await storage.get("drafts", approval.subject_id) : undefined;
  // Mail that was held before its HTML was cleaned must not be rendered.
  const renders = draft?.html != null && (await isClean(services, draft));
  const { email, display_name } = inbox;
  const mayRead = decides ? READS_ALL : READS_NONE;
  return {
    approval: approvalFor(approval, mayRead),
    reasons: reasonSentences(approval, mayRead),
    versions: await versionsUntil(storage, approval),
    inbox_email: email,
    inbox_display_name: display_name,
    owner_email,
    account_id: approval.account_id,
    approve_with: inbox.approve_with,
    has_passkey: decides && (await hasPasskey(services, approval, owner_email)),
    decides,
    webhook: await webhookOf(storage, approval),
    held: decides && signed_in ? await heldMailOf(services, approval) : null,
    mail:
      draft === undefined
        ? null
        : {
            ...draft,
            ...namedIn(draft),
            owner_copy: inbox.owner_copy,
            owner_copies: isWords(draft) ? [] : await ownerCopiesOf(services, storage, inbox),
            from: await senderOf(storage, inbox, draft),
            text: cutBody(draft.text),
            html: cutBody(draft.html),
            html_text: await htmlText(services, draft, renders),
            html_renders: renders,
            truncated: [draft.text, draft.html].some(
              (body) => (body?.length ?? 0) > LIMITS.review_body_chars,
            ),
          },
  };
}

/** Whether a person has a passkey that counts over an approval. */
async function hasPasskey(
  services: Pick<Services, "storage" | "options" | "clock">,
  { account_id, inbox_id }: ApprovalRecord,
  email: string,
): Promise<boolean> {
  const over = { email, account_id, inbox_id };
  return (await countingPasskeys(services, services.storage, over, services.clock.now())).length > 0;
}

/** The webhook that an approval is about, in words for people. */
async function webhookOf(
  storage: StorageReader,
  { subject_type, change }: ApprovalRecord,
): Promise<ApprovalReview["webhook"]> {
  if (subject_type !== "webhook_change") return null;
  const { url = "", headers = "", inboxes = "", webhook_id } = change;
  const ids = inboxes === "" ? [] : inboxes.split(", ");
  const found = await Promise.all(ids.map((id) => storage.get("inboxes", id)));
  return {
    ...{ url, host: new URL(url).host, headers: headers === "" ? [] : headers.split(", ") },
    ...{ inboxes: found.flatMap((inbox) => inbox?.email ?? []), is_new: webhook_id === undefined },
  };
}

/** Whether it is a text or call, of which nobody gets a copy. */
const isWords = ({ kind }: DraftRecord): boolean => kind === "sms" || kind === "call";

/** The address that a mail comes from, or the number of a text or call as it is now. */
async function senderOf(
  storage: StorageReader,
  { id, email, display_name }: InboxRecord,
  { kind }: DraftRecord,
): Promise<string> {
  if (kind === "sms" || kind === "call") return (await findActiveNumber(storage, id))?.e164 ?? "";
  return display_name === null ? email : `${display_name} <${email}>`;
}

async function htmlText(
  { contentWorker }: Pick<Services, "contentWorker">,
  { text, html }: DraftRecord,
  renders: boolean,
): Promise<string | null> {
  if (html === null) return null;
  return renders ? cutBody(text) : workOnContent(contentWorker, "htmlToText", cutBody(html) ?? "");
}

/** Returns the address fields in the form that the mail's header and its recipients will show. */
const namedIn = ({ to, cc, bcc, reply_to, names }: DraftRecord) => {
  const named = (address: string) => mailboxText(address, names);
  return {
    to: to.map(named),
    cc: cc.map(named),
    bcc: bcc.map(named),
    reply_to: reply_to === null ? null : named(reply_to),
  };
};

const cutBody = (body: string | null): string | null =>
  body === null ? null : truncate(body, LIMITS.review_body_chars);
