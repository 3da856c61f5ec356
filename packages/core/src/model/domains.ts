import { z } from "zod";
import { DnsProviderInput } from "./dns-access.ts";
import { DnsRecord, DomainWarning } from "./domain-records.ts";
import { ClientId, Timestamp } from "./fields.ts";

/**
 * The state of a domain: `pending` before one of its required records is seen, `verifying` until all of them are,
 * `degraded` when one of them has been gone for a day, `failed` when they were not found in time.
 */
export const DomainStatus = z.enum(["pending", "verifying", "verified", "degraded", "failed"]);
export type DomainStatus = z.infer<typeof DomainStatus>;

/** Whether people or the service write a domain's DNS records. */
export const DnsMode = z.enum(["manual", "automatic"]);

/** The writer of a domain's records: people, or the service, with credentials for the domain's DNS provider. */
export const DnsInput = z.discriminatedUnion(
  "mode",
  [z.strictObject({ mode: z.literal("manual") }), DnsProviderInput],
  { error: "dns_provider_unavailable" },
);
export type DnsInput = z.infer<typeof DnsInput>;

/** The name below a domain that bounces come back to: one label. */
export const MailFromSubdomain = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/);

/** A custom domain as shown. */
export const Domain = z.object({
  object: z.literal("domain").default("domain"),
  id: z.string().describe("The domain's id."),
  domain: z.string().describe("Its name in lower case, in ASCII."),
  status: DomainStatus.describe("How far its verification is."),
  records: z.array(DnsRecord).describe("The DNS records that it wants, and what was found of them."),
  dns: z
    .object({
      mode: DnsMode.describe("Whether people (`manual`) or the service (`automatic`) write its records."),
      provider: z
        .string()
        .nullable()
        .describe("The provider at which the service writes them; null for `manual`."),
      last_error: z
        .string()
        .nullable()
        .describe("Why the records could not be written the last time; null if they could."),
    })
    .meta({ title: "DomainDns", description: "Who writes its DNS records." }),
  mail: z
    .object({
      receiving: z.boolean().describe("Whether mail for its addresses is taken."),
      sending: z.boolean().describe("Whether mail from its addresses passes the checks of others."),
      receiving_from: Timestamp.nullable().describe(
        "When mail for its addresses is taken at the earliest (ISO 8601, UTC), because people with a say in some account have addresses there and were told; null while there is nobody to wait for.",
      ),
    })
    .meta({ title: "DomainMail", description: "What works at the domain." }),
  warnings: z.array(DomainWarning).describe("Warnings: no errors, but worth knowing."),
  mail_from_subdomain: z.string().describe("The name below it that bounces come back to."),
  workspace_ids: z.array(z.string()).describe("The workspaces whose inboxes may be at the domain too."),
  client_id: ClientId.nullable().describe("The caller's own id for it; null without one."),
  checked_at: Timestamp.nullable().describe("When its records were last looked up; null before the first."),
  next_check_at: Timestamp.nullable().describe("When they are looked up next; null when they aren't."),
  created_at: Timestamp.describe("When it was added (ISO 8601, UTC)."),
  verified_at: Timestamp.nullable().describe("When it was first verified; null before."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
});
export type Domain = z.infer<typeof Domain>;

/**
 * A custom domain as stored. One of its DKIM keys signs; the next one waits to be seen in the DNS, the previous one to
 * expire.
 */
export const DomainRecord = Domain.omit({ object: true, idempotent: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  mail: Domain.shape.mail.omit({ receiving_from: true }).describe("What works at the domain."),
  receiving_from: Domain.shape.mail.shape.receiving_from,
  dkim_selector: z.string().describe("The selector of the DKIM key that signs."),
  dkim_public_key: z.string().describe("Its public key, in Base64 as DKIM records have it."),
  sealed_dkim_key: z.string().describe("Its private key (PKCS #8, PEM), encrypted."),
  next_dkim_selector: z.string().nullable().describe("The selector of the key that is to sign next."),
  next_dkim_public_key: z.string().nullable().describe("That key's public key."),
  sealed_next_dkim_key: z.string().nullable().describe("That key's private key, encrypted."),
  previous_dkim_selector: z.string().nullable().describe("The selector of the key that signed before."),
  previous_dkim_public_key: z.string().nullable().describe("That key's public key."),
  previous_dkim_until: Timestamp.nullable().describe("Until when that key stays in the DNS."),
  sealed_dns_access: z
    .string()
    .nullable()
    .describe("The provider of its DNS, the zone and the credentials, encrypted; null for `manual`."),
  attempt_started_at: Timestamp.describe("When the verification that is under way, or was last, began."),
  attempt: z.int().describe("Which verification that was: checks of earlier ones are over."),
  missing_since: Timestamp.nullable().describe(
    "Since when a required record of a verified domain is gone; null while none is.",
  ),
  ownership_missing_since: Timestamp.nullable().describe(
    "Since when the proof of ownership is gone; null while it is there.",
  ),
});
export type DomainRecord = z.infer<typeof DomainRecord>;

/** The account that has proven to own a domain: at most one, which receives the domain's mail. */
export const ProvenDomainRecord = z.object({
  domain: z.string().describe("The domain's name."),
  domain_id: z.string().describe("The domain of that account."),
  account_id: z.string().describe("The account that has proven it."),
  proven_at: Timestamp.describe("When it did (ISO 8601, UTC)."),
});
export type ProvenDomainRecord = z.infer<typeof ProvenDomainRecord>;

/**
 * A notice that mail for a domain may be delivered here, sent to a person: one with a say in some account who has an
 * address at the domain, or one in charge of such an account. There is one record per person, for as long as the domain
 * is proven.
 */
export const ReceivingNoticeRecord = z.object({
  domain_id: z.string().describe("The domain."),
  email: z.string().describe("The recipient of the letter, in its canonical form."),
  waits_until: Timestamp.describe(
    "Until when mail for the domain isn't taken because of them (ISO 8601, UTC).",
  ),
});
export type ReceivingNoticeRecord = z.infer<typeof ReceivingNoticeRecord>;

/** A DNS record that the service wrote, and that only the service may change or remove. */
export const WrittenDnsRecord = z.object({
  domain_id: z.string().describe("The domain that it was written for."),
  name: z.string().describe("Its absolute name."),
  type: z.enum(["TXT", "MX", "CNAME"]).describe("The type of the record."),
  value: z.string().describe("What it says; of an MX record the host."),
  priority: z.int().nullable().describe("The priority of an MX record; null for all others."),
  written_at: Timestamp.describe("When it was written (ISO 8601, UTC)."),
});
export type WrittenDnsRecord = z.infer<typeof WrittenDnsRecord>;
