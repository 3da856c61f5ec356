import type { Services } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import { keyRecoveredLetter } from "../letters/index.ts";
import type { JobRecord } from "../model/jobs.ts";
import { mailFromNoReply } from "../people/index.ts";

/** Tells one of those in charge, from no-reply, that a person has recovered a key. */
export async function sendRecoveryNotice(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const key = await storage.get("keys", job.subject_id);
  const { to, keys_revoked, apps_revoked } = job.payload;
  if (key === undefined || key.recovered_by === null || typeof to !== "string") return endJob(storage, job);
  const inbox = key.inbox_id === null ? undefined : await storage.get("inboxes", key.inbox_id);
  await mailFromNoReply(services, job, {
    email: to,
    letter: keyRecoveredLetter({
      email: key.recovered_by,
      over: inbox?.email ?? `the account ${key.account_id}`,
      key,
      keys_revoked: Number(keys_revoked),
      apps_revoked: Number(apps_revoked),
      host: new URL(options.base_url).host,
    }),
  });
}
