import type { TableName } from "../../model/tables.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Storage } from "../../ports/storage.ts";
import { copyBlobs } from "./copy-blobs.ts";
import { copyTable } from "./copy-records.ts";
import { createFingerprint, type Fingerprint } from "./fingerprint.ts";
import { scanTable } from "./scan.ts";
import { type RecordSelection, selectAccount, selectEverything } from "./select-records.ts";

/** All storage of a service. */
export interface Store {
  storage: Storage;
  blobs: Blobs;
}

/** The progress of a transfer: the table (or the blobs), and how many records are done. */
export interface TransferProgress {
  step: "copying" | "verifying";
  what: TableName | "blobs";
  done: number;
}

/** The result of a transfer. */
export interface TransferReport {
  tables: { table: TableName; source: Fingerprint; destination: Fingerprint }[];
  /** Tables whose records differ between source and destination. */
  different: TableName[];
  blobs: number;
  /** Hashes of blobs that source records refer to but the source doesn't have. */
  missing_blobs: string[];
}

/**
 * Copies a service's data, or one account, between any two storages, then compares counts and hashes. Nothing
 * else may use either storage meanwhile. An interrupted transfer can be repeated and continues. The search
 * index is rebuilt. Sealed secrets are copied as they are: the destination needs the same encryption keys.
 */
export async function transferStore(
  from: Store,
  to: Store,
  { account_id, progress = () => {} }: { account_id?: string; progress?(now: TransferProgress): void } = {},
): Promise<TransferReport> {
  const selection = account_id === undefined ? selectEverything() : selectAccount(account_id);
  const sources = new Map<TableName, Fingerprint>();
  for (const table of selection.tables) {
    const copied = (done: number) => progress({ step: "copying", what: table, done });
    sources.set(table, await copyTable(from.storage, to.storage, table, { selection, copied }));
  }
  const { blobs, missing } = await copyBlobs(from, to.blobs, {
    selection,
    copied: (done) => progress({ step: "copying", what: "blobs", done }),
  });

  const compared: TransferReport["tables"] = [];
  for (const [table, source] of sources) {
    const seen = (done: number) => progress({ step: "verifying", what: table, done });
    compared.push({ table, source, destination: await fingerprintOf(to.storage, table, selection, seen) });
  }
  const different = compared
    .filter(({ source, destination }) => source.sum !== destination.sum)
    .map(({ table }) => table);
  return { tables: compared, different, blobs, missing_blobs: missing };
}

async function fingerprintOf(
  storage: Storage,
  table: TableName,
  selection: RecordSelection,
  seen: (records: number) => void,
): Promise<Fingerprint> {
  const fingerprint = createFingerprint();
  for await (const batch of scanTable(storage, table)) {
    for (const record of batch) if (selection.includes(table, record)) fingerprint.add(record);
    seen(fingerprint.value().records);
  }
  return fingerprint.value();
}
