import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { rootAccount, subAccountsOf } from "../../kernel/access/root-account.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { OwnWords } from "../../mail/own-words.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Candidates of one mail that are looked up. */
const MAX_CANDIDATES = 50;
/** The most webhooks of an account whose secrets are compared. */
const MAX_WEBHOOKS = 1_000;

/** A secret of the account in what is to leave. */
export interface OwnSecret {
  /** What it is, in a few words. */
  what: string;
  /** The key, if it is one that still works. */
  live_key: KeyRecord | undefined;
}

/** With what a secret is looked up. */
interface Looking extends Pick<Services, "seal"> {
  storage: StorageReader;
  inbox: InboxRecord;
  now: Date;
}

/**
 * Finds a secret of the root account and its workspaces, or a word of this service's letters, uploads and links, in
 * what is to leave. Reads nothing from the storage unless a word has the form of one.
 */
export async function findOwnSecret(
  looking: Looking,
  { secrets, of_letters }: OwnWords,
): Promise<OwnSecret | undefined> {
  const { storage, inbox } = looking;
  if (secrets.size > 0) {
    const root_id = (await rootAccount(storage, inbox.account_id))?.id ?? inbox.account_id;
    const accounts = [root_id, ...(await subAccountsOf(storage, root_id))];
    for (const secret of [...secrets].slice(0, MAX_CANDIDATES)) {
      const found = secret.startsWith("whsec_")
        ? await webhookSecret(looking, accounts, secret)
        : await keyOf(looking, accounts, secret);
      if (found !== undefined) return found;
    }
  }
  return of_letters
    ? { what: "a word of a letter, upload or link of this service", live_key: undefined }
    : undefined;
}

async function keyOf(
  { storage, now }: Looking,
  accounts: readonly string[],
  secret: string,
): Promise<OwnSecret | undefined> {
  const [key] = await storage.find("keys", { where: { hash: hashSecret(secret) }, limit: 1 });
  if (key === undefined || !accounts.includes(key.account_id)) return undefined;
  const live = key.revoked_at === null && (key.expires_at === null || key.expires_at > now.toISOString());
  return { what: `the key ${key.prefix}…`, live_key: live ? key : undefined };
}

async function webhookSecret(
  { storage, seal }: Looking,
  accounts: readonly string[],
  secret: string,
): Promise<OwnSecret | undefined> {
  const webhooks = await storage.find("webhooks", {
    where: { account_id: { in: [...accounts] } },
    limit: MAX_WEBHOOKS,
  });
  const sealed = webhooks.flatMap(({ sealed_secret, sealed_previous_secret }) => [
    sealed_secret,
    sealed_previous_secret,
  ]);
  const same = sealed.some((each) => each !== null && seal.open(each) === secret);
  return same ? { what: "the secret of a webhook", live_key: undefined } : undefined;
}

/** The failure of what contains a secret. */
export const ownSecretFault = ({ what }: OwnSecret): LetterslotError =>
  fail("own_secret", { message: `It contains a secret of this account: ${what}.` });

/** Publishes that a working key was about to leave an inbox. */
export async function tellLeaked(
  services: Services,
  inbox: InboxRecord,
  { live_key }: OwnSecret,
  now: Date,
): Promise<void> {
  if (live_key === undefined) return;
  const { id: key_id, prefix, account_id } = live_key;
  await unitOfWork(services, account_id, now, async (work) => {
    const data = { key_id, prefix, from_inbox_id: inbox.id };
    work.publish({ type: "key.leaked", inbox_id: null, data });
  });
}
