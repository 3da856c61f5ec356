import { type ErrorCode, LetterslotError } from "../../catalogue/errors.ts";
import type { ZoneRecord } from "../../model/zone-record.ts";
import type { DnsZone } from "../../ports/dns-zone.ts";
import { type PlannedRecord, planZone } from "./zone-rules.ts";

/** The records that we are known to have written to a zone, and the means to note more. */
export interface WrittenRecords {
  written: readonly ZoneRecord[];
  /** Notes a record as ours, durably: it is awaited before the record is written. */
  note(record: ZoneRecord): Promise<void>;
  /** Removes the note: the record is gone, or isn't ours. */
  forget(record: ZoneRecord): Promise<void>;
}

/**
 * Writes a domain's wanted records to its zone, and removes our records that are no longer wanted. Returns the
 * records that other people's records prevented, as sentences for people. Fails like the zone; a call after a failure
 * continues where it ended, since each record is noted before it is written.
 */
export async function writeZone(
  zone: DnsZone,
  wanted: readonly PlannedRecord[],
  { written, note, forget }: WrittenRecords,
): Promise<{ conflicts: string[] }> {
  const names = new Set([...wanted, ...written].map(({ name }) => name));
  const found = await zone.list([...names]);
  const { write, remove, forget: lost, conflicts } = planZone({ wanted, found, written });
  for (const { record, replaces } of write) {
    await note(record);
    try {
      await zone.upsert(record, replaces);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await forget(record);
      conflicts.push(`${record.type} ${record.name}: ${error.message}`);
      continue;
    }
    if (replaces !== null) await forget(replaces);
  }
  for (const record of remove) {
    await zone.remove(record);
    await forget(record);
  }
  for (const record of lost) await forget(record);
  return { conflicts };
}

/** Why a record of ours is still in a zone. */
export interface CleanupError {
  record: ZoneRecord;
  code: ErrorCode;
  message: string;
}

/**
 * Removes our records from a zone. Returns failures instead of throwing; once the zone itself has failed it isn't
 * called again. Records that somebody changed or removed are left alone, and are in neither list.
 */
export async function clearZone(
  zone: DnsZone,
  { written, forget }: Pick<WrittenRecords, "written" | "forget">,
): Promise<{ removed: ZoneRecord[]; errors: CleanupError[] }> {
  const removed: ZoneRecord[] = [];
  const errors: CleanupError[] = [];
  let failed: LetterslotError | undefined;
  for (const record of written) {
    try {
      if (failed !== undefined) throw failed;
      if ((await zone.remove(record)) === "removed") removed.push(record);
      await forget(record);
    } catch (error) {
      if (!(error instanceof LetterslotError)) throw error;
      if (!isRefused(error)) failed = error;
      errors.push({ record, code: error.code, message: error.message });
    }
  }
  return { removed, errors };
}

const isRefused = (error: unknown): error is LetterslotError =>
  error instanceof LetterslotError && error.code === "dns_record_refused";
