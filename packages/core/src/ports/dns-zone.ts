import type { DnsAccess } from "../model/dns-access.ts";
import type { ZoneRecord } from "../model/zone-record.ts";

/**
 * A zone that we may write to. Fails with a `LetterslotError` whose message is for the domain's owner and
 * never has anything of the credentials: for a while with `dns_provider_unreachable` and
 * `dns_provider_rate_limited`; until its owner does something with `dns_credentials_refused`,
 * `dns_permission_missing`, `dns_zone_not_found`, `dns_zone_mismatch` and `dns_record_refused`.
 */
export interface DnsZone {
  /** Every record at exactly these names, of any type, as the provider has it (not from a cache). */
  list(names: readonly string[]): Promise<ZoneRecord[]>;
  /**
   * Adds a record, and takes away the one that it replaces. Other records stay. A second call changes nothing;
   * so does a first one if the record is there, and `replaces` may be gone.
   */
  upsert(record: ZoneRecord, replaces: ZoneRecord | null): Promise<void>;
  /** Removes exactly this record, whose name may have others; `absent` if the zone has none that is the same. */
  remove(record: ZoneRecord): Promise<"removed" | "absent">;
}

/** The zones that can be written to. */
export interface DnsZones {
  /**
   * A domain's zone, without asking anybody. Fails with `dns_zone_mismatch` if the domain is neither the zone
   * nor below it, and with `invalid_dns_credentials` if the server's address isn't one that may be reached.
   */
  open(access: DnsAccess): DnsZone;
}
