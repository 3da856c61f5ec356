import type { Services } from "../../kernel/context.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { findExpected, mayExpect, NOTHING_EXPECTED } from "../expectations/index.ts";
import type { MailDecision } from "./decide.ts";
import type { Evidence } from "./evidence.ts";

type Expected = Awaited<ReturnType<typeof findExpected>>;

/**
 * Finds what a mail that is about to be stored, or that came at a time, does to its inbox's expectations. Letters of ours and
 * old mail do nothing.
 */
export async function expectedFor(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  { facts }: Pick<MailDecision, "facts">,
  now: Date,
  at = iso(now),
): Promise<Expected> {
  const { mail, origin, stub, report, came_to = inbox.email } = evidence;
  if (stub !== undefined || facts.imported || !mayExpect(inbox, now)) return NOTHING_EXPECTED;
  const { subject, text, html, in_reply_to, references, extraction } = mail;
  return findExpected(services, inbox, {
    came_to: addressKey(came_to),
    from: addressKey(mail.from[0]?.address ?? ""),
    ...{ subject, references: namedBy({ references, in_reply_to }) },
    authenticated: facts.authenticated,
    injected: origin === "injected",
    automatic: facts.marks.strong !== null || facts.marks.weak !== null || report !== undefined,
    held: facts.held,
    at,
    words: {
      ...{ subject, text, html },
      extracted_text: extraction.extracted_text,
      is_reply: in_reply_to !== null,
    },
  });
}

/** The same for a held message that is released: it counts as of when it came. */
export async function expectedOnRelease(
  services: Services,
  inbox: InboxRecord,
  message: MessageRecord,
  { decisions, text, html }: MessageBodyRecord,
  now: Date,
): Promise<Expected> {
  const { subject, extracted_text, in_reply_to, references, labels, channel, envelope_to } = message;
  if (channel !== "email" || decisions?.letter !== undefined || labels.includes("imported"))
    return NOTHING_EXPECTED;
  if (!mayExpect(inbox, now)) return NOTHING_EXPECTED;
  const marks = decisions?.automatic;
  return findExpected(services, inbox, {
    came_to: addressKey(envelope_to ?? inbox.email),
    from: addressKey(message.from),
    ...{ subject, references: namedBy({ references, in_reply_to }) },
    authenticated: message.authenticated,
    injected: labels.includes("injected"),
    automatic: marks?.strong != null || marks?.weak != null,
    held: false,
    at: message.created_at,
    words: { subject, extracted_text, text, html, is_reply: in_reply_to !== null },
  });
}

const namedBy = ({
  references,
  in_reply_to,
}: {
  references: readonly string[];
  in_reply_to: string | null;
}): string[] => [...references, ...(in_reply_to === null ? [] : [in_reply_to])];
