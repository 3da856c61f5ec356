import type { MailReport, ReportedRecipient } from "../mail/reports/report.ts";
import { addressKey, distinctAddresses } from "../model/address.ts";
import type { DeliveryEvent, MessageRecord } from "../model/messages.ts";

/** What a report says about one recipient of the message. */
export interface Finding {
  type: Extract<DeliveryEvent["type"], "bounced" | "complained" | "deferred" | "delivered">;
  /** One of the message's recipients. */
  recipient: string;
  /** `hard` or `soft` for bounces, the feedback type for complaints, else null. */
  kind: string | null;
  detail: string;
}

type Sent = Pick<MessageRecord, "to" | "cc" | "bcc" | "delivery_events">;

const FINDING_TYPE: Record<ReportedRecipient["outcome"], Finding["type"]> = {
  hard: "bounced",
  soft: "bounced",
  delayed: "deferred",
  delivered: "delivered",
};

/**
 * The new findings of a report, per recipient. An unknown address is assumed to be where the message's only
 * recipient forwards to; with several recipients it is ignored. Findings recorded before are left out.
 */
export function newFindings(message: Sent, report: MailReport): Finding[] {
  const reported =
    report.type === "complaint" ? complaints(message, report) : deliveries(message, report.recipients);
  const seen = new Set(
    message.delivery_events.map(({ type, recipient }) => `${type} ${addressKey(recipient)}`),
  );
  return reported.filter(({ type, recipient }) => {
    const key = `${type} ${addressKey(recipient)}`;
    return !seen.has(key) && seen.add(key);
  });
}

function deliveries(message: Sent, reported: readonly ReportedRecipient[]): Finding[] {
  return reported.flatMap(({ address, original, outcome, status, reason, detail }) => {
    const recipient = recipientFor(message, [original, address]);
    if (recipient === undefined) return [];
    const kind = outcome === "hard" || outcome === "soft" ? outcome : null;
    const words = [status, detail === "" ? reason : detail].filter((word) => word !== null && word !== "");
    return [{ type: FINDING_TYPE[outcome], recipient, kind, detail: words.join(" ") }];
  });
}

function complaints(
  message: Sent,
  { recipients, feedback_type }: Extract<MailReport, { type: "complaint" }>,
): Finding[] {
  const named = recipients
    .map((address) => recipientFor(message, [address]))
    .filter((each) => each !== undefined);
  // Providers redact the complainer: with a single recipient it can only be that one.
  const only = recipientFor(message, []);
  const complainers = named.length === 0 && only !== undefined ? [only] : named;
  return complainers.map((recipient) => ({
    type: "complained",
    recipient,
    kind: feedback_type,
    detail: feedback_type,
  }));
}

/** The recipient that matches one of the addresses, else the only recipient. */
function recipientFor({ to, cc, bcc }: Sent, addresses: readonly (string | null)[]): string | undefined {
  const recipients = distinctAddresses([...to, ...cc, ...bcc]);
  const keys = addresses.map((address) => (address === null ? null : addressKey(address)));
  const named = recipients.find((recipient) => keys.includes(addressKey(recipient)));
  return named ?? (recipients.length === 1 ? recipients[0] : undefined);
}
