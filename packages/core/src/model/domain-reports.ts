import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The results of one sender's mail in a DMARC aggregate report. */
const ReportSource = z
  .object({
    ip: z.string().describe("The address that the mail came from."),
    count: z.int().describe("How many mails."),
    dkim: z.enum(["pass", "fail"]).describe("Whether an aligned DKIM signature was valid."),
    spf: z.enum(["pass", "fail"]).describe("Whether SPF passed for an aligned domain."),
    disposition: z
      .enum(["none", "quarantine", "reject", "pass"])
      .describe("What the reporter did with them by the domain's policy."),
  })
  .meta({ title: "ReportSource" });

const TlsFailure = z
  .object({
    type: z.string().describe("What failed, such as `certificate-expired` (RFC 8460, section 4.3)."),
    count: z.int().describe("How many connections."),
  })
  .meta({ title: "TlsFailure" });

/** The kinds of report: DMARC aggregates (RFC 9990) and SMTP TLS reports (RFC 8460). */
export const ReportKind = z.enum(["dmarc", "tls"]);

/** What a report says, as it was read. */
export const DomainReportContent = z.object({
  kind: ReportKind.describe("A DMARC aggregate (`dmarc`) or a report about TLS (`tls`)."),
  period: z
    .object({
      from: Timestamp.describe("Its beginning (ISO 8601, UTC)."),
      to: Timestamp.describe("Its end."),
    })
    .describe("The time that it is about."),
  sources: z.array(ReportSource).describe("Who sent as the domain, and what became of it; empty for `tls`."),
  sources_left_out: z.int().describe("How many more sources the report had than are kept."),
  tls: z
    .object({
      successful: z.int().describe("Connections that were secured."),
      failed: z.int().describe("Connections that were not."),
      failures: z.array(TlsFailure).describe("Why, by type."),
    })
    .nullable()
    .describe("How connections to the domain's mail hosts were secured; null for `dmarc`."),
});

/** A report that somebody sent about a domain: its word alone, which decides nothing. */
export const DomainReport = DomainReportContent.extend({
  object: z.literal("domain_report").default("domain_report"),
  id: z.string().describe("The report's id."),
  domain_id: z.string().describe("The domain that it is about."),
  reporter: z
    .string()
    .describe("Who sent it: the domain of the address in From, whose DMARC the mail passed."),
  created_at: Timestamp.describe("When it came (ISO 8601, UTC). It is kept for 90 days."),
});
export type DomainReport = z.infer<typeof DomainReport>;

/** A report as stored. */
export const DomainReportRecord = DomainReport.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  report_hash: z
    .string()
    .describe("The hash of the reporter and its id for the report, so that it is kept once."),
});
export type DomainReportRecord = z.infer<typeof DomainReportRecord>;

/** A report as its reader gives it, with the reporter's own id and the domain that it names. */
export interface ReadDomainReport extends z.infer<typeof DomainReportContent> {
  report_id: string;
  domain: string;
}
