import { z } from "zod";

/** The purposes of a domain's records. */
export const RECORD_PURPOSES = [
  "ownership",
  "mx",
  "spf",
  "dkim",
  "dmarc",
  "return_path",
  "tls_reports",
  "report_consent",
] as const;
export type RecordPurpose = (typeof RECORD_PURPOSES)[number];

/** The warnings about a domain's DNS. None of them need stop anything. */
export const DOMAIN_WARNING_CODES = [
  "existing_mail_provider",
  "wildcard_mx",
  "apex_cname",
  "dnssec_failure",
  "dns_unavailable",
  "owner_at_domain",
  "people_at_domain",
  "dns_conflict",
  "domain_taken",
] as const;

/** Whether a record was found in the form that is needed. */
export const RecordStatus = z.enum(["valid", "missing", "invalid"]);
export type RecordStatus = z.infer<typeof RecordStatus>;

/** A DNS record that a domain needs, and what was found in its place at the last check. */
export const DnsRecord = z
  .object({
    purpose: z
      .enum(RECORD_PURPOSES)
      .describe(
        "What the record is for: proof of ownership, mail in (mx), mail out (spf, dkim, return_path), a policy (dmarc), reports about TLS (tls_reports), or, at the service's own domain, that it takes the reports of others (report_consent).",
      ),
    type: z.enum(["TXT", "MX", "CNAME"]).describe("The type of the record."),
    name: z.string().describe("The whole name of the record, without a dot at the end."),
    value: z.string().describe("What to publish: a TXT text without quotes, or a host name."),
    priority: z.int().nullable().describe("The priority of an MX record; null for other types."),
    required: z.boolean().describe("Whether the domain can't be verified without it."),
    status: RecordStatus.describe(
      "`valid` when the last check found it or an equivalent, `missing` when nothing was there, `invalid` when it says something else.",
    ),
    found: z
      .array(z.string())
      .describe(
        "What the last check found at that name, at most 20 values, each one line without control characters.",
      ),
    hint: z.string().nullable().describe("What to do about it, in one sentence; null when it is valid."),
  })
  .meta({ title: "DnsRecord" });
export type DnsRecord = z.infer<typeof DnsRecord>;

/** A record to publish, before anyone has looked it up. */
export type WantedRecord = Omit<DnsRecord, "status" | "found" | "hint">;

/** Something about a domain's DNS that its owner should know. */
export const DomainWarning = z
  .object({
    code: z.enum(DOMAIN_WARNING_CODES).describe("What the warning is about."),
    message: z.string().describe("What is wrong and what to do about it, in a sentence or two."),
  })
  .meta({ title: "DomainWarning" });
export type DomainWarning = z.infer<typeof DomainWarning>;
