import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { canaryLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply } from "../../owners/sessions/index.ts";

/** Tells one of those in charge, from no-reply, that a canary was about to leave. */
export async function sendCanaryLetter(services: Services, job: JobRecord): Promise<void> {
  const { to, name, inbox_email, account_id, pauses } = job.payload;
  if (![to, name, inbox_email, account_id].every((each) => typeof each === "string"))
    return endJob(services.storage, job);
  await mailFromNoReply(services, job, {
    kind: "canary",
    email: String(to),
    account_id: String(account_id),
    letter: canaryLetter({
      name: String(name),
      inbox_email: String(inbox_email),
      pauses: pauses === true,
      host: new URL(services.options.baseUrl).host,
    }),
  });
}
