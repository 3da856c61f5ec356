import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { AddressRecord } from "../../model/inboxes.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import { rootAccount } from "../access/root-account.ts";
import type { Services } from "../context.ts";
import { customDomain, mayBeAt } from "./custom-domains.ts";
import { inboxDomain } from "./inbox-domain.ts";
import { addressAt, domainOf } from "./mail-domain.ts";

type Own = Pick<Services, "options">;
type Reader = Pick<StorageReader, "get" | "find">;
type Writer = Reader & Pick<StorageWriter, "insert" | "update" | "delete">;
type Issued = Pick<AddressRecord, "address" | "kind" | "account_id" | "inbox_id">;

/**
 * Takes an address for an inbox, in the transaction that makes the inbox: of all who want it at once, inbox or person,
 * one gets it. Invitations of a person there are over. Fails with `username_taken`.
 */
export async function takeForInbox(
  tx: Writer,
  { email: address, account_id, id: inbox_id }: { email: string; account_id: string; id: string },
  now: Date,
): Promise<void> {
  const taken = { kind: "inbox" as const, account_id, inbox_id };
  const { record, inserted } = await tx.insert("addresses", {
    ...{ address, domain: domainOf(address) },
    ...taken,
    created_at: iso(now),
  });
  if (!inserted && record.inbox_id !== inbox_id && !(await takeFrom(tx, record, taken, now)))
    throw fail("username_taken", { param: "username", ...(await fixForTaken(tx, record, account_id)) });
  const over = { code_expires_at: iso(now), link_expires_at: iso(now) };
  await tx.update("owners", { email: address, status: "pending" }, over);
}

/** The fix to suggest when the account's own inbox in the trash has the address. */
async function fixForTaken(
  reader: Reader,
  { inbox_id }: Issued,
  account_id: string,
): Promise<{ fix?: string }> {
  const trashed = inbox_id === null ? undefined : await reader.get("trashed_inboxes", inbox_id);
  if (trashed?.account_id !== account_id) return {};
  const path = `/inboxes/${trashed.id}`;
  return {
    fix: `An inbox in the trash has it: restore that with POST ${path}/restore, or delete it for good with DELETE ${path}?permanent=true.`,
  };
}

/** Moves an address that an account had, or has lost, to an inbox; false when it can't be had. */
async function takeFrom(
  tx: Writer,
  { address, kind, account_id, inbox_id }: Issued,
  taken: Pick<AddressRecord, "kind" | "account_id" | "inbox_id">,
  now: Date,
): Promise<boolean> {
  if (account_id === null || (kind !== "retired" && kind !== "inbox")) return false;
  const is_own = kind === "retired" && account_id === taken.account_id;
  if (!is_own && !(await hasLostAddress(tx, { address, account_id }, now))) return false;
  return (await tx.update("addresses", { address, kind, account_id, inbox_id }, taken)).length > 0;
}

/**
 * Takes an address for a person, in the transaction that makes them a verified owner, an authority or the noted first
 * address of an account. Fails with `address_is_inbox` where an inbox of this service has it; one that was deleted, or
 * whose account has no right to its domain any more, bars no person.
 */
export async function takeForPerson(own: Own, tx: Writer, address: string, now: Date): Promise<void> {
  const place = { address, domain: domainOf(address) };
  const fresh = { ...place, kind: "person" as const, account_id: null, inbox_id: null };
  const { record, inserted } = await tx.insert("addresses", { ...fresh, created_at: iso(now) });
  if (inserted) return;
  if (await isBarred(own, tx, record)) throw fail("address_is_inbox");
  // The row is written even where a person has it: who ends the last other right there waits, and finds this one.
  const { kind, inbox_id } = record;
  const held = await tx.update("addresses", { address, kind, inbox_id }, { kind: "person" });
  if (held.length === 0) await takeForPerson(own, tx, address, now);
}

/** Fails with `address_is_inbox` when no person can have this address. */
export async function checkNoInbox(own: Own, reader: Reader, address: string): Promise<void> {
  const issued = await reader.get("addresses", address);
  if (issued !== undefined && (await isBarred(own, reader, issued))) throw fail("address_is_inbox");
}

async function isBarred(own: Own, reader: Reader, { kind, inbox_id }: Issued): Promise<boolean> {
  if (kind === "service") return true;
  if (kind !== "inbox" || inbox_id === null) return false;
  const inbox =
    (await reader.get("inboxes", inbox_id)) ?? (await reader.get("trashed_inboxes", inbox_id))?.record;
  return inbox !== undefined && (await inboxDomain(own, reader, inbox)).held;
}

/** Keeps an address that an account once had, without an inbox; for an account that comes back from its export. */
export async function keepRetired(
  tx: Writer,
  { address, account_id, created_at }: Pick<AddressRecord, "address" | "account_id" | "created_at">,
): Promise<boolean> {
  const place = { address, domain: domainOf(address) };
  const retired = { ...place, kind: "retired" as const, account_id, inbox_id: null, created_at };
  if ((await tx.insert("addresses", retired)).inserted) return true;
  const kept = await tx.update("addresses", { address, kind: "person", account_id: null }, { account_id });
  return kept.length > 0;
}

/** Retires the address of an inbox that is closed, in the same transaction: it stays with the account. */
export async function retireAddress(tx: Writer, inbox_id: string): Promise<void> {
  await tx.update("addresses", { inbox_id, kind: "inbox" }, { kind: "retired", inbox_id: null });
  await tx.update("addresses", { inbox_id }, { inbox_id: null });
}

/**
 * Gives addresses back at which a right of a person ended, in the same transaction: where none is left, the address is
 * what it was before.
 */
export async function endPersons(tx: Writer, emails: Iterable<string>): Promise<void> {
  for (const address of [...new Set(emails)].sort()) {
    const where = { address, kind: "person" as const };
    const [held] = await tx.update("addresses", where, { kind: "person" });
    if (held === undefined || (await hasPerson(tx, address))) continue;
    if (held.account_id === null) await tx.delete("addresses", where);
    else await tx.update("addresses", where, { kind: held.inbox_id === null ? "retired" : "inbox" });
  }
}

/** Whether somebody at an address is a verified owner, holds authority, or is the noted first address of an account. */
async function hasPerson(reader: Reader, email: string): Promise<boolean> {
  const [owners, authorities, noted] = await Promise.all([
    reader.find("owners", { where: { email, status: "verified" }, limit: 1 }),
    reader.find("authorities", { where: { email }, limit: 1 }),
    reader.find("accounts", { where: { first_owner_email: email }, limit: 1 }),
  ]);
  return [owners, authorities, noted].some((found) => found.length > 0);
}

/** Whether an account can have an address as an inbox. */
export async function isFreeAddress(
  reader: Reader,
  address: string,
  account_id: string,
  now: Date,
): Promise<boolean> {
  const issued = await reader.get("addresses", address);
  if (issued === undefined) return true;
  if (issued.account_id === null || issued.kind === "person" || issued.kind === "service") return false;
  if (issued.kind === "retired" && issued.account_id === account_id) return true;
  return hasLostAddress(reader, { address, account_id: issued.account_id }, now);
}

/**
 * Whether an account has lost an address for good: it is at a custom domain that an account with which it has nothing to
 * do has proven since. Where the domain was deleted, it keeps its addresses for 30 days.
 */
async function hasLostAddress(
  reader: Reader,
  { address, account_id }: { address: string; account_id: string },
  now: Date,
): Promise<boolean> {
  const domain = domainOf(address);
  const custom = await customDomain(reader, domain);
  if (custom === undefined || (await mayBeAt(reader, custom, account_id))) return false;
  const [before, present, deleted] = await Promise.all([
    rootAccount(reader, account_id),
    rootAccount(reader, custom.account_id),
    reader.get("counters", holdOf(domain)),
  ]);
  const is_held = deleted !== undefined && deleted.expires_at > iso(now);
  return !is_held && (before?.id ?? account_id) !== (present?.id ?? custom.account_id);
}

const holdOf = (domain: string): string => `deleted-domain:${domain}`;

/** Holds the addresses at a domain back from other accounts for 30 days, in the transaction that deletes the domain. */
export async function holdAddressesAt(tx: Writer, domain: string, now: Date): Promise<void> {
  const expires_at = iso(new Date(now.getTime() + LIMITS.deleted_domain_held_ms));
  const { inserted } = await tx.insert("counters", { name: holdOf(domain), count: 1, expires_at });
  if (!inserted) await tx.update("counters", { name: holdOf(domain) }, { expires_at });
}

/** Addresses that the service itself writes from or receives at. */
const SERVICE_NAMES = ["no-reply", "r", "bounce", "postmaster", "abuse"];
/** Those that an older version gave to anybody: who reads such an inbox would read owners' replies. */
const UNSAFE_NAMES = ["no-reply", "r"];

/** Whether an address, in its canonical form, is one of the service's own, which no inbox can have. */
export const isServiceAddress = (own: Own, address: string): boolean =>
  SERVICE_NAMES.some((name) => addressAt(own, name) === address);

/** Takes the service's own addresses as it starts; answers with those that an inbox holds and that it can't do without. */
export async function takeServiceAddresses({
  storage,
  options,
  clock,
}: Pick<Services, "options" | "clock"> & { storage: Writer }): Promise<string[]> {
  const created_at = iso(clock.now());
  const domain = domainOf(options.mailDomain);
  const fresh = { domain, kind: "service" as const, account_id: null, inbox_id: null, created_at };
  const held: string[] = [];
  for (const name of SERVICE_NAMES) {
    const address = addressAt({ options }, name);
    const { record, inserted } = await storage.insert("addresses", { address, ...fresh });
    if (inserted || record.kind === "service") continue;
    if (record.inbox_id !== null && UNSAFE_NAMES.includes(name)) held.push(address);
  }
  return held;
}

const MAX_CONFLICTS = 100;

/** Inboxes at the address of a person who had it before addresses were registered: at most 100, in order of their ids. */
export async function inboxesOfPersons({
  storage,
}: {
  storage: Pick<StorageReader, "find">;
}): Promise<{ address: string; inbox_id: string }[]> {
  const found = await storage.find("addresses", {
    where: { kind: "person", inbox_id: { gt: "" } },
    order: { by: "inbox_id", direction: "asc" },
    limit: MAX_CONFLICTS,
  });
  return found.map(({ address, inbox_id }) => ({ address, inbox_id: inbox_id ?? "" }));
}
