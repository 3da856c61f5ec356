import { LetterslotError } from "../../../catalogue/errors.ts";
import { keepRetired, takeForInbox, takeForPerson } from "../../../kernel/addresses/address-registry.ts";
import { isOutside, namedByEntry } from "../../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { hashSecret, newToken, newWebhookSecret } from "../../../kernel/secrets.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { createTurns } from "../../../kernel/yield-to-event-loop.ts";
import { takeFromPlan } from "../../../limits/plans/index.ts";
import { appendMessage, blobHashesOf, placesOf, storeMessage } from "../../../mailbox/messages/index.ts";
import type { AnyRecord } from "../../../model/belonging.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { OwnerRecord } from "../../../model/owners.ts";
import type { AuthorityRecord } from "../../../model/people.ts";
import type { SeenSignatureRecord } from "../../../model/seen-signatures.ts";
import { type TableName, tables } from "../../../model/tables.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import type { Transaction } from "../../../ports/storage.ts";
import { endUnlessVerified } from "../../../traffic/forwarding/index.ts";
import { addBlobUses } from "../../../traffic/sending/index.ts";
import { newKeyPair } from "../../domains/create.ts";
import { NO_NEXT } from "../../domains/rules.ts";
import { startOutbound } from "../../inboxes/guards/start.ts";
import { objectionTo } from "../../inboxes/rules.ts";
import type { AnyReader } from "../../transfer/scan.ts";
import { ArchiveError } from "../archive.ts";
import type { ExportProgress } from "../export-account.ts";
import { EXPORTED_KINDS } from "../exported-kinds.ts";
import type { HashList } from "../hash-list.ts";
import type { AccountArchive, ReadRecords, WholeMessage } from "./read-archive.ts";
import { SETTLE } from "./settle.ts";

/** An address as an archive has it: that of an inbox, now or once. */
interface ExportedAddress {
  address: string;
  account_id: string;
  inbox_id: string | null;
  created_at: string;
}

/** The context for importing an archive's records. */
interface ImportedRecords {
  trust_owners: boolean;
  /** Receives a sentence for the operator. */
  tell(sentence: string): void;
  /** Collects the hashes of all mails and attachments that the records refer to. */
  used: HashList;
  progress(now: ExportProgress): void;
}

/** Kinds that are imported one by one, since each of them has further writes or decisions. */
const SINGLY: ReadonlySet<TableName> = new Set<TableName>([
  ...([
    "authorities",
    "owners",
    "inboxes",
    "trashed_inboxes",
    "addresses",
    "domains",
    "keys",
    "webhooks",
    "drafts",
    "trash",
    "seen_signatures",
  ] as const),
]);

/**
 * Tables not imported: an archive's claims about mail that another service sent (the account's recipients and its
 * bounce rates) justify nothing here.
 */
const LEFT_OUT: ReadonlySet<TableName> = new Set<TableName>(["recipients", "sending_days"]);

/**
 * The size of one transaction: pages that many of these records change, and words that many of them contain, are
 * written once for all.
 */
const RECORDS_PER_TRANSACTION = 250;
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;
/** Durable only once the whole load is. */
const PART_OF_LOAD = { part_of_load: true };
/** The number of records whose statements are prepared in one turn of the event loop. */
const RECORDS_PER_TURN = 100;

/** Adds the records of an archive that are not here yet, many in one transaction; returns how many those were. */
export async function importRecords(
  services: Services,
  { head, records }: AccountArchive,
  { trust_owners, used, tell, progress }: ImportedRecords,
): Promise<number> {
  const how = { exported_at: head.exported_at, trust_owners };
  let inserted = 0;
  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    if (LEFT_OUT.has(kind)) continue;
    for await (const batch of together(records(kind))) {
      const settled = batch.records.map((record) => SETTLE[kind]?.(record, how) ?? record);
      if (kind === "messages" || kind === "drafts") noteHashes(used, settled);
      if (kind === "trash")
        noteHashes(
          used,
          settled.map(({ record }) => record as AnyRecord),
        );
      if (kind === "inboxes") for (const inbox of settled as unknown as InboxRecord[]) tellMode(inbox, tell);
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

function tellMode({ email, send_mode }: InboxRecord, tell: ImportedRecords["tell"]): void {
  if (send_mode !== "direct")
    tell(`${email} came in with send mode ${send_mode}: its mail waits for a person who has confirmed here.`);
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
          const { id, email } = record as AuthorityRecord;
          if (!trust_owners || (await work.get("authorities", id)) !== undefined) continue;
          if (!(await takesPerson(services, work, email, now))) continue;
        }
        if (kind === "addresses" && !isWorthKeeping(record as unknown as ExportedAddress)) continue;
        if (kind === "seen_signatures") {
          const inbox = await work.get("inboxes", (record as SeenSignatureRecord).place);
          if (inbox?.account_id !== account_id) continue;
        }
        const settled =
          kind === "owners"
            ? await asPerson(services, work, record as OwnerRecord, now)
            : kind === "inboxes"
              ? await startedHere(services, work, record as InboxRecord)
              : record;
        if (await insertRecord(services, work, kind, settled, now)) inserted++;
      }
      return inserted;
    },
    PART_OF_LOAD,
  );
}

/**
 * Returns which records of a batch are here, as the last columns of their primary keys; undefined if one query can't
 * tell. Throws when one of them belongs to another account.
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

/** Adds the records that are not `known`; if one of them is here after all, adds none. Returns how many. */
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
          work.append(kind as "tasks", [
            { ...record, ...(await anew(services, work, kind, record)) } as never,
          ]);
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
  if (kind === "addresses") return importAddress(work, record as unknown as ExportedAddress, now);
  const whole = { ...record, ...(await anew(services, work, kind, record)) };
  const stored = await work.insert(kind as "tasks", whole as never);
  const account_id = record["account_id"];
  if (typeof account_id === "string") checkOwner(kind, stored.record, account_id);
  if (!stored.inserted) return false;
  if (kind === "inboxes" || kind === "trashed_inboxes")
    await takeFromPlan(services, work, String(account_id), "inboxes", 1, now);
  if (kind === "domains") await takeFromPlan(services, work, String(account_id), "custom_domains", 1, now);
  if (kind === "drafts") addBlobUses(work, whole as unknown as DraftRecord);
  if (kind === "trash") keepTrashed(work, whole as unknown as TrashRecord);
  return true;
}

/** Counts the bytes of what lies in the trash, and records that it uses its blobs. */
function keepTrashed(work: Work, { id, size_bytes, record }: TrashRecord): void {
  const { raw_hash = null, attachments = [] } = record as Partial<MessageRecord>;
  work.countBytes(size_bytes);
  work.append(
    "blob_uses",
    blobHashesOf({ raw_hash, attachments }).map((hash) => ({ hash, message_id: id })),
  );
  work.append("attachment_places", placesOf({ id, attachments }));
}

/** Another account may have taken an address, or whatever else, since it was checked. */
function checkOwner(kind: TableName, record: AnyRecord, account_id: string): void {
  if ((record["account_id"] ?? account_id) !== account_id)
    throw new ArchiveError(`A record of ${kind} belongs to another account here since a moment ago.`);
}

/** Of the addresses that no inbox has, the account keeps those that it could have an inbox at. */
const isWorthKeeping = ({ address, inbox_id }: ExportedAddress): boolean =>
  inbox_id !== null || objectionTo(address.slice(0, address.lastIndexOf("@"))) === null;

/**
 * Takes an address of the archive for its inbox, as creating the inbox does, or keeps it as the account's. Whether a
 * person has it is decided by this service: no export states that.
 */
async function importAddress(
  work: Work,
  { address: email, account_id, inbox_id, created_at }: ExportedAddress,
  now: Date,
): Promise<boolean> {
  const before = await work.get("addresses", email);
  if (before !== undefined && before.account_id !== null) checkOwner("addresses", before, account_id);
  if (inbox_id === null) return keepRetired(work, { address: email, account_id, created_at });
  if (before?.inbox_id === inbox_id) return false;
  await takeForInbox(work, { email, account_id, id: inbox_id }, now);
  return true;
}

/** Takes the address of a person whom the archive gives a say; false where it isn't outside, or is an inbox's here. */
export async function takesPerson(
  services: Services,
  work: Transaction,
  email: string,
  now: Date,
): Promise<boolean> {
  if (!(await isOutside(services, work, email))) return false;
  try {
    await takeForPerson(services, work, email, now);
    return true;
  } catch (error) {
    if (error instanceof LetterslotError && error.code === "address_is_inbox") return false;
    throw error;
  }
}

/**
 * Returns an owner of the archive, pending where the archive isn't trusted or where the address can't be a person's
 * here.
 */
async function asPerson(services: Services, work: Work, owner: OwnerRecord, now: Date): Promise<OwnerRecord> {
  if (owner.status !== "verified" || (await work.get("owners", owner.id)) !== undefined) return owner;
  if (await takesPerson(services, work, owner.email, now)) return owner;
  return { ...owner, status: "pending", verified_at: null };
}

/** The columns that no export has. */
async function anew(
  services: Services,
  work: Work,
  kind: TableName,
  { id, address, entry, record, status }: AnyRecord,
): Promise<AnyRecord> {
  const { seal } = services;
  if (kind === "allowlist") return { names: await namedByEntry(services, work, String(address)) };
  if (kind === "list_entries") return { names: await namedByEntry(services, work, String(entry)) };
  if (kind === "inboxes")
    return { imported_at: iso(services.clock.now()), expects_until: null, forwards_all: false };
  if (kind === "trashed_inboxes")
    return { record: { ...(record as InboxRecord), imported_at: iso(services.clock.now()) } };
  if (kind === "keys") return { hash: hashSecret(newToken()) };
  if (kind === "domains")
    return { ...(await newKeyPair(services, work)), ...NO_NEXT, sealed_dns_access: null };
  if (kind === "phone_numbers") return { held_inbox_id: null, held_e164: null, provider_id: null };
  if (kind === "updates") return { waiting_id: null };
  if (kind === "tasks" || kind === "threads") return { claim_token: null };
  if (kind === "forwardings") {
    const until =
      status === "pending" ? { expires_at: endUnlessVerified(work, String(id), services.clock.now()) } : {};
    return { code_hash: null, code_tries: 0, link_hash: null, confirmed_at: null, ...until };
  }
  if (kind === "owners")
    return {
      code_hash: null,
      code_expires_at: null,
      code_tries: 0,
      code_voided_at: null,
      link_hash: null,
      link_expires_at: null,
    };
  if (kind === "webhooks")
    return {
      sealed_secret: seal.seal(newWebhookSecret()),
      secret_hint: "whsec_…",
      sealed_previous_secret: null,
      sealed_headers: null,
    };
  return {};
}

/** An inbox as it starts here: what was decided elsewhere to let its mail leave or be released counts for nothing. */
async function startedHere(services: Services, work: Work, inbox: InboxRecord): Promise<InboxRecord> {
  const start = await startOutbound(services, work, inbox, { imported: true });
  const asks = start.effective_send_mode !== "direct";
  return { ...inbox, ...start, release_by: asks ? "authority" : inbox.release_by };
}
