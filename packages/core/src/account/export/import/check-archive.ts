import { type IdPrefix, isId } from "../../../catalogue/ids.ts";
import { isServiceAddress } from "../../../kernel/addresses/address-registry.ts";
import { customDomain, mayBeAt } from "../../../kernel/addresses/custom-domains.ts";
import { isOurDomain } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { canonicalAddress } from "../../../model/address.ts";
import type { AnyRecord } from "../../../model/belonging.ts";
import type { AddressRecord, InboxRecord, TrashedInboxRecord } from "../../../model/inboxes.ts";
import { type TableName, tables } from "../../../model/tables.ts";
import type { AnyReader } from "../../transfer/scan.ts";
import { ArchiveError } from "../archive.ts";
import type { ExportProgress } from "../export-account.ts";
import { EXPORTED_KINDS } from "../exported-kinds.ts";
import type { AccountArchive } from "./read-archive.ts";
import { AT_MOST, checkRecord } from "./record-rules.ts";

/** The tables of the records that other records name by id. */
const NAMED: Partial<Record<IdPrefix, TableName>> = {
  key: "keys",
  inb: "inboxes",
  msg: "messages",
  thr: "threads",
  dft: "drafts",
  own: "owners",
  upd: "updates",
  tsk: "tasks",
  wh: "webhooks",
  apr: "approvals",
};

/**
 * Checks a whole archive before anything is written: every record belongs to the account, nothing in it has an id or
 * address of another account here, and its inboxes are at addresses that this service can have. Throws an
 * `ArchiveError` that names the fault.
 */
export async function checkArchive(
  services: Services,
  archive: AccountArchive,
  progress: (now: ExportProgress) => void,
): Promise<void> {
  const { account } = archive.head;
  if (!isId("acct", account.id)) throw new ArchiveError("account.json names no account.");
  const issued = new Map<unknown, unknown>();
  for await (const batch of archive.outlines("addresses"))
    for (const { address, inbox_id } of batch) issued.set(address, inbox_id);
  const emails = new Map<unknown, unknown>();
  for await (const batch of archive.outlines("inboxes"))
    for (const { id, email } of batch) emails.set(id, email);
  for await (const batch of archive.outlines("trashed_inboxes"))
    for (const { id, record } of batch as TrashedInboxRecord[]) emails.set(id, record.email);
  const domains = new Set<unknown>();
  for await (const batch of archive.outlines("domains")) for (const { domain } of batch) domains.add(domain);

  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    const counted = new Map<unknown, number>();
    for await (const batch of archive.outlines(kind)) {
      for (const record of batch) {
        if (Object.hasOwn(record, "account_id") && record["account_id"] !== account.id)
          throw foreign(kind, record, "belongs to another account than account.json says");
        checkRecord(services, kind, record);
        checkCount(kind, record, counted);
        if (kind === "addresses") checkAddress(record as AddressRecord, emails);
        if (kind === "inboxes") await checkInbox(services, record as InboxRecord, { issued, domains });
        if (kind === "trashed_inboxes") {
          const { id, account_id, record: trashed } = record as TrashedInboxRecord;
          if (trashed.id !== id || trashed.account_id !== account_id)
            throw foreign(kind, record, "is another inbox than it says");
          await checkInbox(services, trashed, { issued, domains });
        }
        if (kind === "events" && (record["sequence"] as number) > account.event_sequence)
          throw foreign(kind, record, "comes after the newest event that account.json names");
      }
      await checkKeys(services, kind, batch, account.id);
      await checkNamed(services, kind, batch, account.id);
      done += batch.length;
      progress({ step: "checking", what: kind, done });
    }
  }
  for (const what of ["mail", "files"] as const)
    for await (const done of archive.readThrough(what)) progress({ step: "checking", what, done });
}

function checkCount(kind: TableName, record: AnyRecord, counted: Map<unknown, number>): void {
  const limit = AT_MOST[kind];
  if (limit === undefined) return;
  const whose = record[limit.by];
  const count = (counted.get(whose) ?? 0) + 1;
  counted.set(whose, count);
  if (count > limit.max)
    throw new ArchiveError(`There are more than ${limit.max} ${kind} of ${String(whose).slice(0, 60)}.`);
}

/** An address that leads to an inbox is that inbox's own. */
function checkAddress(record: AddressRecord, emails: ReadonlyMap<unknown, unknown>): void {
  if (record.inbox_id !== null && emails.get(record.inbox_id) !== record.address)
    throw foreign("addresses", record, "leads to an inbox that doesn't have it");
}

/**
 * Checks that an inbox's address is one of the account's, at a domain of this service or of the account, and nobody
 * else's.
 */
async function checkInbox(
  services: Services,
  inbox: InboxRecord,
  { issued, domains }: { issued: ReadonlyMap<unknown, unknown>; domains: ReadonlySet<unknown> },
): Promise<void> {
  const { id, email, username, domain } = inbox;
  if (email !== `${username}@${domain}` || canonicalAddress(email) !== email || issued.get(email) !== id)
    throw foreign("inboxes", inbox, "has an address that the account doesn't have");
  const custom = isOurDomain(services, domain) ? undefined : await customDomain(services.storage, domain);
  const is_own =
    custom === undefined ? domains.has(domain) : await mayBeAt(services.storage, custom, inbox.account_id);
  if (!isOurDomain(services, domain) && !is_own)
    throw new ArchiveError(
      `The inbox ${id} is at ${domain}, which is no domain of this server. Set MAIL_DOMAIN to ${domain}, or import where it is.`,
    );
  const issued_here = await services.storage.get("addresses", email);
  if (isServiceAddress(services, email) || issued_here?.kind === "person" || issued_here?.kind === "service")
    throw new ArchiveError(`The inbox ${id} has the address ${email}, which no inbox can have here.`);
}

/** Records that are here already under the same primary key are the account's own. */
async function checkKeys(
  { storage }: Services,
  kind: TableName,
  batch: AnyRecord[],
  account_id: string,
): Promise<void> {
  const [column, ...others] = tables[kind].key as readonly string[];
  // Longer keys begin with the account, or with an inbox, which `checkNamed` looks at.
  if (column === undefined || others.length > 0) return;
  const found = await findIn(storage, kind, column, batch);
  // The former owner of a bare address may be unknown: it then belongs to a person, which another check covers.
  const other = found.find((record) => (record["account_id"] ?? account_id) !== account_id);
  if (other !== undefined) throw takenBy(kind, String(other[column]));
}

/** Checks that no record named by id belongs to another account here. */
async function checkNamed(
  { storage }: Services,
  kind: TableName,
  batch: AnyRecord[],
  account_id: string,
): Promise<void> {
  const ids = new Map<TableName, Set<string>>();
  for (const value of batch.flatMap((record) => Object.values(record))) {
    if (typeof value !== "string" || value.length > 40) continue;
    const table = NAMED[value.slice(0, value.indexOf("_")) as IdPrefix];
    if (table === undefined) continue;
    ids.set(table, (ids.get(table) ?? new Set()).add(value));
  }
  for (const [table, named] of ids) {
    const found = await findIn(
      storage,
      table,
      "id",
      [...named].map((id) => ({ id })),
    );
    const other = found.find((record) => record["account_id"] !== account_id);
    if (other !== undefined) throw takenBy(kind, String(other["id"]));
  }
}

const AT_ONCE = 500;

async function findIn(reader: AnyReader, table: TableName, column: string, records: AnyRecord[]) {
  const found: AnyRecord[] = [];
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const values = records.slice(at, at + AT_ONCE).map((record) => record[column]);
    found.push(...(await reader.find(table, { where: { [column]: { in: values } }, limit: AT_ONCE })));
  }
  return found;
}

const foreign = (kind: TableName, record: AnyRecord, why: string): ArchiveError =>
  new ArchiveError(`A record of ${kind} (${String(Object.values(record)[0]).slice(0, 60)}) ${why}.`);

const takenBy = (kind: TableName, id: string): ArchiveError =>
  new ArchiveError(
    `${id}, in ${kind}, belongs to another account here. Nothing was imported: an archive can't take over what another account has.`,
  );
