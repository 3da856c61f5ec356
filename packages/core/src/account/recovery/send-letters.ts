import { newLetterWord } from "../../catalogue/letter-words.ts";
import { nameOfAccount } from "../../kernel/access/account-name.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { keyRecoveredLetter, recoveryLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply, readAskedFrom } from "../../owners/sessions/index.ts";

/** Mails the link of a recovery to a person who has authority over something; nobody else gets a letter. */
export async function sendRecoveryLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, options } = services;
  const recovery = await storage.get("recoveries", job.subject_id);
  if (recovery === undefined || recovery.expires_at <= iso(clock.now())) return endJob(storage, job);
  const { id, email } = recovery;
  if ((await authoritiesOf(services, storage, email)).length === 0) return endJob(storage, job);
  const word = newLetterWord();
  await mailFromNoReply(services, job, {
    kind: "recovery",
    email,
    account_id: null,
    secrets: [{ secret: word, kind: "recover", expires_at: new Date(recovery.expires_at) }],
    open: async (tx) => (await tx.update("recoveries", { id }, { link_hash: hashSecret(word) })).length > 0,
    letter: recoveryLetter({
      link: `${options.baseUrl}/api/v1/recover/confirm?token=${word}`,
      host: new URL(options.baseUrl).host,
      asked_from: readAskedFrom(job.payload),
    }),
  });
}

/** Tells one of those in charge, from no-reply, that a person has recovered a key. */
export async function sendRecoveryNotice(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const key = await storage.get("keys", job.subject_id);
  const { to, keys_revoked, apps_revoked } = job.payload;
  if (key === undefined || key.recovered_by === null || typeof to !== "string") return endJob(storage, job);
  const inbox = key.inbox_id === null ? undefined : await storage.get("inboxes", key.inbox_id);
  await mailFromNoReply(services, job, {
    kind: "key_recovered",
    email: to,
    account_id: key.account_id,
    letter: keyRecoveredLetter({
      email: key.recovered_by,
      over: inbox?.email ?? `the account of ${await nameOfAccount(storage, key.account_id)}`,
      key,
      keys_revoked: Number(keys_revoked),
      apps_revoked: Number(apps_revoked),
      host: new URL(options.baseUrl).host,
    }),
  });
}
