import type { IdPrefix } from "../catalogue/ids.ts";
import { isPersonsAddress, isServiceAddress } from "../inboxes/index.ts";
import type { Services } from "../kernel/context.ts";
import { customDomain, mayBeAt } from "../kernel/custom-domains.ts";
import { isOurDomain } from "../kernel/mail-domain.ts";
import { canonicalAddress } from "../model/address.ts";
import type { AnyRecord } from "../model/belonging.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { type ListEntryRecord, listName } from "../model/lists.ts";
import { type TableName, tables } from "../model/tables.ts";
import type { AnyReader } from "../transfer/index.ts";
import { ArchiveError } from "./archive.ts";
import type { ExportProgress } from "./export-account.ts";
import { EXPORTED_KINDS } from "./exported-kinds.ts";
import type { AccountArchive } from "./read-archive.ts";

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
 * Checks a whole archive before anything of it is written: every record is the account's, nothing in it has an id or
 * address of another account here, and its inboxes are at addresses that this service can have. Throws an
 * `ArchiveError` that names what doesn't fit.
 */
export async function checkArchive(
  services: Services,
  archive: AccountArchive,
  progress: (now: ExportProgress) => void,
): Promise<void> {
  const { account } = archive.head;
  const issued = new Map<unknown, unknown>();
  for await (const batch of archive.outlines("addresses"))
    for (const { address, inbox_id } of batch) issued.set(address, inbox_id);
  const domains = new Set<unknown>();
  for await (const batch of archive.outlines("domains")) for (const { domain } of batch) domains.add(domain);

  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    for await (const batch of archive.outlines(kind)) {
      for (const record of batch) {
        if (Object.hasOwn(record, "account_id") && record["account_id"] !== account.id)
          throw foreign(kind, record, "belongs to another account than account.json says");
        if (kind === "list_entries") checkList(record as ListEntryRecord);
        if (kind === "inboxes") await checkInbox(services, record as InboxRecord, { issued, domains });
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

function checkList(entry: ListEntryRecord): void {
  if (entry.list !== listName(entry.inbox_id ?? entry.account_id, entry.direction, entry.type))
    throw foreign("list_entries", entry, "is on a list that is not its own");
}

/** An inbox's address is one of the account's, at a domain of this service or the account's, and nobody else's. */
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
  if (isServiceAddress(services, email) || (await isPersonsAddress(services.storage, email)))
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
  const other = found.find((record) => record["account_id"] !== account_id);
  if (other !== undefined) throw takenBy(kind, String(other[column]));
}

/** Nothing that the records name by id belongs to another account here. */
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
