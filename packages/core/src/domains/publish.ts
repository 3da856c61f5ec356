import { fail, LetterslotError } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import type { DnsAccess } from "../model/dns-access.ts";
import type { DomainWarning } from "../model/domain-records.ts";
import type { DomainRecord } from "../model/domains.ts";
import { iso } from "../model/fields.ts";
import type { ZoneRecord } from "../model/zone-record.ts";
import type { DnsZone } from "../ports/dns-zone.ts";
import { publishedOf } from "./wants.ts";
import { clearZone, type WrittenRecords, writeZone } from "./write-zone.ts";

/** A domain has seven records at most, and those of a rotation. */
const MAX_WRITTEN = 100;

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
  const written = await writtenFor({ storage }, id);
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

/** The records that the service has written for a domain. */
export const writtenFor = ({ storage }: { storage: Pick<Services["storage"], "find"> }, domain_id: string) =>
  storage.find("written_dns_records", { where: { domain_id }, limit: MAX_WRITTEN });

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

/** Removes from a deleted domain's zone what the service wrote; what fails is told, not thrown. */
export async function unpublish(
  services: Services,
  domain: DomainRecord,
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
