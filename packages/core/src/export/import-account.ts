import { hash } from "node:crypto";
import { accountWithoutKey, newKey } from "../accounts/index.ts";
import { fail } from "../catalogue/errors.ts";
import { NO_NEXT, newKeyPair } from "../domains/index.ts";
import type { Services } from "../kernel/context.ts";
import { isOutside } from "../kernel/inbox-domain.ts";
import { hashSecret, newToken, newWebhookSecret } from "../kernel/secrets.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { stageBlob, storeMessage } from "../messages/index.ts";
import { canonicalAddress } from "../model/address.ts";
import type { AnyRecord } from "../model/belonging.ts";
import type { DraftRecord } from "../model/drafts.ts";
import { iso } from "../model/fields.ts";
import type { AddressRecord } from "../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../model/messages.ts";
import type { AuthorityRecord } from "../model/people.ts";
import type { TableName } from "../model/tables.ts";
import { giveAuthority } from "../people/index.ts";
import { takeFromPlan } from "../plans/index.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import { addBlobUses } from "../sending/index.ts";
import { type Archive, ArchiveError } from "./archive.ts";
import { checkArchive } from "./check-archive.ts";
import type { ExportProgress } from "./export-account.ts";
import { EXPORTED_KINDS } from "./exported.ts";
import { type AccountArchive, attachmentsIn, mailsIn, openArchive } from "./read-archive.ts";
import { SETTLE } from "./settle.ts";

/** What an import may be told. */
export interface ImportOptions {
  /**
   * Believes the archive about people: owners stay verified, authorities are given. Whoever could write the archive
   * decides then who has charge of the account.
   */
  trust_owners?: boolean;
  /** Who is to have charge of the account. */
  owner?: string | undefined;
  progress?(now: ExportProgress): void;
}

/** What was imported. */
export interface Imported {
  account_id: string;
  /** A new key with full access, which is shown only here. */
  api_key: string;
  /** How many records are new here. */
  records: number;
  /** How many mails and attachments the archive doesn't have although records refer to them. */
  missing_files: number;
}

/** How many keys of an account are looked at for the one that names the import. */
const MAX_KEYS = 10_000;
/** Who gave an authority, when it was the operator. */
const OPERATOR = "operator";
/** Bytes of mails and attachments that are stored in one transaction. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;
const FILES_AT_ONCE = 100;

/**
 * Imports an account from its export into this service: with the same ids, without what is here already, so that it
 * can be repeated after an interruption. All of it is checked before anything is written. Every run makes a new key and
 * revokes those of earlier runs that nobody used. Throws an `ArchiveError` that says what is wrong with the archive;
 * fails with `invalid_address` when `owner` is no outside address.
 */
export async function importAccount(
  services: Services,
  archive: Archive,
  { trust_owners = false, owner, progress = () => {} }: ImportOptions = {},
): Promise<Imported> {
  const owner_email = owner === undefined ? undefined : await outsideAddress(services, owner);
  const opened = await openArchive(archive);
  await checkArchive(services, opened, progress);

  const account_id = opened.head.account.id;
  await insertAccount(services, opened, trust_owners);
  let records = 0;
  const how = { exported_at: opened.head.exported_at, trust_owners };
  for (const kind of EXPORTED_KINDS) {
    let done = 0;
    for await (const batch of opened.records(kind)) {
      const settled = batch.map((record) => SETTLE[kind]?.(record, how) ?? record);
      records += await insertRecords(services, account_id, kind, settled, trust_owners);
      done += batch.length;
      progress({ step: "importing", what: kind, done });
    }
  }
  await importBytes(services, opened, progress);
  return {
    account_id,
    api_key: await openAgain(services, opened, owner_email),
    records,
    missing_files: await countMissing(services, opened),
  };
}

async function outsideAddress(services: Services, text: string): Promise<string> {
  const email = canonicalAddress(text);
  if (email === undefined || !(await isOutside(services, services.storage, email)))
    throw fail("invalid_address", { param: "owner" });
  return email;
}

/** The name of the keys that an import makes; by it an interrupted import is recognised. */
const keyName = ({ head }: AccountArchive): string => `Import of ${head.exported_at}`;

/**
 * Adds the account as a new one, with what of it concerns nobody but itself. Throws when it is here already and this
 * archive didn't bring it: who hands in an archive must not get a key to an account that is in use.
 */
async function insertAccount(
  services: Services,
  archive: AccountArchive,
  trust_owners: boolean,
): Promise<void> {
  const { account } = archive.head;
  const { id, created_at, event_sequence, lifecycle_emails, owner_email_style, owner_email_style_note } =
    account;
  const claimed = trust_owners
    ? { claimed: account.claimed, first_owner_email: account.first_owner_email }
    : {};
  const now = services.clock.now();
  const mark = fullKey(services, id, keyName(archive), now).record;
  await services.storage.transaction(async (tx) => {
    const { record, inserted } = await tx.insert("accounts", {
      ...accountWithoutKey(services, now),
      ...{ id, created_at, event_sequence, lifecycle_emails, owner_email_style, owner_email_style_note },
      ...claimed,
    });
    if (inserted) return tx.append("keys", [{ ...mark, revoked_at: iso(now) }]);
    if (record.deleted_at !== null)
      throw new ArchiveError(
        `${id} was deleted here, and is still being erased. Import it again once \`accounts show\` finds it no more.`,
      );
    const brought = await tx.find("keys", {
      where: { account_id: id, id: { gt: "" } },
      order: { by: "id", direction: "asc" },
      limit: MAX_KEYS,
    });
    if (!brought.some(({ name }) => name === mark.name))
      throw new ArchiveError(
        `${id} is here already, and this archive didn't bring it. Delete it first if the archive is to replace it.`,
      );
  });
}

/** A new key with full access. */
const fullKey = ({ makeId }: Services, account_id: string, name: string, now: Date) =>
  newKey(
    makeId,
    {
      ...{ permissions: null, inbox_id: null, expires_at: null, budget: null },
      ...{ account_id, name, parent_key_id: null },
    },
    now,
  );

/** Adds the records that are not here yet, in one transaction; returns how many those were. */
async function insertRecords(
  services: Services,
  account_id: string,
  kind: TableName,
  records: AnyRecord[],
  trust_owners: boolean,
): Promise<number> {
  const now = services.clock.now();
  return unitOfWork(services, account_id, now, async (work) => {
    let inserted = 0;
    for (const record of records) {
      if (kind === "authorities") {
        const { email } = record as AuthorityRecord;
        if (!trust_owners || !(await isOutside(services, work, email))) continue;
      }
      if (await insertRecord(services, work, kind, record, now)) inserted++;
    }
    return inserted;
  });
}

async function insertRecord(
  services: Services,
  work: Work,
  kind: TableName,
  record: AnyRecord,
  now: Date,
): Promise<boolean> {
  if (kind === "messages") {
    const { body, ...message } = record as MessageRecord & { body: Omit<MessageBodyRecord, "message_id"> };
    return (await storeMessage(work, message, { ...body, message_id: message.id })).inserted;
  }
  const whole = { ...record, ...(await anew(services, kind)) };
  const stored = await work.insert(kind as "addresses", whole as never);
  const account_id = record["account_id"];
  // Another account may have taken an address since it was checked.
  if (account_id !== undefined && stored.record.account_id !== account_id)
    throw new ArchiveError(`A record of ${kind} belongs to another account here since a moment ago.`);
  if (!stored.inserted) return kind === "addresses" && takeAddressBack(work, record as AddressRecord);
  if (kind === "inboxes") await takeFromPlan(services, work, String(account_id), "inboxes", 1, now);
  if (kind === "domains") await takeFromPlan(services, work, String(account_id), "custom_domains", 1, now);
  if (kind === "drafts") addBlobUses(work, whole as unknown as DraftRecord);
  return true;
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
async function anew({ seal }: Services, kind: TableName): Promise<AnyRecord> {
  if (kind === "keys") return { hash: hashSecret(newToken()) };
  if (kind === "domains") return { ...(await newKeyPair({ seal })), ...NO_NEXT, sealed_dns_access: null };
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

/**
 * Stores the mails and attachments that the account's records refer to. Other mails in the mailboxes are made from
 * their messages whenever they are asked for.
 */
async function importBytes(
  services: Services,
  archive: AccountArchive,
  progress: (now: ExportProgress) => void,
): Promise<void> {
  const store = storeInBatches(services, archive.head.account.id);
  let mails = 0;
  for await (const forms of mailsIn(archive)) {
    await store.add(forms);
    progress({ step: "importing", what: "mail", done: ++mails });
  }
  let files = 0;
  for await (const bytes of attachmentsIn(archive)) {
    await store.add([bytes]);
    progress({ step: "importing", what: "files", done: ++files });
  }
  await store.finish();
}

/** Stores bytes that records refer to by their hash, many in one transaction; of several forms those that are meant. */
function storeInBatches(services: Services, account_id: string) {
  let waiting: { name: string; bytes: Uint8Array }[] = [];
  let size = 0;
  const finish = async () => {
    const names = waiting.map(({ name }) => name);
    const uses = await Promise.all(
      names.map((name) => services.storage.find("blob_uses", { where: { hash: name }, limit: 1 })),
    );
    const used = waiting.filter((_, index) => uses[index]?.length === 1);
    waiting = [];
    size = 0;
    const staged: StagedBlob[] = [];
    for (const { bytes } of used) staged.push(await stageBlob(services, bytes));
    if (staged.length === 0) return;
    await unitOfWork(services, account_id, services.clock.now(), async (work) => {
      for (const blob of staged) blob.put(work);
    });
  };
  return {
    async add(forms: Uint8Array[]) {
      for (const bytes of forms) {
        waiting.push({ name: hash("sha256", bytes, "hex"), bytes });
        size += bytes.length;
      }
      if (size >= BYTES_AT_ONCE || waiting.length >= FILES_AT_ONCE) await finish();
    },
    finish,
  };
}

/** How many of the bytes that messages and drafts refer to are not here. */
async function countMissing(services: Services, archive: AccountArchive): Promise<number> {
  let missing = 0;
  for (const kind of ["messages", "drafts"] as const) {
    for await (const batch of archive.records(kind)) {
      for (const { raw_hash = null, attachments } of batch as unknown as Pick<
        MessageRecord,
        "raw_hash" | "attachments"
      >[]) {
        const hashes = [...(raw_hash === null ? [] : [raw_hash]), ...attachments.map((each) => each.hash)];
        for (const name of hashes) if ((await services.blobs.get(name)) === undefined) missing++;
      }
    }
  }
  return missing;
}

/** Makes a new key with full access and revokes earlier ones of this import that nobody used; gives the owner charge. */
async function openAgain(
  services: Services,
  archive: AccountArchive,
  owner: string | undefined,
): Promise<string> {
  const account_id = archive.head.account.id;
  const now = services.clock.now();
  const { record, api_key } = fullKey(services, account_id, keyName(archive), now);
  const { name } = record;
  await unitOfWork(services, account_id, now, async (work) => {
    await work.update(
      "keys",
      { account_id, name, last_used_at: null, revoked_at: null },
      { revoked_at: iso(now) },
    );
    work.append("keys", [record]);
    if (owner === undefined) return;
    await work.update("accounts", { id: account_id }, { claimed: true });
    await work.update("accounts", { id: account_id, first_owner_email: null }, { first_owner_email: owner });
    const whole = { email: owner, account_id, inbox_id: null, given_by: OPERATOR };
    await giveAuthority(services, work, whole, now);
  });
  return api_key;
}
