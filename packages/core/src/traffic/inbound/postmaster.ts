import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { customDomain, isReceiving } from "../../kernel/addresses/custom-domains.ts";
import { outsideOf } from "../../kernel/addresses/inbox-domain.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { count } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { automaticReply } from "../../mail/automatic-mail.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import { withoutTag } from "../../model/address.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { postmasterLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply } from "../../owners/sessions/index.ts";
import type { Evidence } from "./evidence.ts";

/** The addresses that every domain with mail has (RFC 2142); no inbox can have them. */
const NAMES = new Set(["postmaster", "abuse"]);
const HOUR_MS = 3600_000;

/** The custom domain at which an address is that of those in charge, and who those are. */
export interface Postmaster {
  domain: Pick<DomainRecord, "id" | "account_id">;
  emails: string[];
}

/** Whether an address is postmaster@ or abuse@ of some domain. */
export function isForPostmaster(address: string): boolean {
  const plain = withoutTag(address);
  return NAMES.has(plain.slice(0, plain.lastIndexOf("@")));
}

/**
 * Returns the recipients of mail to postmaster@ or abuse@ of a receiving custom domain: the account owners, or if
 * there are none, the verified owners of the account; undefined if there is nobody.
 */
export async function findPostmaster(
  services: Pick<Services, "storage" | "options">,
  address: string,
): Promise<Postmaster | undefined> {
  const { storage } = services;
  const domain = await customDomain(storage, domainOf(address));
  if (domain === undefined || !isReceiving(domain)) return undefined;
  const { account_id } = domain;
  const in_charge = await authoritiesOver(services, storage, { account_id, inbox_id: null });
  const people =
    in_charge.length > 0
      ? in_charge
      : await outsideOf(
          services,
          storage,
          await storage.find("owners", {
            where: { account_id, status: "verified" },
            order: { by: "id", direction: "asc" },
            limit: LIMITS.postmaster_readers,
          }),
        );
  const emails = [...new Set(people.map(({ email }) => email))].slice(0, LIMITS.postmaster_readers);
  return emails.length === 0 ? undefined : { domain, emails };
}

/**
 * Queues a letter with what a mail to them says to each of those in charge. An automatic reply is dropped, and what
 * comes beyond the hour's limit is to be sent again later.
 */
export async function receiveForPostmaster(
  services: Services,
  { domain, emails }: Postmaster,
  to: string,
  evidence: Evidence,
  now: Date,
): Promise<
  | { outcome: "recorded"; reason: null; message_id: null }
  | { outcome: "dropped"; reason: "automatic_reply"; message_id: null }
  | { outcome: "deferred"; reason: "too_many"; message_id: null }
> {
  const { storage, seal } = services;
  const { mail, raw } = evidence;
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [raw.hash], now));
  const { mail_from } = evidence;
  if (automaticReply(mail, { mail_from, injected: false, answers_soon: false }) !== null)
    return { outcome: "dropped", reason: "automatic_reply", message_id: null };
  const cap = {
    name: `postmaster:${domain.id}`,
    max: LIMITS.postmaster_letters_per_hour,
    window_ms: HOUR_MS,
  };
  if (!(await count(storage, cap, now)).within)
    return { outcome: "deferred", reason: "too_many", message_id: null };
  const facts = {
    to,
    from: mail.from[0]?.address ?? "",
    subject: mail.subject.slice(0, LIMITS.postmaster_subject_chars),
    text: mail.text.slice(0, LIMITS.postmaster_text_chars),
  };
  const sealed = seal.seal(JSON.stringify(facts));
  await unitOfWork(services, domain.account_id, now, async (work) => {
    for (const email of emails)
      work.job({ kind: "postmaster.letter", subject_id: domain.id, payload: { email, sealed } });
  });
  return { outcome: "recorded", reason: null, message_id: null };
}

/** Mails what somebody wrote to postmaster@ or abuse@ to one of those in charge. */
export async function sendPostmasterLetter(services: Services, job: JobRecord): Promise<void> {
  const { email, sealed } = job.payload;
  if (typeof email !== "string" || typeof sealed !== "string") return endJob(services.storage, job);
  const facts = JSON.parse(services.seal.open(sealed)) as Omit<
    Parameters<typeof postmasterLetter>[0],
    "host"
  >;
  const domain = await services.storage.get("domains", job.subject_id);
  await mailFromNoReply(services, job, {
    kind: "postmaster",
    email,
    account_id: domain?.account_id ?? null,
    letter: postmasterLetter({ ...facts, host: new URL(services.options.baseUrl).host }),
  });
}
