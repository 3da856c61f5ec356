import { z } from "zod";
import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { writtenFor } from "../../kernel/addresses/custom-domains.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import type { DnsAccess } from "../../model/dns-access.ts";
import type { DomainWarning } from "../../model/domain-records.ts";
import { type DomainRecord, WrittenDnsRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { isSameRecord, type ZoneRecord } from "../../model/zone-record.ts";
import type { DnsZone } from "../../ports/dns-zone.ts";
import { publishedOf } from "./wants.ts";
import { clearZone, type WrittenRecords, writeZone } from "./write-zone.ts";

/** The outcome of writing a domain's records. */
interface Published {
  warnings: DomainWarning[];
  /** Why they could not be written; null if they could. */
  last_error: string | null;
}

/**
 * Writes a domain's records to its zone if the service manages it; returns errors of the provider instead of
 * throwing.
 */
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

/** Returns the records that the service has written to a domain's zone, and the means to note more. */
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

/** Returns the decrypted credentials for the DNS provider of a domain. */
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
  if (dnsZones === undefined) throw fail("dns_provider_unavailable", { param: "dns" });
  return dnsZones.open(access);
}

/** The time that the call that deletes a domain may spend clearing its zone before a job takes over. */
export const CLEARING_MS = 5 * 60_000;
/** The delays between attempts to clear a zone: over a day in all. */
const RETRIES_MS = [15, 60, 300, 1_000].map((minutes) => minutes * 60_000);

/** The payload of the job that clears the zone of a deleted domain. */
const Cleared = z.object({
  account_id: z.string(),
  domain: z.string(),
  sealed_dns_access: z.string(),
  written: z.array(WrittenDnsRecord),
});

/**
 * Removes the records that the service wrote from the zone of a deleted domain, except those that the domain needs
 * because the account has added it again. Retries for a day.
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

/** Removes the service's records from the zone of a deleted domain; returns failures instead of throwing. */
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
