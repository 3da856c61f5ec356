import { NO_NEXT, newKeyPair } from "../domains/index.ts";
import type { Services } from "../kernel/context.ts";
import { isOutside } from "../kernel/inbox-domain.ts";
import { hashSecret, newToken, newWebhookSecret } from "../kernel/secrets.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { createTurns } from "../kernel/yield-to-event-loop.ts";
import { appendMessage, storeMessage } from "../messages/index.ts";
import type { AnyRecord } from "../model/belonging.ts";
import type { DraftRecord } from "../model/drafts.ts";
import type { AddressRecord } from "../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { AuthorityRecord } from "../model/people.ts";
import { type TableName, tables } from "../model/tables.ts";
import { takeFromPlan } from "../plans/index.ts";
import { addBlobUses } from "../sending/index.ts";
import type { AnyReader } from "../transfer/index.ts";
import { ArchiveError } from "./archive.ts";
import type { ExportProgress } from "./export-account.ts";
import { EXPORTED_KINDS } from "./exported-kinds.ts";
import type { HashList } from "./hash-list.ts";
import type { AccountArchive, ReadRecords, WholeMessage } from "./read-archive.ts";
import { SETTLE } from "./settle.ts";

/** How the records of an archive are imported. */
interface ImportedRecords {
  trust_owners: boolean;
  /** Takes the hashes of all bytes that the records refer to. */
  used: HashList;
  progress(now: ExportProgress): void;
}

/** Kinds that are more than a record: with each of them something else is written, or decided. */
const SINGLY: ReadonlySet<TableName> = new Set<TableName>([
  ...(["authorities", "inboxes", "addresses", "domains", "keys", "webhooks", "drafts"] as const),
]);

/**
 * Records that are stored in one transaction, and how long they may be together: pages that many of them change, and the
 * words that many of them have, are written once for all.
 */
const RECORDS_PER_TRANSACTION = 250;
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;
/** What is stored is durable when the whole load is. */
const PART_OF_LOAD = { part_of_load: true };
/** Records whose statements are prepared in one turn of the event loop. */
const RECORDS_PER_TURN = 100;

/** Adds the records of an archive that are not here yet, many in one transaction; returns how many those were. */
export async function importRecords(
  services: Services,
  { head, records }: AccountArchive,
  { trust_owners, used, progress }: ImportedRecords,
): Promise<number> {
  const how = { exported_at: head.exported_at, trust_owners };
  let inserted = 0;
  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    for await (const batch of together(records(kind))) {
      const settled = batch.records.map((record) => SETTLE[kind]?.(record, how) ?? record);
      if (kind === "messages" || kind === "drafts") noteHashes(used, settled);
      const fresh = { ...batch, records: settled };
      inserted += await insertRecords(services, head.account.id, kind, fresh, trust_owners);
      done += settled.length;
      progress({ step: "importing", what: kind, done });
    }
  }
  return inserted;
}

/** The same records in fewer batches, each for one transaction. */
async function* together(batches: AsyncIterable<ReadRecords>): AsyncGenerator<ReadRecords> {
  let gathered: ReadRecords = { records: [], text_words: [], bytes: 0 };
  for await (const { records, text_words, bytes } of batches) {
    gathered = {
      records: [...gathered.records, ...records],
      text_words: [...gathered.text_words, ...text_words],
      bytes: gathered.bytes + bytes,
    };
    if (gathered.records.length < RECORDS_PER_TRANSACTION && gathered.bytes < BYTES_PER_TRANSACTION) continue;
    yield gathered;
    gathered = { records: [], text_words: [], bytes: 0 };
  }
  if (gathered.records.length > 0) yield gathered;
}

function noteHashes(used: HashList, records: AnyRecord[]): void {
  for (const { raw_hash = null, attachments } of records as Partial<MessageRecord>[]) {
    if (raw_hash !== null) used.add(raw_hash);
    for (const { hash } of attachments ?? []) used.add(hash);
  }
}

/** Adds the records that are not here yet, in one transaction; returns how many those were. */
async function insertRecords(
  services: Services,
  account_id: string,
  kind: TableName,
  { records, text_words }: Omit<ReadRecords, "bytes">,
  trust_owners: boolean,
): Promise<number> {
  const known = SINGLY.has(kind) ? undefined : await knownAmong(services, account_id, kind, records);
  if (known !== undefined) {
    try {
      return await appendRecords(services, account_id, kind, { records, text_words }, known);
    } catch {
      // One of them is the same as another in what is unique: each is tried alone, and what fails again is thrown.
    }
  }
  const now = services.clock.now();
  return unitOfWork(
    services,
    account_id,
    now,
    async (work) => {
      let inserted = 0;
      for (const record of records) {
        if (kind === "authorities") {
          const { email } = record as AuthorityRecord;
          if (!trust_owners || !(await isOutside(services, work, email))) continue;
        }
        if (await insertRecord(services, work, kind, record, now)) inserted++;
      }
      return inserted;
    },
    PART_OF_LOAD,
  );
}

/**
 * Which records of a batch are here, as their primary keys' last columns; undefined if that can't be asked at once.
 * Throws when something of it belongs to another account.
 */
async function knownAmong(
  { storage }: Services,
  account_id: string,
  kind: TableName,
  records: AnyRecord[],
): Promise<ReadonlySet<unknown> | undefined> {
  const columns = tables[kind].key as readonly string[];
  const last = lastOf(kind);
  const group = Object.fromEntries(columns.slice(0, -1).map((column) => [column, records[0]?.[column]]));
  const isInGroup = (record: AnyRecord) =>
    Object.entries(group).every(([column, value]) => record[column] === value);
  if (!records.every(isInGroup)) return undefined;
  const where = { ...group, [last]: { in: records.map((record) => record[last]) } };
  const known = await (storage as AnyReader).find(kind, { where, limit: records.length });
  for (const record of known) checkOwner(kind, record, account_id);
  return new Set(known.map((record) => record[last]));
}

/** The last column of a primary key. */
const lastOf = (kind: TableName): string => (tables[kind].key as readonly string[]).at(-1) ?? "";

/** Adds the records that are not `known`; if one of those is here, none of them. Returns how many. */
async function appendRecords(
  services: Services,
  account_id: string,
  kind: TableName,
  { records, text_words }: Omit<ReadRecords, "bytes">,
  known: ReadonlySet<unknown>,
): Promise<number> {
  const last = lastOf(kind);
  const fresh = [...records.entries()].filter(([, record]) => !known.has(record[last]));
  if (fresh.length === 0) return 0;
  const inTurn = createTurns(services.yieldToEventLoop, RECORDS_PER_TURN);
  await unitOfWork(
    services,
    account_id,
    services.clock.now(),
    async (work) => {
      for (const [index, record] of fresh) {
        await inTurn(1);
        if (kind !== "messages") {
          work.append(kind as "tasks", [{ ...record, ...(await anew(services, kind)) } as never]);
          continue;
        }
        const { message, body } = messageOf(record);
        appendMessage(work, message, body, text_words[index] ?? "");
      }
    },
    PART_OF_LOAD,
  );
  return fresh.length;
}

function messageOf(record: AnyRecord): { message: MessageRecord; body: MessageBodyRecord } {
  const { body, ...message } = record as unknown as WholeMessage;
  return { message, body: { ...body, message_id: message.id } };
}

async function insertRecord(
  services: Services,
  work: Work,
  kind: TableName,
  record: AnyRecord,
  now: Date,
): Promise<boolean> {
  if (kind === "messages") {
    const { message, body } = messageOf(record);
    return (await storeMessage(work, message, body)).inserted;
  }
  const whole = { ...record, ...(await anew(services, kind)) };
  const stored = await work.insert(kind as "addresses", whole as never);
  const account_id = record["account_id"];
  if (typeof account_id === "string") checkOwner(kind, stored.record, account_id);
  if (!stored.inserted) return kind === "addresses" && takeAddressBack(work, record as AddressRecord);
  if (kind === "inboxes") await takeFromPlan(services, work, String(account_id), "inboxes", 1, now);
  if (kind === "domains") await takeFromPlan(services, work, String(account_id), "custom_domains", 1, now);
  if (kind === "drafts") addBlobUses(work, whole as unknown as DraftRecord);
  return true;
}

/** Another account may have taken an address, or whatever else, since it was checked. */
function checkOwner(kind: TableName, record: AnyRecord, account_id: string): void {
  if ((record["account_id"] ?? account_id) !== account_id)
    throw new ArchiveError(`A record of ${kind} belongs to another account here since a moment ago.`);
}

/** An address that stayed with the account when it was deleted leads to its inbox again. */
async function takeAddressBack(
  work: Work,
  { address, account_id, inbox_id }: AddressRecord,
): Promise<boolean> {
  if (inbox_id === null) return false;
  return (await work.update("addresses", { address, account_id, inbox_id: null }, { inbox_id })).length > 0;
}

/** The columns that no export has. */
async function anew(services: Services, kind: TableName): Promise<AnyRecord> {
  const { seal } = services;
  if (kind === "keys") return { hash: hashSecret(newToken()) };
  if (kind === "domains") return { ...(await newKeyPair(services)), ...NO_NEXT, sealed_dns_access: null };
  if (kind === "phone_numbers") return { held_inbox_id: null, held_e164: null, provider_id: null };
  if (kind === "tasks") return { claim_token: null };
  if (kind === "owners")
    return { code_hash: null, code_expires_at: null, code_tries: 0, link_hash: null, link_expires_at: null };
  if (kind === "webhooks")
    return {
      sealed_secret: seal.seal(newWebhookSecret()),
      secret_hint: "whsec_…",
      sealed_previous_secret: null,
      sealed_headers: null,
    };
  return {};
}
