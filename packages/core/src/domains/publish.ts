import { z } from "zod";
import { fail, LetterslotError } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { writtenFor } from "../kernel/custom-domains.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import type { DnsAccess } from "../model/dns-access.ts";
import type { DomainWarning } from "../model/domain-records.ts";
import { type DomainRecord, WrittenDnsRecord } from "../model/domains.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import { isSameRecord, type ZoneRecord } from "../model/zone-record.ts";
import type { DnsZone } from "../ports/dns-zone.ts";
import { publishedOf } from "./wants.ts";
import { clearZone, type WrittenRecords, writeZone } from "./write-zone.ts";

/** What came of writing a domain's records. */
interface Published {
  warnings: DomainWarning[];
  /** Why they could not be written; null if they could. */
  last_error: string | null;
}

/** Writes a domain's records to its zone, if the service does that; what goes wrong there is told, not thrown. */
export async function publish(services: Services, domain: DomainRecord): Promise<Published> {
  if (domain.sealed_dns_access === null) return { warnings: [], last_error: null };
  const checked = new Map(domain.records.map(({ type, name, status }) => [`${type} ${name}`, status]));
  const wanted = publishedOf(services, domain).map((record) => ({
    ...record,
    status: checked.get(`${record.type} ${record.name}`) ?? ("missing" as const),
  }));
  try {
    const zone = openZone(services, accessTo(services, domain));
    const notes = await notesOf(services, domain);
    const { conflicts } = await writeZone(zone, wanted, notes);
    const warnings = conflicts.map((message) => ({ code: "dns_conflict" as const, message }));
    return { warnings, last_error: null };
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    return { warnings: [], last_error: error.message };
  }
}

/** What the service has written to a domain's zone, and how more is noted. */
async function notesOf({ storage, clock }: Services, { id }: DomainRecord): Promise<WrittenRecords> {
  const written = await writtenFor(storage, id);
  return {
    written,
    async note(record) {
      const noted = { domain_id: id, written_at: iso(clock.now()), ...asWritten(record) };
      const { record: before, inserted } = await storage.insert("written_dns_records", noted);
      const { name, type, value } = before;
      if (!inserted) await storage.update("written_dns_records", { domain_id: id, name, type, value }, noted);
    },
    async forget(record) {
      await storage.delete("written_dns_records", { domain_id: id, ...asWritten(record) });
    },
  };
}

/** Only such records are written, whatever else a zone may have. */
function asWritten({ name, type, value, priority }: ZoneRecord) {
  if (type !== "TXT" && type !== "MX" && type !== "CNAME")
    throw new Error(`a record of type ${type} is not one of ours`);
  return { name, type, value, priority } as const;
}

/** What lets us in at the provider of a domain's DNS. */
export function accessTo(
  { seal }: Pick<Services, "seal">,
  { domain, sealed_dns_access }: Pick<DomainRecord, "domain" | "sealed_dns_access">,
): DnsAccess {
  if (sealed_dns_access === null) throw new Error(`people write the records of ${domain}`);
  return { ...(JSON.parse(seal.open(sealed_dns_access)) as DnsAccess), domain };
}

/**
 * The zone of a domain. Fails with `dns_provider_unavailable` where the service can't write records, and as
 * `DnsZones` does.
 */
export function openZone({ dnsZones }: Pick<Services, "dnsZones">, access: DnsAccess): DnsZone {
  if (dnsZones === undefined) throw fail("dns_provider_unavailable");
  return dnsZones.open(access);
}

/** How long the call that deletes a domain may take to clear its zone, before a job does. */
export const CLEARING_MS = 5 * 60_000;
/** When clearing a zone is tried again after it failed: over a day in all. */
const RETRIES_MS = [15, 60, 300, 1_000].map((minutes) => minutes * 60_000);

/** What a job needs to know of a domain that is gone. */
const Cleared = z.object({
  account_id: z.string(),
  domain: z.string(),
  sealed_dns_access: z.string(),
  written: z.array(WrittenDnsRecord),
});

/**
 * Removes from the zone of a deleted domain what the service wrote, but for what the account's domain of that name
 * wants, if it was added again. What fails is tried again for a day.
 */
export async function clearDeleted(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const { account_id, domain, sealed_dns_access, written } = Cleared.parse(job.payload);
  const [again] = await storage.find("domains", { where: { account_id, domain }, limit: 1 });
  const wanted = again === undefined ? [] : publishedOf(services, again);
  const left = written.filter((record) => !wanted.some((one) => isSameRecord(one, record)));
  const { errors } = await unpublish(services, { domain, sealed_dns_access }, left);
  const retry_ms = RETRIES_MS[job.attempts - 1];
  if (errors.length === 0 || retry_ms === undefined) return endJob(storage, job);
  await postponeJob(storage, job, new Date(clock.now().getTime() + retry_ms));
}

/** Removes from a deleted domain's zone what the service wrote; what fails is told, not thrown. */
export async function unpublish(
  services: Services,
  domain: Pick<DomainRecord, "domain" | "sealed_dns_access">,
  written: readonly ZoneRecord[],
): Promise<Awaited<ReturnType<typeof clearZone>>> {
  if (domain.sealed_dns_access === null || written.length === 0) return { removed: [], errors: [] };
  try {
    const zone = openZone(services, accessTo(services, domain));
    return await clearZone(zone, { written, forget: async () => {} });
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    const { code, message } = error;
    return { removed: [], errors: written.map((record) => ({ record, code, message })) };
  }
}
