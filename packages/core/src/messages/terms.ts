import type { MessageRecord, MessageTermRecord } from "../model/messages.ts";

/** The words that a message can be filtered by, beside its thread and time. */
export const term = {
  label: (label: string) => `label:${label}`,
  /** All that comes in is labelled so by the service, and all that goes out; nobody else can. */
  direction: (direction: MessageRecord["direction"]) =>
    `label:${direction === "inbound" ? "received" : "sent"}`,
  from: (address: string) => `from:${address}`,
  to: (address: string) => `to:${address}`,
  attachment: "has:attachment",
  /** The display name of a sender who was authenticated: to notice who borrows it later. */
  name: (name: string) =>
    `name:${name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim().slice(0, 100)}`,
  /** Inbound, unread and not held: what a waiting agent is to be given. */
  ready: "ready",
} as const;

type TermSource = Pick<
  MessageRecord,
  "labels" | "direction" | "from" | "from_name" | "to" | "cc" | "attachments" | "authenticated"
>;

/** All filter words of a message. */
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

/** Whether a waiting agent is to be given the message. */
export function isReady({ labels, direction }: Pick<TermSource, "labels" | "direction">): boolean {
  return direction === "inbound" && labels.includes("unread") && !labels.includes("held");
}

/** The filter rows of a message. */
export function termRecords(message: MessageRecord): MessageTermRecord[] {
  return termsOf(message).map((word) => ({ inbox_id: message.inbox_id, term: word, message_id: message.id }));
}
