import { fail } from "../../../catalogue/errors.ts";
import { isOutside } from "../../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { countImported } from "../../../mailbox/contacts/index.ts";
import { canonicalAddress } from "../../../model/address.ts";
import { iso } from "../../../model/fields.ts";
import { giveAuthority } from "../../../owners/sessions/index.ts";
import { newKey } from "../../accounts/keys/create.ts";
import { accountWithoutKey } from "../../accounts/open.ts";
import { type Archive, ArchiveError } from "../archive.ts";
import type { ExportProgress } from "../export-account.ts";
import { createHashList } from "../hash-list.ts";
import { checkArchive } from "./check-archive.ts";
import { countMissing, importBytes } from "./import-bytes.ts";
import { importRecords, takesPerson } from "./import-records.ts";
import { type AccountArchive, openArchive } from "./read-archive.ts";

/** The options of an import. */
export interface ImportOptions {
  /**
   * Trusts the archive about people: owners stay verified and authorities are kept. Whoever could write to the
   * archive then decides who is in charge of the account.
   */
  trustOwners?: boolean;
  /** The address of the person to put in charge of the account. */
  owner?: string | undefined;
  progress?(now: ExportProgress): void;
  /** Receives a sentence for the operator about each inbox that doesn't send at once. */
  tell?(sentence: string): void;
}

/** The result of an import. */
export interface Imported {
  account_id: string;
  /** A new key with full access, which is shown only here. */
  api_key: string;
  /** The number of records that are new here. */
  records: number;
  /** The number of mails and attachments that records refer to but the archive lacks. */
  missing_files: number;
}

/** The number of an account's keys searched for the one that names the import. */
const MAX_KEYS = 10_000;
/** The `given_by` of authorities that the operator gave. */
const OPERATOR = "operator";
/**
 * Imports an account from its export (the archive itself, or one already opened, for example in another thread) with
 * the same ids. Skips what already exists, so an interrupted import can be repeated. Checks everything before writing
 * anything. Every run creates a new key and revokes the unused keys of earlier runs. Throws an `ArchiveError` that
 * describes a faulty archive; fails with `invalid_address` when `owner` isn't an outside address.
 */
export async function importAccount(
  services: Services,
  archive: Archive | AccountArchive,
  { trustOwners: trust_owners = false, owner, progress = () => {}, tell = () => {} }: ImportOptions = {},
): Promise<Imported> {
  const owner_email = owner === undefined ? undefined : await outsideAddress(services, owner);
  const opened = "head" in archive ? archive : await openArchive(archive);
  await checkArchive(services, opened, progress);

  const account_id = opened.head.account.id;
  await insertAccount(services, opened, trust_owners);
  const used = createHashList();
  const { bulkLoad = (load) => load() } = services.storage;
  const records = await bulkLoad(async () => {
    const inserted = await importRecords(services, opened, { trust_owners, used, tell, progress });
    await importBytes(services, opened, progress);
    return inserted;
  });
  await countImported(services, account_id);
  return {
    account_id,
    api_key: await openAgain(services, opened, owner_email),
    records,
    missing_files: await countMissing(services, used),
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
 * Adds the account as a new one, with only what concerns nobody else. Throws when it already exists here and this
 * archive didn't bring it: handing in an archive must not give a key to an account in use.
 */
async function insertAccount(
  services: Services,
  archive: AccountArchive,
  trust_owners: boolean,
): Promise<void> {
  const { account } = archive.head;
  const { id, created_at, event_sequence, lifecycle_emails, owner_email_style, owner_email_style_note } =
    account;
  const noted = trust_owners ? account.first_owner_email : null;
  const now = services.clock.now();
  const mark = fullKey(services, id, keyName(archive), now).record;
  await services.storage.transaction(async (tx) => {
    const { record, inserted } = await tx.insert("accounts", {
      ...accountWithoutKey(services, now),
      ...{ id, created_at, event_sequence, lifecycle_emails, owner_email_style, owner_email_style_note },
      ...(trust_owners ? { claimed: account.claimed } : {}),
    });
    if (inserted && noted !== null && (await takesPerson(services, tx, noted, now)))
      await tx.update("accounts", { id }, { first_owner_email: noted });
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
