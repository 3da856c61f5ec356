import type { MailReport, ReportedRecipient } from "../mail/reports/report.ts";
import type { DeliveryEvent, MessageRecord } from "../model/messages.ts";

/** What a report comes to for one recipient of the message. */
export interface Finding {
  type: Extract<DeliveryEvent["type"], "bounced" | "complained" | "deferred" | "delivered">;
  /** One of the message's own recipients. */
  recipient: string;
  /** For bounces `hard` or `soft`, for complaints the kind of feedback, else null. */
  kind: string | null;
  detail: string;
}

type Sent = Pick<MessageRecord, "to" | "cc" | "bcc" | "delivery_events">;

const typeOf: Record<ReportedRecipient["outcome"], Finding["type"]> = {
  hard: "bounced",
  soft: "bounced",
  delayed: "deferred",
  delivered: "delivered",
};

/**
 * What is new in a report, by recipients of the message. An address that the message did not go to is what a
 * forwarder made of its only recipient; where there were several, it tells nothing, and nothing is made of
 * it. What was noted before is left out.
 */
export function findingsOf(message: Sent, report: MailReport): Finding[] {
  const told =
    report.type === "complaint" ? complaints(message, report) : deliveries(message, report.recipients);
  const seen = new Set(
    message.delivery_events.map(({ type, recipient }) => `${type} ${recipient.toLowerCase()}`),
  );
  return told.filter(({ type, recipient }) => {
    const key = `${type} ${recipient.toLowerCase()}`;
    return !seen.has(key) && seen.add(key);
  });
}

function deliveries(message: Sent, reported: readonly ReportedRecipient[]): Finding[] {
  return reported.flatMap(({ address, original, outcome, status, reason, detail }) => {
    const recipient = recipientFor(message, [original, address]);
    if (recipient === undefined) return [];
    const kind = outcome === "hard" || outcome === "soft" ? outcome : null;
    const words = [status, detail === "" ? reason : detail].filter((word) => word !== null && word !== "");
    return [{ type: typeOf[outcome], recipient, kind, detail: words.join(" ") }];
  });
}

function complaints(
  message: Sent,
  { recipients, feedback_type }: Extract<MailReport, { type: "complaint" }>,
): Finding[] {
  const who = recipients
    .map((address) => recipientFor(message, [address]))
    .filter((each) => each !== undefined);
  // Providers black the complainer out: of a mail to one, it can only be that one.
  const only = recipientFor(message, []);
  const named = who.length === 0 && only !== undefined ? [only] : who;
  return named.map((recipient) => ({
    type: "complained",
    recipient,
    kind: feedback_type,
    detail: feedback_type,
  }));
}

/** The recipient of the message that one of the addresses is, else its only one. */
function recipientFor({ to, cc, bcc }: Sent, addresses: readonly (string | null)[]): string | undefined {
  const recipients = [...new Set([...to, ...cc, ...bcc])];
  const named = recipients.find((recipient) => addresses.includes(recipient.toLowerCase()));
  return named ?? (recipients.length === 1 ? recipients[0] : undefined);
}
