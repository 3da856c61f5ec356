import { fail } from "../catalogue/errors.ts";
import { isHeld, replyRecipients, replyReferences, replySubject } from "../messages/index.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { SendRequest } from "./send.ts";

type ReplyFields = Pick<SendRequest, "text" | "html" | "labels" | "client_id" | "attachments"> & {
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
};

/** A reply to a message as a mail to send. Fails with `message_held`: what is withheld can't be answered. */
export function replyTo(
  answered: MessageRecord,
  own: string,
  { cc = [], bcc = [], ...reply }: ReplyFields,
  all: boolean,
): SendRequest {
  if (isHeld(answered)) throw fail("message_held");
  const recipients = replyRecipients(answered, own, all);
  const { text, html, labels, client_id, attachments } = reply;
  return {
    ...{ text, html, labels, client_id, attachments },
    to: recipients.to,
    cc: [...new Set([...recipients.cc, ...cc])].filter((address) => !recipients.to.includes(address)),
    bcc,
    reply_to: null,
    subject: replySubject(answered.subject),
    headers: {},
    thread_id: answered.thread_id,
    ...replyReferences(answered),
  };
}
