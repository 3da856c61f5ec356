import type { TableName } from "../model/tables.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Storage } from "../ports/storage.ts";
import { type Belonging, oneAccount, wholeStorage } from "./belonging.ts";
import { copyBlobs } from "./copy-blobs.ts";
import { copyTable } from "./copy-records.ts";
import { createFingerprint, type Fingerprint } from "./fingerprint.ts";
import { scanTable } from "./scan.ts";

/** Where everything that a service keeps is. */
export interface Store {
  storage: Storage;
  blobs: Blobs;
}

/** How far a transfer is: a table, or the blobs, and how many of it are done. */
export interface TransferProgress {
  step: "copying" | "verifying";
  what: TableName | "blobs";
  done: number;
}

/** What a transfer came to. */
export interface TransferReport {
  tables: { table: TableName; source: Fingerprint; destination: Fingerprint }[];
  /** Tables whose records are not the same on both sides. */
  different: TableName[];
  blobs: number;
  /** Hashes of bytes that records of the source name and the source does not have. */
  missing_blobs: string[];
}

/**
 * Copies all that a service keeps, or one account of it, between any two storages, and compares count and
 * hashes of what both hold then. Nothing may work on either meanwhile. Broken off, it is begun again and goes
 * on where it was. Search words are cut anew. Sealed secrets are copied as they are: the destination's
 * service needs the same encryption keys.
 */
export async function transferStore(
  from: Store,
  to: Store,
  { account_id, progress = () => {} }: { account_id?: string; progress?(now: TransferProgress): void } = {},
): Promise<TransferReport> {
  const belonging = account_id === undefined ? wholeStorage() : oneAccount(account_id);
  const sources = new Map<TableName, Fingerprint>();
  for (const table of belonging.tables) {
    const copied = (done: number) => progress({ step: "copying", what: table, done });
    sources.set(table, await copyTable(from.storage, to.storage, table, { belonging, copied }));
  }
  const { blobs, missing } = await copyBlobs(from, to.blobs, {
    belonging,
    copied: (done) => progress({ step: "copying", what: "blobs", done }),
  });

  const compared: TransferReport["tables"] = [];
  for (const [table, source] of sources) {
    const seen = (done: number) => progress({ step: "verifying", what: table, done });
    compared.push({ table, source, destination: await fingerprintOf(to.storage, table, belonging, seen) });
  }
  const different = compared
    .filter(({ source, destination }) => source.sum !== destination.sum)
    .map(({ table }) => table);
  return { tables: compared, different, blobs, missing_blobs: missing };
}

async function fingerprintOf(
  storage: Storage,
  table: TableName,
  belonging: Belonging,
  seen: (records: number) => void,
): Promise<Fingerprint> {
  const fingerprint = createFingerprint();
  for await (const batch of scanTable(storage, table)) {
    for (const record of batch) if (belonging.takes(table, record)) fingerprint.add(record);
    seen(fingerprint.value().records);
  }
  return fingerprint.value();
}
