import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import {
  isAnsweredByMail,
  isHeld,
  replyRecipients,
  replyReferences,
  replySubject,
  truncate,
} from "../../mailbox/messages/index.ts";
import { distinctAddresses, withoutAddresses } from "../../model/address.ts";
import type { Names } from "../../model/mailbox.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { SendRequest } from "./send.ts";

type ReplyFields = Pick<SendRequest, "text" | "html" | "labels" | "client_id" | "attachments"> & {
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  names?: Names | undefined;
};

/**
 * Builds the reply to a message. Fails with `not_a_mail` for a text, call or voicemail, with `message_held`, since a held
 * body is withheld, and with `no_reply_address` for a mail that names nobody to write to.
 */
export function replyTo(
  answered: MessageRecord,
  own: string,
  { cc = [], bcc = [], names, ...reply }: ReplyFields,
  all: boolean,
): SendRequest {
  if (!isAnsweredByMail(answered)) throw fail("not_a_mail");
  if (isHeld(answered)) throw fail("message_held");
  // Whoever got a copy as the one in charge gets one again, if they still are.
  const { owner_copies } = answered;
  const named = { ...answered, cc: withoutAddresses(answered.cc, owner_copies) };
  const recipients = replyRecipients(named, own, all);
  const { to } = recipients;
  if (to.length === 0) throw fail("no_reply_address");
  const copied = withoutAddresses(distinctAddresses([...recipients.cc, ...cc]), to);
  const { text, html, labels, client_id, attachments } = reply;
  return {
    ...{ text, html, labels, client_id, attachments },
    to,
    cc: copied,
    bcc: withoutAddresses(distinctAddresses(bcc), [...to, ...copied]),
    reply_to: null,
    names,
    subject: truncate(replySubject(answered.subject), LIMITS.subject_chars),
    headers: {},
    thread_id: answered.thread_id,
    ...replyReferences(answered),
  };
}
