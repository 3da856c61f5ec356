import { ownLetterIds } from "../bounces/index.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { addressAt } from "../kernel/mail-domain.ts";
import { composeMail } from "../mail/mime/compose.ts";
import type { Letter } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import { addressToOwner } from "../model/owners.ts";
import type { StorageReader } from "../ports/storage.ts";

const RETRY_MS = 30_000;
const MAX_OWNERS_PER_EMAIL = 500;

/**
 * Mails a letter of the service's own to a person, and ends its job, or puts it off after a temporary failure. It
 * leaves from no-reply at the service's own domain and is in no inbox. Suppressions, lists, quotas and sending
 * health don't hold it, and its failures count for nobody: they are logged for the operator.
 */
export async function mailFromNoReply(
  services: Services,
  job: JobRecord,
  { email, letter }: { email: string; letter: Letter },
): Promise<void> {
  const { storage, clock, transport, log } = services;
  const now = clock.now();
  const to = await addressOfPerson(storage, email);
  const from = addressAt(services, "no-reply");
  const { mail_from, message_id } = ownLetterIds(services, job);
  const raw = await composeMail({
    from: { address: from, name: "Letterslot" },
    to: [to],
    ...letter,
    headers: { "Auto-Submitted": "auto-generated" },
    message_id,
    date: iso(now),
  });
  const [result] = await transport.send({
    message_id,
    from,
    envelope: { mail_from, rcpt_to: [to] },
    raw,
    letter: true,
  });
  if (result?.outcome === "temporary_failure")
    return postponeJob(storage, job, new Date(now.getTime() + RETRY_MS));
  if (result?.outcome === "permanent_failure")
    log.warn({ recipient: email, detail: result.detail, kind: job.kind }, "a letter to a person was refused");
  await endJob(storage, job);
}

/**
 * A person's address as it was given when they became an owner. Where it was given in several ways, which only a
 * server that tells upper from lower case would take for different mailboxes, it is the canonical form.
 */
async function addressOfPerson(storage: Pick<StorageReader, "find">, email: string): Promise<string> {
  const owners = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNERS_PER_EMAIL,
  });
  const verified = owners.filter(({ status }) => status === "verified");
  const [given = email, ...others] = new Set((verified.length > 0 ? verified : owners).map(addressToOwner));
  return others.length > 0 ? email : given;
}
