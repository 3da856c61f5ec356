import { nameOfAccount } from "../../kernel/access/account-name.ts";
import { authoritiesOf, authoritiesOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import type { Work } from "../../kernel/work.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { keysLeftLetter } from "../notifications/recovery.ts";
import { mailFromNoReply } from "./mail-from-no-reply.ts";

/** The number of a person's keys that are examined, and the number that a letter names. */
const MAX_KEYS = 500;
const NAMED_KEYS = 50;

/**
 * Queues a letter to everybody who stays in charge when an authority has ended, in its transaction, if keys that its
 * person recovered still work.
 */
export async function tellOfKeysLeft(
  own: Pick<Services, "options">,
  work: Work,
  { account_id, inbox_id, email }: AuthorityRecord,
): Promise<void> {
  if ((await keysLeftBy(own, work, { account_id, email })).length === 0) return;
  const readers = await authoritiesOver(own, work, { account_id, inbox_id });
  for (const to of new Set(readers.map((reader) => reader.email)))
    work.job({ kind: "authority.notice", subject_id: account_id, payload: { account_id, to, email } });
}

/** Tells one of those in charge which keys, recovered by a person who no longer has authority, still work. */
export async function sendKeysLeft(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const { to, email } = job.payload;
  if (typeof to !== "string" || typeof email !== "string") return endJob(storage, job);
  const account_id = job.subject_id;
  const keys = await keysLeftBy(services, storage, { account_id, email });
  if (keys.length === 0) return endJob(storage, job);
  await mailFromNoReply(services, job, {
    kind: "keys_left",
    email: to,
    account_id,
    letter: keysLeftLetter({
      email,
      account: await nameOfAccount(storage, account_id),
      keys: keys.slice(0, NAMED_KEYS),
      more: Math.max(0, keys.length - NAMED_KEYS),
      host: new URL(options.baseUrl).host,
    }),
  });
}

/** Returns an account's keys that a person recovered, that still work, and over which they have no authority now. */
async function keysLeftBy(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find" | "get">,
  { account_id, email }: Pick<AuthorityRecord, "account_id" | "email">,
): Promise<KeyRecord[]> {
  const keys = await storage.find("keys", {
    where: { recovered_by: email },
    order: { by: "id", direction: "desc" },
    limit: MAX_KEYS,
  });
  const authorities = (await authoritiesOf(own, storage, email)).filter(
    (authority) => authority.account_id === account_id,
  );
  const isTheirs = ({ inbox_id }: KeyRecord) =>
    authorities.some((authority) => authority.inbox_id === null || authority.inbox_id === inbox_id);
  return keys.filter((key) => key.account_id === account_id && key.revoked_at === null && !isTheirs(key));
}
