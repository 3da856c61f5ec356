import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { pairedLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply } from "../../owners/sessions/index.ts";

/** Tells one of those in charge, from no-reply, that an agent was let in with a code. */
export async function sendPairingLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const pairing = await storage.get("pairings", job.subject_id);
  const { to } = job.payload;
  if (pairing === undefined || pairing.account_id === null || typeof to !== "string")
    return endJob(storage, job);
  const { account_id, inbox_id, email, network, inbox_created } = pairing;
  const inbox = inbox_id === null ? undefined : await storage.get("inboxes", inbox_id);
  await mailFromNoReply(services, job, {
    kind: "paired",
    email: to,
    account_id,
    letter: pairedLetter({
      by: email,
      inbox_email: inbox?.email ?? "an inbox that is gone by now",
      ...{ inbox_created, network },
      page: `${options.baseUrl}/api/v1/owners/pair`,
      host: new URL(options.baseUrl).host,
    }),
  });
}
