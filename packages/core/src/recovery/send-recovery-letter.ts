import { newLetterWord } from "../catalogue/letter-words.ts";
import { authoritiesOf } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import { hashSecret } from "../kernel/secrets.ts";
import { recoveryLetter } from "../letters/index.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import { mailFromNoReply } from "../people/index.ts";

/** Mails the link of a recovery to a person who has authority over something; nobody else gets a letter. */
export async function sendRecoveryLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, options } = services;
  const recovery = await storage.get("recoveries", job.subject_id);
  if (recovery === undefined || recovery.expires_at <= iso(clock.now())) return endJob(storage, job);
  const { id, email } = recovery;
  if ((await authoritiesOf(services, storage, email)).length === 0) return endJob(storage, job);
  const word = newLetterWord();
  const [open] = await storage.update("recoveries", { id }, { link_hash: hashSecret(word) });
  if (open === undefined) return endJob(storage, job);
  await mailFromNoReply(services, job, {
    email,
    letter: recoveryLetter({
      link: `${options.base_url}/api/v1/recover/confirm?token=${word}`,
      host: new URL(options.base_url).host,
    }),
  });
}
