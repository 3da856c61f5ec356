import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Store, type TransferReport, transferStore } from "@letterslot/core/internal";
import { openDataDir } from "../data-dir.ts";
import { lockDataDir } from "../data-lock.ts";
import { MigrateStorageError, readArguments, type StorageAddress, USAGE } from "./arguments.ts";
import { type ProgressStream, showProgress } from "./progress.ts";

/** An open store. */
export interface OpenedStore extends Store {
  close(): Promise<void>;
}

/** The parts of its process that the command uses. */
export interface MigrateStorageServices {
  /** Opens a storage; a folder already exists and is locked by this process. */
  openStore(address: StorageAddress): Promise<OpenedStore>;
  output: { write(text: string): unknown };
  progress: ProgressStream;
}

/**
 * Runs `migrate-storage` with the arguments after its name. Returns the exit status: 0 if both storages hold
 * the same data. Throws `MigrateStorageError`, and any error from opening a storage.
 */
export async function migrateStorage(
  args: string[],
  { openStore, output, progress }: MigrateStorageServices,
): Promise<0 | 1> {
  if (args.includes("--help") || args.includes("-h")) {
    output.write(USAGE);
    return 0;
  }
  const { from, to, account_id } = readArguments(args);
  if (from.kind === "sqlite" && !existsSync(join(from.folder, "letterslot.db")))
    throw new MigrateStorageError(
      `${from.folder} has no letterslot.db. Use the DATA_DIR of the server to copy from.`,
    );

  const closing: (() => unknown)[] = [];
  try {
    for (const address of [from, to])
      if (address.kind === "sqlite") closing.unshift(lockDataDir(openDataDir(address.folder)));
    const note = await copyEncryptionKey(from, to);
    const source = await openStore(from);
    closing.unshift(source.close);
    const destination = await openStore(to);
    closing.unshift(destination.close);

    const display = showProgress(progress, () => performance.now());
    const report = await transferStore(source, destination, {
      ...(account_id === undefined ? {} : { account_id }),
      progress: display.update,
    });
    display.end();
    return reportOutcome(report, note, output);
  } finally {
    for (const close of closing) await close();
  }
}

/**
 * Stored secrets can be decrypted only with the key that encrypted them. Copies a generated key to the
 * destination's folder; if that is not possible, returns a note that tells the operator where the key is.
 */
async function copyEncryptionKey(from: StorageAddress, to: StorageAddress): Promise<string> {
  const name = "encryption.key";
  const path = from.kind === "sqlite" ? join(from.folder, name) : undefined;
  if (path === undefined || !existsSync(path))
    return "Set the new server's ENCRYPTION_KEY to that of the old one.\n";
  if (to.kind !== "sqlite") return `Set the new server's ENCRYPTION_KEY to the key in ${path}.\n`;
  const key = readFileSync(path, "utf8");
  if ((await openDataDir(to.folder).secret(name, () => key)) !== key)
    throw new MigrateStorageError(
      `${join(to.folder, name)} differs from ${path}, so the stored secrets could not be decrypted there. Use an empty folder.`,
    );
  return "";
}

function reportOutcome(
  report: TransferReport,
  note: string,
  output: { write(text: string): unknown },
): 0 | 1 {
  const records = report.tables.reduce((sum, { source }) => sum + source.records, 0);
  if (report.missing_blobs.length > 0)
    output.write(
      `${report.missing_blobs.length} blobs are missing in the source although records refer to them: ${report.missing_blobs.join(" ")}\n`,
    );
  if (report.different.length > 0) {
    const lines = report.tables.filter(({ table }) => report.different.includes(table));
    for (const { table, source, destination } of lines)
      output.write(
        `${table} differs: ${source.records} records in the source, ${destination.records} in the destination.\n`,
      );
    output.write("The storages differ. Stop all servers and start again with an empty destination.\n");
    return 1;
  }
  output.write(
    `${records} records in ${report.tables.length} tables and ${report.blobs} blobs are identical in both storages.\n${note}`,
  );
  return 0;
}
