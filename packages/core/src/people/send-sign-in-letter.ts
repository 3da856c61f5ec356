import { randomInt } from "node:crypto";
import { newLetterWord } from "../catalogue/letter-words.ts";
import { authoritiesOf } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { addressAt, isOutside } from "../kernel/mail-domain.ts";
import { hashSecret } from "../kernel/secrets.ts";
import { signInLetter } from "../letters/index.ts";
import { composeMail } from "../mail/mime/compose.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import { addressToOwner } from "../model/owners.ts";
import type { StorageReader } from "../ports/storage.ts";

const CODE_COUNT = 1_000_000;
const RETRY_MS = 30_000;
const MAX_OWNERS_PER_EMAIL = 500;

/**
 * Mails the code and the link of a challenge to a person who has something to sign in for, or whose
 * confirmation link's page asks; nobody else gets a letter. It leaves from no-reply at the service's own domain and is in no inbox. Suppressions, lists, quotas
 * and sending health don't hold it, and its failures count for nobody: they are logged for the operator.
 */
export async function sendSignInLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, seal, options, transport, log } = services;
  const now = clock.now();
  const challenge = await storage.get("session_challenges", job.subject_id);
  if (challenge === undefined || challenge.expires_at <= iso(now)) return endJob(storage, job);
  const { id, email } = challenge;
  const { letter_hash } = job.payload;
  const mayBeMailed =
    (await canSignIn(services, storage, email)) ||
    (typeof letter_hash === "string" && (await isInvited(services, storage, email, letter_hash, now)));
  if (!mayBeMailed) return endJob(storage, job);

  const to = await addressOfPerson(storage, email);
  const code = String(randomInt(CODE_COUNT)).padStart(6, "0");
  const word = newLetterWord();
  const [open] = await storage.update(
    "session_challenges",
    { id },
    { code_hash: seal.seal(signInCodeHash(id, code)), link_hash: hashSecret(word) },
  );
  if (open === undefined) return endJob(storage, job);
  const from = addressAt(services, "no-reply");
  const message_id = `<${id.slice("sch_".length)}.${job.attempts}@${options.mail_domain}>`;
  const raw = await composeMail({
    from: { address: from, name: "Letterslot" },
    to: [to],
    ...signInLetter({
      code,
      link: `${options.base_url}/api/v1/owners/sign-in?token=${word}`,
      host: new URL(options.base_url).host,
    }),
    headers: { "Auto-Submitted": "auto-generated" },
    message_id,
    date: iso(now),
  });
  const [result] = await transport.send({
    message_id,
    from,
    envelope: { mail_from: from, rcpt_to: [to] },
    raw,
  });
  if (result?.outcome === "temporary_failure") return postponeJob(storage, job, later(now));
  if (result?.outcome === "permanent_failure")
    log.warn({ recipient: email, detail: result.detail }, "a sign-in letter was refused");
  await endJob(storage, job);
}

const later = (now: Date): Date => new Date(now.getTime() + RETRY_MS);

/** The hash of a code, bound to its challenge. It is stored sealed, since six digits can be guessed offline. */
export const signInCodeHash = (challenge_id: string, code: string): string =>
  hashSecret(`sign-in:${challenge_id}:${code}`);

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

/** Whether the link of a letter's hash still invites that address, which nobody verified yet. */
async function isInvited(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find">,
  email: string,
  link_hash: string,
  now: Date,
): Promise<boolean> {
  const [owner] = await storage.find("owners", { where: { link_hash }, limit: 1 });
  return isOutside(own, email) && owner?.email === email && (owner.link_expires_at ?? "") > iso(now);
}

/** Whether a person has something to sign in for: authority, a verified ownership, or the first of an account. */
async function canSignIn(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find">,
  email: string,
): Promise<boolean> {
  if (!isOutside(own, email)) return false;
  const owners = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNERS_PER_EMAIL,
  });
  if (owners.some(({ status }) => status === "verified")) return true;
  if ((await authoritiesOf(own, storage, email)).length > 0) return true;
  return (await storage.find("accounts", { where: { first_owner_email: email }, limit: 1 })).length > 0;
}
