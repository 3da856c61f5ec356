import type { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { newMark, quoteLine } from "../../mail/annotated-view/frame.ts";
import type { AttachedMail, MarkedPart } from "../../mail/annotated-view/index.ts";
import { textKind } from "../../mail/attachments.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { NO_AUTH } from "../../model/message-facts.ts";
import type { MarkedMessage, MessageRecord } from "../../model/messages.ts";
import type { Blobs } from "../../ports/blobs.ts";
import { findBody, findMessage } from "./find.ts";
import { isHeld } from "./show.ts";
import { readParentText } from "./threading/parent-text.ts";

const MAX_NAME_CHARS = 100;
const MAX_ADDRESS_CHARS = 320;
/** Recipients that the first line names. */
const MAX_RECIPIENTS = 5;

/** Returns the marked view of a message; of a held one, only the facts. Fails with `message_not_found`. */
export async function readMarked(
  { storage, blobs, inbox, options, contentWorker }: InboxContext,
  message_id: string,
  part: Omit<MarkedPart, "mark">,
): Promise<z.input<typeof MarkedMessage>> {
  const message = await findMessage(storage, inbox.id, message_id);
  const { id, inbox_id, thread_id, subject, from, from_name } = message;
  const shown = { id, inbox_id, thread_id };
  if (isHeld(message)) {
    const text = `${factsOf(message)}\nThe mail is held, and its words are withheld until a person releases it.`;
    return { ...shown, text, chars: 0, total_chars: 0, next_offset: null, hidden_blocks: 0, hidden_chars: 0 };
  }
  const body = await findBody(storage, message);
  const compared = body.decisions?.compared_with;
  const attachments = message.attachments.map((attachment) => ({
    ...attachment,
    readable: options.attachment_text && textKind(attachment) !== null,
  }));
  const mail = {
    text: body.text ?? message.extracted_text,
    html: body.html,
    subject,
    is_reply: message.in_reply_to !== null,
    parent_text: compared && (await readParentText(storage, inbox.id, compared.message_id)),
    takes_answers:
      compared?.takes_answers ?? (body.extraction?.method === "inline_reply" ? undefined : false),
    sender: { address: from, name: from_name ?? "" },
    facts: factsOf(message),
    attachments,
  };
  const view = await workOnContent(contentWorker, "markedView", {
    mail,
    attached: await attachedMails(blobs, message),
    part: { ...part, mark: newMark() },
  });
  return { ...shown, ...view };
}

/** The mails attached to a message, as far as the marked view embeds them; the others are listed like any file. */
async function attachedMails(
  blobs: Pick<Blobs, "get">,
  { attachments }: Pick<MessageRecord, "attachments">,
): Promise<AttachedMail[]> {
  const mails: AttachedMail[] = [];
  let left = LIMITS.marked_attached_bytes;
  for (const attachment of attachments.filter((each) => textKind(each) === "mail")) {
    const { id, hash, size_bytes } = attachment;
    if (size_bytes > left || mails.length === LIMITS.marked_attached_mails) continue;
    const bytes = await blobs.get(hash);
    if (bytes === undefined) continue;
    left -= size_bytes;
    mails.push({ id, bytes });
  }
  return mails;
}

/** Describes the service's own knowledge of a message in fixed words. */
function factsOf(message: MessageRecord): string {
  const { direction, channel, from, from_name, to, created_at, safety, status } = message;
  const kind = {
    email: "Mail",
    sms: "Text message",
    voice: "Call",
    voicemail: "Voicemail",
    console: "Message",
  }[channel];
  const name = from_name === null ? "" : ` (display name ${quoteLine(from_name, MAX_NAME_CHARS)})`;
  const who = `from ${from === "" ? "no address" : addressOf(from)}${name} to ${recipientsOf(to)}`;
  if (direction === "outbound") return `${kind} sent ${who}, ${created_at}. Status: ${status}.`;
  const checked =
    channel === "email"
      ? ` ${authenticationOf(message)}`
      : channel === "console"
        ? " Its author was signed in."
        : "";
  const screening =
    safety === null || safety.mode === "off"
      ? "Screening: not done."
      : `Screening: ${safety.verdict}, ${safety.score} of 100.`;
  return `${kind} received ${who}, ${created_at}.${checked} ${screening}`;
}

function authenticationOf({ authenticated, auth }: MessageRecord): string {
  const { spf, dkim, dmarc } = auth ?? NO_AUTH;
  const results = `SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}`;
  if (auth?.imported === true)
    return `Sender NOT authenticated here: the mail was imported, and ${results} is its archive's word.`;
  return authenticated
    ? `Sender authenticated (${results}).`
    : `Sender NOT authenticated (${results}): the address may be forged.`;
}

/** An address that is safe in a line of ours: a quoted local part may hold anything. */
const addressOf = (address: string): string =>
  /^[^\s"\\<>()[\],;:]+$/u.test(address)
    ? address.slice(0, MAX_ADDRESS_CHARS)
    : quoteLine(address, MAX_ADDRESS_CHARS);

function recipientsOf(to: readonly string[]): string {
  const named = to.slice(0, MAX_RECIPIENTS).map(addressOf).join(", ");
  const more = to.length - MAX_RECIPIENTS;
  if (to.length === 0) return "nobody";
  return more > 0 ? `${named} and ${more} more` : named;
}
