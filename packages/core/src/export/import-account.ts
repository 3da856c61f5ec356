import { accountWithoutKey, newKey } from "../accounts/index.ts";
import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { isOutside } from "../kernel/inbox-domain.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { canonicalAddress } from "../model/address.ts";
import { iso } from "../model/fields.ts";
import { giveAuthority } from "../people/index.ts";
import { type Archive, ArchiveError } from "./archive.ts";
import { checkArchive } from "./check-archive.ts";
import type { ExportProgress } from "./export-account.ts";
import { createHashList } from "./hash-list.ts";
import { countMissing, importBytes } from "./import-bytes.ts";
import { importRecords } from "./import-records.ts";
import { type AccountArchive, openArchive } from "./read-archive.ts";

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
/**
 * Imports an account from its export into this service (the archive itself, or opened, as in another thread): with the same ids, without what is here already, so that it
 * can be repeated after an interruption. All of it is checked before anything is written. Every run makes a new key and
 * revokes those of earlier runs that nobody used. Throws an `ArchiveError` that says what is wrong with the archive;
 * fails with `invalid_address` when `owner` is no outside address.
 */
export async function importAccount(
  services: Services,
  archive: Archive | AccountArchive,
  { trust_owners = false, owner, progress = () => {} }: ImportOptions = {},
): Promise<Imported> {
  const owner_email = owner === undefined ? undefined : await outsideAddress(services, owner);
  const opened = "head" in archive ? archive : await openArchive(archive);
  await checkArchive(services, opened, progress);

  const account_id = opened.head.account.id;
  await insertAccount(services, opened, trust_owners);
  const used = createHashList();
  const { bulkLoad = (load) => load() } = services.storage;
  const records = await bulkLoad(async () => {
    const inserted = await importRecords(services, opened, { trust_owners, used, progress });
    await importBytes(services, opened, progress);
    return inserted;
  });
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
