import type { z } from "zod";
import type { Services } from "../../kernel/context.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { isHeld } from "../../mailbox/messages/index.ts";
import type { Expectation, ExpectationRecord } from "../../model/expectations.ts";

/** An expectation with the code or link in the mail that met it, as long as that mail is there and isn't held. */
export async function showExpectation(
  { storage, contentWorker }: Pick<Services, "storage" | "contentWorker">,
  expectation: ExpectationRecord,
): Promise<z.input<typeof Expectation>> {
  const { kind, message_id } = expectation;
  const nothing = { ...expectation, code: null, link: null };
  if (message_id === null || (kind !== "code" && kind !== "link")) return nothing;
  const [message, body] = await Promise.all([
    storage.get("messages", message_id),
    storage.get("message_bodies", message_id),
  ]);
  if (message === undefined || body === undefined || isHeld(message)) return nothing;
  const { subject, extracted_text, in_reply_to } = message;
  const { text, html } = body;
  const words = { subject, extracted_text, text, html, is_reply: in_reply_to !== null };
  const { codes, links } = await workOnContent(contentWorker, "findInMail", words);
  const [{ code } = { code: null }] = codes;
  const [best] = links;
  return {
    ...expectation,
    code,
    link: best === undefined ? null : { url: best.link, host: best.link_host },
  };
}
