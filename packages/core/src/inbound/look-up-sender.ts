import { entriesFor, isAllowlisted } from "../allowlist/index.ts";
import type { Services } from "../kernel/context.ts";
import { term } from "../messages/index.ts";
import { addressKey } from "../model/address.ts";
import type { AllowlistRecord } from "../model/allowlist.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";

const MAX_NAMESAKES_READ = 10;
/** Where an inbox has more owners or allowlist entries, each mail reads only those that may name its sender. */
const MAX_CHOSEN_CACHED = 100;

type Reading = Pick<Services, "storage" | "cachedRead">;

/** What the From address is compared by; empty when the mail has none. */
export const addressOf = ({ from: [author] }: Pick<ParsedMail, "from">): string =>
  addressKey(author?.address ?? "");

/** What the inbox knows about a mail's stated author; whether From is genuine is decided separately. */
export type Author = Awaited<ReturnType<typeof lookUpAuthor>>;

/** Looks up the stated author, and whether the inbox itself sent the mail, in one batch of reads. */
export async function lookUpAuthor(
  services: Reading,
  inbox: InboxRecord,
  mail: Pick<ParsedMail, "from" | "message_id">,
) {
  const from = addressOf(mail);
  const [chosen, history, own_message] = await Promise.all([
    lookUpChosen(services, inbox.id, from),
    findHistory(services, inbox, from),
    mail.message_id !== null && isOwnMessage(services, inbox.id, mail.message_id),
  ]);
  return { ...senderOf(from, chosen, history), own_message };
}

/** Looks up an address: owner, allowlisted, known? Whether From is genuine is decided separately. */
export async function lookUpSender(services: Reading, inbox: InboxRecord, from: string) {
  const [chosen, history] = await Promise.all([
    lookUpChosen(services, inbox.id, from),
    findHistory(services, inbox, from),
  ]);
  return senderOf(from, chosen, history);
}

const senderOf = (from: string, { owner, entries }: Chosen, history: readonly unknown[]) => ({
  owner: owner?.status === "verified" ? owner : undefined,
  allowlisted: isAllowlisted(entries, from),
  known: history.length > 0,
});

/**
 * An inbox's owner with that address, in whatever state, and at least those entries of its allowlist that name it. Owners
 * and entries change rarely: where reads are cached, a mail looks into those that an earlier one has read.
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

/** The same, of those alone that may name the address. */
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

/** A row of mail from or to an address, if there is any. */
const findHistory = ({ storage }: Pick<Services, "storage">, inbox: InboxRecord, address: string) =>
  storage.find("message_terms", {
    where: { inbox_id: inbox.id, term: { in: termsOfHistory(inbox, address) } },
    limit: 1,
  });

/** The terms of mail from or to an address. That others write to the inbox itself is no history with its own address. */
const termsOfHistory = ({ email }: InboxRecord, address: string): string[] =>
  address === addressKey(email) ? [term.from(address)] : [term.from(address), term.to(address)];

/** Whether the inbox has mail from or to an address. */
export const isKnown = async (
  services: Pick<Services, "storage">,
  inbox: InboxRecord,
  address: string,
): Promise<boolean> => (await findHistory(services, inbox, addressKey(address))).length > 0;

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

async function isOwnMessage(
  { storage }: Pick<Services, "storage">,
  inbox_id: string,
  reference: string,
): Promise<boolean> {
  const rows = await storage.find("message_references", {
    where: { inbox_id, reference, own: true },
    limit: 1,
  });
  return rows.length > 0;
}
