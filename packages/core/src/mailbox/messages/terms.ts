import { domainOf, organisationBehind } from "../../mail/screening/signals/hosts.ts";
import { addressKey, withoutTag } from "../../model/address.ts";
import type { MessageRecord, MessageTermRecord } from "../../model/messages.ts";

/** The terms that messages are filtered by, besides thread and time. */
export const term = {
  label: (label: string) => `label:${label}`,
  /** The service labels all inbound and outbound mail so; callers can't set these labels. */
  direction: (direction: MessageRecord["direction"]) =>
    `label:${direction === "inbound" ? "received" : "sent"}`,
  from: (address: string) => `from:${addressKey(address)}`,
  to: (address: string) => `to:${addressKey(address)}`,
  /** The address that it was delivered to. */
  envelope_to: (address: string) => `envelope_to:${addressKey(address)}`,
  attachment: "has:attachment",
  /** The display name of an authenticated sender, to detect others using it later. */
  name: (name: string) =>
    `name:${name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim().slice(0, 100)}`,
  /**
   * An organisation with an address that the inbox wrote to. Those who only write to it can't bring this about. It sorts
   * behind the other terms of an address, which are read with it.
   */
  within: (organisation: string) => `within:${organisation}`,
  /** Inbound, unread and not held: returned to a waiting agent. */
  ready: "ready",
  /** Ready, and addressed to the inbox itself, as nearly all mail is: such mail has no row for that address. */
  ready_here: "ready:here",
} as const;

type TermSource = Pick<
  MessageRecord,
  | "labels"
  | "direction"
  | "from"
  | "from_name"
  | "to"
  | "cc"
  | "bcc"
  | "envelope_to"
  | "attachments"
  | "authenticated"
>;

/** All filter terms of a message. */
export function termsOf({
  labels,
  direction,
  from,
  from_name,
  to,
  cc,
  bcc,
  envelope_to,
  attachments,
  authenticated,
}: TermSource): string[] {
  const terms = new Set<string>();
  for (const label of labels) terms.add(term.label(label));
  terms.add(term.direction(direction));
  terms.add(term.from(from));
  for (const address of to) terms.add(term.to(address));
  for (const address of cc) terms.add(term.to(address));
  if (envelope_to !== null) terms.add(term.envelope_to(envelope_to));
  if (attachments.length > 0) terms.add(term.attachment);
  if (from_name !== null && authenticated) terms.add(term.name(from_name));
  if (direction === "outbound")
    for (const address of [...to, ...cc, ...bcc]) {
      const organisation = organisationBehind(domainOf(addressKey(address)));
      if (organisation !== null) terms.add(term.within(organisation));
    }
  if (isReady({ labels, direction })) terms.add(term.ready);
  return [...terms];
}

/** Whether a waiting agent gets the message: inbound, unread and not held. */
export function isReady({ labels, direction }: Pick<TermSource, "labels" | "direction">): boolean {
  return direction === "inbound" && labels.includes("unread") && !labels.includes("held");
}

/** Terms that every ready message meets. It has no rows for them: each row costs a page of its own when mail comes. */
const IMPLIED_BY_READY: readonly string[] = [term.direction("inbound"), term.label("unread")];

/**
 * The terms that a message has rows for: `ready` stands for what it implies, and `ready_here` also for both `ready` and the
 * inbox's address, where that is given. An address without a tag is the inbox's own, to which nearly all mail is
 * delivered: it has no rows.
 */
export function storedTermsOf(message: TermSource, inbox_address?: string): string[] {
  const { envelope_to } = message;
  const is_plain = envelope_to !== null && withoutTag(envelope_to) === envelope_to;
  const unstored = is_plain ? term.envelope_to(envelope_to) : undefined;
  const terms = termsOf(message).filter((word) => word !== unstored);
  if (!isReady(message)) return terms;
  const here = inbox_address === undefined ? undefined : term.to(inbox_address);
  const is_here = here !== undefined && terms.includes(here);
  const implied = is_here ? [...IMPLIED_BY_READY, here, term.ready] : IMPLIED_BY_READY;
  const rest = terms.filter((word) => !implied.includes(word));
  if (is_here) rest.push(term.ready_here);
  return rest;
}

/** All terms that a message may have rows for, whatever version stored it. */
export const everyTermOf = (message: TermSource): string[] =>
  isReady(message) ? [...termsOf(message), term.ready_here] : termsOf(message);

/** The rows of ready messages. */
export const READY_ROWS: readonly string[] = [term.ready, term.ready_here];

/**
 * Returns the terms to read for finding the messages that meet `word`: each has a row of at least one of them. The
 * order ensures that a message marked meanwhile, either way, is found by one of the reads. `inbox_address`: the
 * inbox's own, where `word` may be about it.
 */
export function rowsFor(word: string, inbox_address?: string): readonly string[] {
  if (IMPLIED_BY_READY.includes(word)) return [...READY_ROWS, word, ...READY_ROWS];
  if (inbox_address !== undefined && word === term.envelope_to(inbox_address))
    return rowsFor(term.direction("inbound"));
  // Marking removes `ready_here` and never restores it.
  const is_here = inbox_address !== undefined && word === term.to(inbox_address);
  return is_here ? [term.ready_here, word] : [word];
}

/** The filter rows of a message; of mail that comes to an inbox, with that inbox's address. */
export function termRecords(message: MessageRecord, inbox_address?: string): MessageTermRecord[] {
  const { inbox_id, id: message_id } = message;
  return storedTermsOf(message, inbox_address).map((word) => ({ inbox_id, term: word, message_id }));
}
