import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { DomainId, IdInput } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { SAFETY_HEADERS } from "../../mail/attachments.ts";
import { Download } from "../../model/attachments.ts";
import { DomainReport, ReportKind } from "../../model/domain-reports.ts";
import { DnsInput, Domain, MailFromSubdomain } from "../../model/domains.ts";
import { ClientId, CursorInput, clearable, Deleted, Limit, listOf } from "../../model/fields.ts";
import { checkWorkspaces, createDomain, dnsOf } from "./create.ts";
import { checkUnused, deleteDomain } from "./delete.ts";
import { zoneFile } from "./dns/zone-file.ts";
import { domainNotFound, findDomain, showDomain } from "./show.ts";
import { rotateDkim, verifyDomain } from "./verify.ts";

const PROVIDER_ERRORS = [
  "dns_provider_unavailable",
  "invalid_dns_credentials",
  "invalid_dns_zone",
  "dns_zone_mismatch",
] as const;

const WorkspaceIds = z.array(IdInput).max(LIMITS.domain_workspaces);
const Dns = DnsInput.describe(
  "Who writes its DNS records: people (`manual`), or the service at a provider that lets it in (`automatic`).",
);

const CleanedRecord = z.object({
  type: z.string().describe("The type of the record."),
  name: z.string().describe("Its absolute name."),
  value: z.string().describe("What it said."),
});

const DeletedDomain = Deleted("domain").extend({
  dns_cleanup: z
    .object({
      removed: z.array(CleanedRecord).describe("Records that the service wrote and has removed."),
      errors: z
        .array(
          CleanedRecord.extend({
            code: z.string().describe("The code of the error."),
            message: z.string().describe("Why the record is still there, in a sentence for people."),
          }),
        )
        .describe("Records that the service wrote and could not remove."),
    })
    .describe("What became of its DNS records; empty where people write them."),
  inboxes_deleted: z.int().describe("How many inboxes were deleted with it."),
});

/** The operations on custom domains. */
export const domains = {
  list: operation({
    summary: "Lists the custom domains, newest first.",
    when: "See which domains there are, and what each of them still lacks.",
    scope: "account",
    effect: "read",
    pages: true,
    allow: ["domain_read"],
    input: z.object({ limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() }),
    output: listOf(Domain),
    async run({ storage, account_id }, { limit, cursor }) {
      const page = await newestFirst(storage, "domains", { where: { account_id }, limit, cursor });
      return { ...page, data: page.data.map(showDomain) };
    },
  }),

  create: operation({
    summary:
      "Adds a domain of your own. Its records are looked up at once, and then ever less often for 72 hours.",
    when: "Give inboxes addresses at your own domain: publish the records in the answer, and wait for domain.verified.",
    example: { domain: "agents.example.com" },
    errors: [
      "invalid_domain",
      "domain_taken",
      "plan_limit_exceeded",
      "workspace_not_found",
      "rate_limited",
      ...PROVIDER_ERRORS,
    ],
    scope: "account",
    effect: "write",
    allow: ["domain_write"],
    idempotent: true,
    input: z.object({
      domain: z
        .string()
        .max(LIMITS.dns_name_chars, { error: "invalid_domain" })
        .describe("The domain's name."),
      client_id: ClientId.optional(),
      dns: Dns.default({ mode: "manual" }),
      mail_from_subdomain: MailFromSubdomain.default("ls-bounce").describe(
        "The name below it that bounces come back to; `ls-bounce` by default.",
      ),
      workspace_ids: WorkspaceIds.default([]).describe(
        "Workspaces whose inboxes may be at the domain too, by their ids.",
      ),
    }),
    output: Domain,
    async replay({ storage, account_id }, { client_id }) {
      if (client_id === undefined) return undefined;
      const [first] = await storage.find("domains", { where: { account_id, client_id }, limit: 1 });
      return first && showDomain(first);
    },
    run: createDomain,
  }),

  get: operation({
    summary: "Shows a custom domain, with what was found of each of its DNS records.",
    when: "See what a domain still lacks, and what to do about it.",
    scope: "account",
    effect: "read",
    allow: ["domain_read"],
    input: z.object({ domain_id: DomainId }),
    output: Domain,
    run: async (ctx, { domain_id }) => showDomain(await findDomain(ctx, domain_id)),
  }),

  update: operation({
    summary: "Changes who writes a domain's DNS records, or which workspaces may use it.",
    when: "Let a workspace have inboxes at the domain, or renew what lets the service in at a provider.",
    example: { workspace_ids: [] },
    errors: ["missing_change", "workspace_not_found", "domain_in_use", ...PROVIDER_ERRORS],
    scope: "account",
    effect: "write",
    patches: true,
    allow: ["domain_write"],
    input: z.object({
      domain_id: DomainId,
      dns: Dns.optional(),
      workspace_ids: clearable(WorkspaceIds, [])
        .optional()
        .describe("All workspaces whose inboxes may be at the domain too, by their ids; null for none."),
    }),
    output: Domain,
    async run(ctx, { domain_id, dns, workspace_ids }) {
      if (dns === undefined && workspace_ids === undefined) throw fail("missing_change");
      const { id, domain } = await findDomain(ctx, domain_id);
      const change = {
        ...(dns === undefined ? {} : dnsOf(ctx, domain, dns)),
        ...(workspace_ids === undefined ? {} : { workspace_ids }),
      };
      return ctx.transaction(async (work) => {
        // Once its row is written, no inbox is made at it meanwhile.
        const [before] = await work.update("domains", { id }, { attempt: { add: 0 } });
        if (before === undefined) throw domainNotFound(domain_id);
        const left = before.workspace_ids.filter((each) => workspace_ids?.includes(each) === false);
        await checkUnused(work, domain, left);
        const added = workspace_ids?.filter((each) => !before.workspace_ids.includes(each)) ?? [];
        await checkWorkspaces({ storage: work, account_id: ctx.account_id }, added);
        const [after] = await work.update("domains", { id }, change);
        return showDomain(after ?? before);
      });
    },
  }),

  delete: operation({
    summary:
      "Deletes a custom domain, and of its DNS records those that the service wrote. With delete_inboxes=true its inboxes go first.",
    when: "Stop using a domain, or leave it to another account.",
    errors: ["domain_in_use", "approval_required"],
    scope: "account",
    effect: "delete",
    allow: ["domain_write"],
    input: z.object({
      domain_id: DomainId,
      delete_inboxes: z
        .boolean()
        .default(false)
        .describe("True deletes its inboxes with it, or none of them if one needs an approval."),
    }),
    output: DeletedDomain,
    async run(ctx, { domain_id, delete_inboxes }) {
      return deleteDomain(ctx, await findDomain(ctx, domain_id), delete_inboxes);
    },
  }),

  verify: operation({
    summary: "Looks up a domain's DNS records now, and begins to verify it anew for another 72 hours.",
    when: "Don't wait for the next check after publishing records, or try again after it has failed.",
    errors: ["domain_taken", "owner_required", "rate_limited"],
    scope: "account",
    effect: "write",
    allow: ["domain_write"],
    input: z.object({ domain_id: DomainId }),
    output: Domain,
    run: (ctx, { domain_id }) => verifyDomain(ctx, domain_id),
  }),

  zoneFile: operation({
    summary: "The DNS records that a domain lacks, as a zone file (text/dns) to import at a DNS provider.",
    when: "Publish all records at once, at a provider that imports zone files.",
    scope: "account",
    effect: "read",
    allow: ["domain_read"],
    answers: "bytes",
    input: z.object({ domain_id: DomainId }),
    output: Download,
    async run(ctx, { domain_id }) {
      const { domain, records } = await findDomain(ctx, domain_id);
      return {
        bytes: new TextEncoder().encode(zoneFile({ domain, records })),
        headers: {
          "Content-Type": "text/dns; charset=utf-8",
          "Content-Disposition": `attachment; filename="${domain}.zone"`,
          ...SAFETY_HEADERS,
        },
      };
    },
  }),

  reports: operation({
    summary:
      "Lists the reports that other organisations sent about a domain, newest first: their word, which decides nothing here. They are kept for 90 days.",
    when: "See who sends as your domain, and whether its mail passes, as receivers tell.",
    scope: "account",
    effect: "read",
    pages: true,
    allow: ["domain_read"],
    input: z.object({
      domain_id: DomainId,
      kind: ReportKind.optional().describe("Only DMARC aggregates, or only reports about TLS."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(DomainReport),
    async run(ctx, { domain_id, kind, limit, cursor }) {
      const { id } = await findDomain(ctx, domain_id);
      const where = { domain_id: id, ...(kind === undefined ? {} : { kind }) };
      return newestFirst(ctx.storage, "domain_reports", { where, limit, cursor });
    },
  }),

  rotateDkim: operation({
    summary:
      "Makes a new DKIM key for a domain. It signs once its record is seen; the record of the old one can go after 7 days.",
    when: "Change the key that signs a domain's mail, regularly or because it may be known.",
    errors: ["domain_not_verified"],
    scope: "account",
    effect: "write",
    allow: ["domain_write"],
    input: z.object({ domain_id: DomainId }),
    output: Domain,
    run: (ctx, { domain_id }) => rotateDkim(ctx, domain_id),
  }),
};
