import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { rootAccount, subAccountsOf } from "../../kernel/access/root-account.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { OwnWords } from "../../mail/own-words.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Candidates of one mail that are looked up; with more, it doesn't leave. */
const MAX_CANDIDATES = 1_000;
/** The most webhooks of an account whose secrets are compared, and the most claimed tasks whose tokens are. */
const MAX_WEBHOOKS = 1_000;
const MAX_TASKS = 10_000;

/** A secret of the account in what is to leave. */
export interface OwnSecret {
  /** What it is, in a few words. */
  what: string;
  /** The key, if it is one that still works. */
  live_key: KeyRecord | undefined;
}

type Looking = Pick<InboxContext, "inbox" | "now" | "seal"> & { storage: StorageReader };

/** The failure of something that has one in it. */
export const ownSecretFault = ({ what }: OwnSecret): LetterslotError =>
  fail("own_secret", { message: `It contains a secret of this account: ${what}.` });

/**
 * Finds a secret of the root account and its workspaces, or a word of this service's letters, uploads and links, in
 * what is to leave. Reads nothing from the storage unless a word has the form of one.
 */
export async function findOwnSecret(
  looking: Looking,
  { secrets, tokens, of_letters }: OwnWords,
): Promise<OwnSecret | undefined> {
  const { storage, inbox } = looking;
  if (secrets.size + tokens.size > MAX_CANDIDATES)
    return { what: "more words in the form of a secret than can be looked up", live_key: undefined };
  if (secrets.size + tokens.size > 0) {
    const root_id = (await rootAccount(storage, inbox.account_id))?.id ?? inbox.account_id;
    const accounts = [root_id, ...(await subAccountsOf(storage, root_id))];
    const found =
      (await keyAmong(looking, accounts, secrets)) ?? (await tokenAmong(looking, accounts, tokens));
    if (found !== undefined) return found;
    for (const secret of secrets) {
      if (!secret.startsWith("whsec_")) continue;
      const webhook = await webhookSecret(looking, accounts, secret);
      if (webhook !== undefined) return webhook;
    }
  }
  return of_letters
    ? { what: "a word of a letter, upload or link of this service", live_key: undefined }
    : undefined;
}

/** A key of these accounts, one that still works before others. */
async function keyAmong(
  { storage, now }: Looking,
  accounts: readonly string[],
  secrets: ReadonlySet<string>,
): Promise<OwnSecret | undefined> {
  const hashes = [...secrets].filter((secret) => secret.startsWith("ls_live_")).map(hashSecret);
  if (hashes.length === 0) return undefined;
  const keys = await storage.find("keys", { where: { hash: { in: hashes } }, limit: hashes.length });
  const ours = keys.filter(({ account_id }) => accounts.includes(account_id));
  const works = ({ revoked_at, expires_at }: KeyRecord) =>
    revoked_at === null && (expires_at === null || expires_at > now.toISOString());
  const key = ours.find(works) ?? ours[0];
  return key && { what: `the key ${key.prefix}…`, live_key: works(key) ? key : undefined };
}

/** A token of a session, of an app, or of a worker that has claimed a task or a thread. */
async function tokenAmong(
  { storage }: Looking,
  accounts: readonly string[],
  tokens: ReadonlySet<string>,
): Promise<OwnSecret | undefined> {
  if (tokens.size === 0) return undefined;
  const hashes = [...tokens].map(hashSecret);
  const of_apps = [...tokens].flatMap((token) =>
    ["AccessToken", "RefreshToken"].map((kind) => hashSecret(`${kind}:${token}`)),
  );
  const [sessions, apps, tasks, threads] = await Promise.all([
    storage.find("sessions", { where: { token_hash: { in: hashes } }, limit: 1 }),
    storage.find("oauth_records", { where: { hash: { in: of_apps } }, limit: MAX_CANDIDATES }),
    storage.find("tasks", {
      where: { account_id: { in: [...accounts] }, status: "in_progress" },
      limit: MAX_TASKS,
    }),
    storage.find("threads", { where: { claim_token: { in: hashes } }, limit: MAX_CANDIDATES }),
  ]);
  if (sessions.length > 0) return { what: "the token of a session", live_key: undefined };
  const grants = apps.flatMap(({ grant_id }) => grant_id ?? []);
  const ours =
    grants.length === 0
      ? []
      : await storage.find("oauth_grants", { where: { id: { in: grants } }, limit: grants.length });
  if (ours.some(({ account_id }) => accounts.includes(account_id)))
    return { what: "the token of an app", live_key: undefined };
  const claims = new Set(hashes);
  if (tasks.some(({ claim_token }) => claim_token !== null && claims.has(claim_token)))
    return { what: "the token of a claimed task", live_key: undefined };
  return threads.some(({ account_id }) => accounts.includes(account_id))
    ? { what: "the token of a thread's lease", live_key: undefined }
    : undefined;
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
