import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Store, type TransferReport, transferStore } from "@letterslot/core";
import { openDataDir } from "../data-dir.ts";
import { lockDataDir } from "../data-lock.ts";
import { MigrateStorageError, readArguments, type StorageAddress, usage } from "./arguments.ts";
import { type ProgressStream, showProgress } from "./progress.ts";

/** A store that is held open. */
export interface OpenedStore extends Store {
  close(): Promise<void>;
}

/** What the command needs of its process. */
export interface MigrateStorageParts {
  /** Opens a storage; a folder is there and locked for this process. */
  openStore(address: StorageAddress): Promise<OpenedStore>;
  output: { write(text: string): unknown };
  progress: ProgressStream;
}

/**
 * Runs `migrate-storage` with the words after its name; answers the exit status: 0 when both sides hold the
 * same. Throws `MigrateStorageError` and what keeps a storage from opening.
 */
export async function migrateStorage(
  words: string[],
  { openStore, output, progress }: MigrateStorageParts,
): Promise<0 | 1> {
  if (words.includes("--help") || words.includes("-h")) {
    output.write(usage);
    return 0;
  }
  const { from, to, account_id } = readArguments(words);
  if (from.kind === "sqlite" && !existsSync(join(from.folder, "letterslot.db")))
    throw new MigrateStorageError(
      `${from.folder} holds no letterslot.db. Name the DATA_DIR of the server that is to move.`,
    );

  const closing: (() => unknown)[] = [];
  try {
    for (const address of [from, to])
      if (address.kind === "sqlite") closing.unshift(lockDataDir(openDataDir(address.folder)));
    const note = await handOverKey(from, to);
    const source = await openStore(from);
    closing.unshift(source.close);
    const destination = await openStore(to);
    closing.unshift(destination.close);

    const shown = showProgress(progress, () => performance.now());
    const report = await transferStore(source, destination, {
      ...(account_id === undefined ? {} : { account_id }),
      progress: shown.tell,
    });
    shown.end();
    return conclude(report, note, output);
  } finally {
    for (const close of closing) await close();
  }
}

/**
 * Sealed secrets open only with the key that sealed them: a key that was made for the source's folder goes to
 * the destination's folder, or the operator is told where it lies.
 */
async function handOverKey(from: StorageAddress, to: StorageAddress): Promise<string> {
  const name = "encryption.key";
  const path = from.kind === "sqlite" ? join(from.folder, name) : undefined;
  if (path === undefined || !existsSync(path))
    return "Give the new server the ENCRYPTION_KEY of the old one.\n";
  if (to.kind !== "sqlite") return `Give the new server the key in ${path} as its ENCRYPTION_KEY.\n`;
  const key = readFileSync(path, "utf8");
  if ((await openDataDir(to.folder).secret(name, () => key)) !== key)
    throw new MigrateStorageError(
      `${join(to.folder, name)} is another key than ${path}: what is sealed could not be opened there. Use an empty folder.`,
    );
  return "";
}

function conclude(report: TransferReport, note: string, output: { write(text: string): unknown }): 0 | 1 {
  const records = report.tables.reduce((sum, { source }) => sum + source.records, 0);
  if (report.missing_blobs.length > 0)
    output.write(
      `${report.missing_blobs.length} blobs are named by records and missing in the source: ${report.missing_blobs.join(" ")}\n`,
    );
  if (report.different.length > 0) {
    const lines = report.tables.filter(({ table }) => report.different.includes(table));
    for (const { table, source, destination } of lines)
      output.write(
        `${table} differs: ${source.records} records in the source, ${destination.records} in the destination.\n`,
      );
    output.write(
      "The destination is not the same. Begin again with an empty one, with every server stopped.\n",
    );
    return 1;
  }
  output.write(
    `${records} records in ${report.tables.length} tables and ${report.blobs} blobs are the same on both sides.\n${note}`,
  );
  return 0;
}
