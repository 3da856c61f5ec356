import type { DnsRecord } from "../../model/domain-records.ts";
import { isSameRecord, type ZoneRecord } from "../../model/zone-record.ts";

/** A record that a domain wants, and whether the last check of the DNS was content with what is there. */
export type PlannedRecord = Pick<DnsRecord, "purpose" | "name" | "type" | "value" | "priority" | "status">;

/** The changes to make in a zone. */
export interface ZonePlan {
  /** Records to write; `replaces` is a record of ours that makes way. */
  write: { record: ZoneRecord; replaces: ZoneRecord | null }[];
  /** Records of ours that nobody wants any more. */
  remove: ZoneRecord[];
  /** Records noted as ours that somebody has changed or removed: they are no longer ours. */
  forget: ZoneRecord[];
  /** Records that can't be written because of other people's records, each as a sentence for people. */
  conflicts: string[];
}

/** The actual and the desired state of a zone. */
interface ZoneState {
  wanted: readonly PlannedRecord[];
  /** All records at the names of the wanted and the written ones. */
  found: readonly ZoneRecord[];
  /** The records that we wrote. */
  written: readonly ZoneRecord[];
}

/** The number of values and the length of names that a sentence shows. */
const MAX_TOLD = 3;
const MAX_TOLD_CHARS = 100;

/**
 * Plans the changes that give a zone the records that a domain wants. Replaces and removes only records that we
 * wrote; other people's conflicting records stay, and the plan says so.
 */
export function planZone({ wanted, found, written }: ZoneState): ZonePlan {
  const isWanted = (record: ZoneRecord) => wanted.some((one) => isSameRecord(one, record));
  const isThere = (record: ZoneRecord) => found.some((one) => isSameRecord(one, record));
  const outdated = written.filter((record) => !isWanted(record));
  const removable = outdated.filter(isThere);
  const others = found.filter((record) => !removable.some((own) => isSameRecord(own, record)));

  const plan: ZonePlan = { write: [], remove: [], forget: [], conflicts: [] };
  for (const planned of wanted) {
    if (isThere(planned)) continue;
    const own = removable.find(({ name, type }) => name === planned.name && type === planned.type) ?? null;
    const obstacles = obstaclesTo(planned, others);
    if (own === null && planned.status === "valid") continue;
    if (obstacles.length > 0) plan.conflicts.push(conflictOf(planned, obstacles));
    else plan.write.push({ record: zoneRecordOf(planned), replaces: own });
  }
  const replaced = plan.write.flatMap(({ replaces }) => replaces ?? []);
  plan.remove = removable.filter((record) => !replaced.includes(record));
  plan.forget = outdated.filter((record) => !isThere(record));
  return plan;
}

/**
 * Returns the records in the way of a planned one: those that the DNS doesn't allow beside it, or that would change
 * its meaning.
 */
function obstaclesTo(planned: PlannedRecord, others: readonly ZoneRecord[]): ZoneRecord[] {
  const there = others.filter(({ name }) => name === planned.name);
  if (planned.type === "CNAME") return there;
  const cnames = there.filter(({ type }) => type === "CNAME");
  return cnames.length > 0
    ? cnames
    : there.filter(({ type, value }) => type === planned.type && EXCLUDES[planned.purpose](value));
}

/** The values of its type that a record can't stand beside. */
const EXCLUDES: Record<PlannedRecord["purpose"], (value: string) => boolean> = {
  ownership: () => false,
  mx: () => true,
  spf: (value) => /^v=spf1(?:\s|$)/i.test(value),
  dkim: () => true,
  dmarc: (value) => /^v=dmarc1\s*(?:;|$)/i.test(value),
  return_path: () => true,
  tls_reports: (value) => /^v=tlsrptv1\s*;/i.test(value),
  report_consent: () => false,
};

function conflictOf({ purpose, name, type, value, priority }: PlannedRecord, obstacles: ZoneRecord[]) {
  const existing = obstacles
    .slice(0, MAX_TOLD)
    .map((record) => `${record.type} ${shortened(record.value)}`)
    .join(", ");
  const wanted = `${type} ${priority === null ? "" : `${priority} `}${value}`;
  const start = `${name} has ${existing}, which Letterslot did not write and has left alone`;
  if (obstacles.some((record) => record.type === "CNAME") && type !== "CNAME")
    return `${start}: a name with a CNAME can't have another record. Remove it, and publish ${wanted}.`;
  if (purpose === "spf")
    return `${start}: a domain can have one SPF record only. Merge this into it: ${value}`;
  if (purpose === "mx")
    return `${start}: mail for the domain goes there. To receive it here, replace it with ${wanted}.`;
  return `${start}. Replace it with ${wanted}.`;
}

const shortened = (text: string) =>
  text.length > MAX_TOLD_CHARS ? `${text.slice(0, MAX_TOLD_CHARS)}…` : text;

const zoneRecordOf = ({ name, type, value, priority }: PlannedRecord): ZoneRecord => ({
  name,
  type,
  value,
  priority,
});
