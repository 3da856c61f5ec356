import { isDomainOfRoot } from "../../../kernel/addresses/inbox-domain.ts";
import { domainOf, isOurDomain } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { refersToOwn } from "../../../kernel/inbox/references.ts";
import { organisationBehind } from "../../../mail/screening/signals/hosts.ts";
import type { InboxProof } from "../../../mail/sender/proof.ts";
import { type EntryProof, entriesFor, letsIn } from "../../../mailbox/allowlist/index.ts";
import { term } from "../../../mailbox/messages/index.ts";
import { addressKey } from "../../../model/address.ts";
import type { AllowlistRecord } from "../../../model/allowlist.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { OwnerRecord } from "../../../model/owners.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";

const MAX_NAMESAKES_READ = 10;
/**
 * The number of owners or allowlist entries of an inbox beyond which each mail reads only those that may name its
 * sender.
 */
const MAX_CHOSEN_CACHED = 100;

type Reading = Pick<Services, "storage" | "cachedRead" | "options">;

/** Returns the comparison form of the From address; empty when the mail has none. */
export const addressOf = ({ from: [author] }: Pick<ParsedMail, "from">): string =>
  addressKey(author?.address ?? "");

/** An inbox's knowledge of the address that a mail states, before the mail's author is proven. */
export interface StatedSender {
  from: string;
  /** The verified owner with that address. */
  owner: OwnerRecord | undefined;
  /** The allowlist entries that name it, and possibly others. */
  entries: readonly AllowlistRecord[];
  /** The inbox has mail from or to it. */
  known: boolean;
  /**
   * The inbox doesn't know it, and wrote to another address of its organisation; false where anybody can have an address.
   */
  organisation_known: boolean;
}

/** An inbox's knowledge of the proven sender of a mail. */
export interface Sender {
  /** Never set for mail from an inbox of this service, whatever its address. */
  owner: OwnerRecord | undefined;
  allowlisted: boolean;
  /** Whether a person in charge made one of the entries that name them. */
  vouched: boolean;
  known: boolean;
  organisation_known: boolean;
  /**
   * The time since which they have been an owner or on the allowlist, whichever is earlier; null if they are neither.
   */
  since: string | null;
}

/** The same, with whether the inbox itself sent the mail. */
export type Author = Sender & { own_message: boolean };
export type StatedAuthor = StatedSender & { own_message: boolean };

/** Determines the sender of a mail among those that its stated address may stand for. */
export function matchSender<S extends StatedSender>(
  { entries, ...stated }: S,
  proof: EntryProof,
): Omit<S, "entries"> & Sender {
  const letting_in = entries.filter((entry) => letsIn(entry, stated.from, proof));
  const owner = proof.kind === "inbox" ? undefined : stated.owner;
  const times = [owner?.verified_at ?? null, ...letting_in.map(({ created_at }) => created_at)];
  const [since = null] = times.filter((time) => time !== null).sort();
  return {
    ...stated,
    owner,
    allowlisted: letting_in.length > 0,
    vouched: letting_in.some(({ made_by }) => made_by === "person"),
    since,
  };
}

/** Returns the proof of a mail's author in the form that list entries are matched against. */
export async function entryProof(
  { storage }: Pick<Services, "storage">,
  { account_id }: Pick<InboxRecord, "account_id">,
  proof: InboxProof | { kind: "person" | "none" },
): Promise<EntryProof> {
  if (proof.kind !== "inbox") return { kind: proof.kind };
  const { kind, inbox_id, address } = proof;
  return { kind, inbox_id, own_domain: await isDomainOfRoot(storage, domainOf(address), account_id) };
}

/** Looks up the stated author, and whether the inbox itself sent the mail, in one batch of reads. */
export async function lookUpAuthor(
  services: Reading,
  inbox: InboxRecord,
  mail: Pick<ParsedMail, "from" | "message_id">,
): Promise<StatedAuthor> {
  const from = addressOf(mail);
  const [chosen, history, own_message] = await Promise.all([
    lookUpChosen(services, inbox.id, from),
    findHistory(services, inbox, from),
    mail.message_id !== null && isOwnMessage(services, inbox.id, mail.message_id),
  ]);
  return { ...senderOf(from, chosen, history), own_message };
}

/** Looks up an address: owner, on the allowlist, known? */
export async function lookUpSender(
  services: Reading,
  inbox: InboxRecord,
  from: string,
): Promise<StatedSender> {
  const [chosen, history] = await Promise.all([
    lookUpChosen(services, inbox.id, from),
    findHistory(services, inbox, from),
  ]);
  return senderOf(from, chosen, history);
}

const senderOf = (from: string, { owner, entries }: Chosen, history: History): StatedSender => ({
  from,
  owner: owner?.status === "verified" ? owner : undefined,
  entries,
  ...history,
});

/**
 * Returns an inbox's owner with that address, in whatever state, and the allowlist entries that name it, possibly
 * with others. Owners and entries change rarely: where reads are cached, a mail uses those that an earlier one has
 * read.
 */
function lookUpChosen(reading: Reading, inbox_id: string, from: string): Chosen | Promise<Chosen> {
  const { storage, cachedRead } = reading;
  if (storage.version === undefined) return lookUpNamed(reading, inbox_id, from);
  const readAll = async () => {
    const [owners, entries] = await Promise.all([
      storage.find("owners", { where: { inbox_id }, limit: MAX_CHOSEN_CACHED + 1 }),
      storage.find("allowlist", { where: { inbox_id }, limit: MAX_CHOSEN_CACHED + 1 }),
    ]);
    const all = owners.length <= MAX_CHOSEN_CACHED && entries.length <= MAX_CHOSEN_CACHED;
    return { chosen: all ? { owners, entries } : undefined };
  };
  const chooseFrom = (all: Awaited<ReturnType<typeof readAll>> | undefined) => {
    if (all?.chosen === undefined) return lookUpNamed(reading, inbox_id, from);
    const { owners, entries } = all.chosen;
    return { owner: owners.find(({ email }) => email === from), entries };
  };
  const all = cachedRead(`chosen ${inbox_id}`, ["owners", "allowlist"], readAll);
  return all instanceof Promise ? all.then(chooseFrom) : chooseFrom(all);
}

/** Reads the same, limited to rows that may name the address. */
async function lookUpNamed({ storage }: Reading, inbox_id: string, from: string): Promise<Chosen> {
  const [[owner], entries] = await Promise.all([
    storage.find("owners", { where: { inbox_id, email: from }, limit: 1 }),
    storage.find("allowlist", { where: { inbox_id, address: { in: entriesFor(from) } }, limit: 2 }),
  ]);
  return { owner, entries };
}

interface Chosen {
  owner: OwnerRecord | undefined;
  entries: readonly AllowlistRecord[];
}

type History = Pick<StatedSender, "known" | "organisation_known">;

/** Looks up, in one read, whether an inbox has mail from or to an address, or else to its organisation. */
async function findHistory(
  { storage, options }: Pick<Services, "storage" | "options">,
  inbox: InboxRecord,
  address: string,
): Promise<History> {
  const domain = domainOf(address);
  // All accounts have addresses at the service's own domain.
  const organisation = isOurDomain({ options }, domain) ? null : organisationBehind(domain);
  const within = organisation === null ? [] : [term.within(organisation)];
  const [row] = await storage.find("message_terms", {
    where: { inbox_id: inbox.id, term: { in: [...termsOfHistory(inbox, address), ...within] } },
    // That of the organisation is the last.
    order: { by: "term", direction: "asc" },
    limit: 1,
  });
  const organisation_known = row !== undefined && within.includes(row.term);
  return { known: row !== undefined && !organisation_known, organisation_known };
}

/**
 * Returns the terms of mail from or to an address. Mail of others to the inbox itself is no history with its own
 * address.
 */
const termsOfHistory = ({ email }: InboxRecord, address: string): string[] =>
  address === addressKey(email) ? [term.from(address)] : [term.from(address), term.to(address)];

/** Whether the inbox has mail from or to an address. */
export const isKnown = async (
  services: Pick<Services, "storage" | "options">,
  inbox: InboxRecord,
  address: string,
): Promise<boolean> => (await findHistory(services, inbox, addressKey(address))).known;

/** The sender's display name when an authenticated sender with another address used it before; else null. */
export async function impersonatedName(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  mail: Pick<ParsedMail, "from">,
): Promise<string | null> {
  const name = mail.from[0]?.name ?? "";
  if (name === "") return null;
  const where = { inbox_id: inbox.id, term: term.name(name) };
  const rows = await storage.find("message_terms", {
    where,
    order: { by: "message_id", direction: "desc" },
    limit: MAX_NAMESAKES_READ,
  });
  if (rows.length === 0) return null;
  const ids = rows.map(({ message_id }) => message_id);
  const namesakes = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return namesakes.some(({ from }) => addressKey(from) !== addressOf(mail)) ? name : null;
}

const isOwnMessage = (
  { storage }: Pick<Services, "storage">,
  inbox_id: string,
  message_id: string,
): Promise<boolean> => refersToOwn(storage, inbox_id, [message_id]);
