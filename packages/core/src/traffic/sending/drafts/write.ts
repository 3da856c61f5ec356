import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import { checkLabels, findBody, findMessage } from "../../../mailbox/messages/index.ts";
import { distinctAddresses } from "../../../model/address.ts";
import type { DraftKind } from "../../../model/drafts.ts";
import { answeredBy, threadingOf } from "../answered.ts";
import { forwardOf } from "../forward.ts";
import { replyTo } from "../reply.ts";
import type { SendRequest } from "../send.ts";

/** The fields of a draft as a caller sets them; a reply or forward provides defaults. */
export type DraftFields = {
  [F in
    | "to"
    | "cc"
    | "bcc"
    | "subject"
    | "headers"
    | "text"
    | "html"
    | "labels"
    | "attachments"
    | "names"
    | "reply_to"]?: SendRequest[F] | undefined;
};

/** The kind of a draft, and the message that it replies to or forwards. */
export interface DraftOrigin {
  kind: DraftKind;
  in_reply_to?: string | undefined;
  forward_of?: string | undefined;
  include_attachments: boolean;
}

/**
 * Composes the mail of a new draft. A reply takes recipients, subject and thread from the message it answers;
 * a forward copies the original's text and attachments, so that it can be sent after the original was
 * deleted. Fails with `invalid_draft`, `message_not_found` or `message_held`.
 */
export async function composeDraft(
  ctx: InboxContext,
  origin: DraftOrigin,
  words: DraftFields,
): Promise<SendRequest> {
  const begun = await begin(ctx, origin, words);
  const mail = {
    ...begun,
    to: words.to ?? begun.to,
    cc: words.cc ?? begun.cc,
    bcc: words.bcc ?? begun.bcc,
    subject: words.subject ?? begun.subject,
    reply_to: words.reply_to ?? begun.reply_to,
    names: words.names,
    headers: words.headers ?? begun.headers,
    labels: words.labels,
    attachments: words.attachments,
  };
  checkDraft(mail);
  return mail;
}

/**
 * Checks what must hold even for an unfinished draft. Fails with `too_many_recipients`, `invalid_label` or
 * `protected_label`.
 */
export function checkDraft({
  to,
  cc,
  bcc,
  labels = [],
}: Pick<SendRequest, "to" | "cc" | "bcc" | "labels">): void {
  if (distinctAddresses([...to, ...cc, ...bcc]).length > LIMITS.recipients)
    throw fail("too_many_recipients", { param: "to" });
  checkLabels(labels, "labels");
}

async function begin(
  ctx: InboxContext,
  { kind, in_reply_to, forward_of, include_attachments }: DraftOrigin,
  words: DraftFields,
): Promise<SendRequest> {
  const { text, html } = words;
  if ((kind === "forward") !== (forward_of !== undefined))
    throw fail("invalid_draft", { param: "forward_of" });
  if (forward_of !== undefined) {
    if (in_reply_to !== undefined) throw fail("invalid_draft", { param: "in_reply_to" });
    const message = await findMessage(ctx.storage, ctx.inbox.id, forward_of);
    const { to = [], subject } = words;
    return forwardOf(message, await findBody(ctx.storage, message), {
      to,
      subject,
      text,
      html,
      include_attachments,
    });
  }
  const answered = in_reply_to === undefined ? undefined : await answeredBy(ctx, in_reply_to);
  if (kind === "new") {
    const empty = { to: [], cc: [], bcc: [], reply_to: null, subject: "", headers: {}, thread_id: null };
    return { ...empty, text, html, ...threadingOf(in_reply_to, answered) };
  }
  if (in_reply_to === undefined) throw fail("invalid_draft", { param: "in_reply_to" });
  if (answered === undefined) throw fail("message_not_found", { param: "in_reply_to" });
  return replyTo(answered, ctx.inbox.email, { text, html }, kind === "reply_all");
}
