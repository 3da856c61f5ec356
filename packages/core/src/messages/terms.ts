import { addressKey } from "../model/address.ts";
import type { MessageRecord, MessageTermRecord } from "../model/messages.ts";

/** The terms that messages are filtered by, besides thread and time. */
export const term = {
  label: (label: string) => `label:${label}`,
  /** The service labels all inbound and outbound mail so; callers can't set these labels. */
  direction: (direction: MessageRecord["direction"]) =>
    `label:${direction === "inbound" ? "received" : "sent"}`,
  from: (address: string) => `from:${addressKey(address)}`,
  to: (address: string) => `to:${addressKey(address)}`,
  attachment: "has:attachment",
  /** The display name of an authenticated sender, to detect others using it later. */
  name: (name: string) =>
    `name:${name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim().slice(0, 100)}`,
  /** Inbound, unread and not held: returned to a waiting agent. */
  ready: "ready",
} as const;

type TermSource = Pick<
  MessageRecord,
  "labels" | "direction" | "from" | "from_name" | "to" | "cc" | "attachments" | "authenticated"
>;

/** All filter terms of a message. */
export function termsOf({
  labels,
  direction,
  from,
  from_name,
  to,
  cc,
  attachments,
  authenticated,
}: TermSource): string[] {
  const terms = new Set([
    ...labels.map(term.label),
    term.direction(direction),
    term.from(from),
    ...[...to, ...cc].map(term.to),
  ]);
  if (attachments.length > 0) terms.add(term.attachment);
  if (from_name !== null && authenticated) terms.add(term.name(from_name));
  if (isReady({ labels, direction })) terms.add(term.ready);
  return [...terms];
}

/** Whether a waiting agent gets the message: inbound, unread and not held. */
export function isReady({ labels, direction }: Pick<TermSource, "labels" | "direction">): boolean {
  return direction === "inbound" && labels.includes("unread") && !labels.includes("held");
}

/** The filter rows of a message. */
export function termRecords(message: MessageRecord): MessageTermRecord[] {
  return termsOf(message).map((word) => ({ inbox_id: message.inbox_id, term: word, message_id: message.id }));
}
