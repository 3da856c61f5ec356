import { type ErrorCode, fail } from "../src/catalogue/errors.ts";
import type { DnsAccess } from "../src/model/dns-access.ts";
import { isSameRecord, type ZoneRecord } from "../src/model/zone-record.ts";
import type { DnsZone, DnsZones } from "../src/ports/dns-zone.ts";

/** Zones in memory, at a provider that lets in whoever has the right token or secret. */
export interface MemoryDnsZones extends DnsZones {
  /** The records of a zone; a zone that wasn't asked for before is made. */
  records(zone: string): ZoneRecord[];
  /** Every call from now on fails with this code; null lets them in again. */
  failWith(code: ErrorCode | null): void;
}

/** The `api_token` or `secret` accepted by `createMemoryDnsZones`, to read and write or to read only. */
export const MEMORY_DNS_CREDENTIALS = { write: "d3JpdGVy", read: "cmVhZGVy" } as const;

/** Creates a provider without zones. The zone of a domain is the longest one that equals or contains it. */
export function createMemoryDnsZones(): MemoryDnsZones {
  const zones = new Map<string, ZoneRecord[]>();
  let failing: ErrorCode | null = null;

  const recordsOf = ({ domain, zone, credentials }: DnsAccess, writing: boolean): ZoneRecord[] => {
    if (failing !== null) throw fail(failing);
    const given = "secret" in credentials ? credentials.secret : credentials.api_token;
    if (!Object.values<string>(MEMORY_DNS_CREDENTIALS).includes(given)) throw fail("dns_credentials_refused");
    const name = zone ?? parentsOf(domain).find((parent) => zones.has(parent));
    const records = name === undefined ? undefined : zones.get(name);
    if (records === undefined) throw fail("dns_zone_not_found");
    if (writing && given !== MEMORY_DNS_CREDENTIALS.write) throw fail("dns_permission_missing");
    return records;
  };
  const open = (access: DnsAccess): DnsZone => ({
    async list(names) {
      return recordsOf(access, false)
        .map(lowerCased)
        .filter(({ name }) => names.includes(name));
    },
    async upsert(record, replaces) {
      const records = recordsOf(access, true);
      if (replaces !== null) removeFrom(records, replaces, record);
      const there = records.filter(({ name }) => name.toLowerCase() === record.name);
      if (there.some((other) => isSame(other, record))) return;
      if (there.some(({ type }) => type === "CNAME") || (record.type === "CNAME" && there.length > 0))
        throw fail("dns_record_refused");
      records.push({ ...record });
    },
    async remove(record) {
      return removeFrom(recordsOf(access, true), record, null) ? "removed" : "absent";
    },
  });
  return {
    open(access) {
      if (access.zone !== null && !parentsOf(access.domain).includes(access.zone))
        throw fail("dns_zone_mismatch");
      return open(access);
    },
    records(zone) {
      const records = zones.get(zone) ?? [];
      zones.set(zone, records);
      return records;
    },
    failWith(code) {
      failing = code;
    },
  };
}

/** Takes a record out unless it is to be there; whether it was. */
function removeFrom(records: ZoneRecord[], record: ZoneRecord, wanted: ZoneRecord | null): boolean {
  const index = records.findIndex((other) => isSame(other, record));
  if (index === -1 || (wanted !== null && isSame(record, wanted))) return false;
  records.splice(index, 1);
  return true;
}

/** A domain and those above it, the longest first. */
function parentsOf(domain: string): string[] {
  const labels = domain.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

const lowerCased = (record: ZoneRecord): ZoneRecord => ({
  ...record,
  name: record.name.toLowerCase(),
  value: record.type === "TXT" ? record.value : record.value.toLowerCase(),
});

const isSame = (one: ZoneRecord, other: ZoneRecord) => isSameRecord(lowerCased(one), lowerCased(other));
