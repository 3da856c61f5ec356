import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Letterslot } from "@letterslot/core";
import {
  type ExportProgress,
  exportAccount,
  type Imported,
  importAccount,
  isId,
  zipOf,
} from "@letterslot/core/internal";
import { type ProgressStream, showProgress } from "../migrate-storage/progress.ts";
import { openArchiveInThread } from "./archive-thread.ts";
import { writeZip } from "./zip.ts";

/**
 * Exports an account into a zip in a folder, which is made if it isn't there; what an interrupted export has written
 * there within a day is continued. Returns the zip's path.
 */
export async function exportToFolder(
  { services }: Pick<Letterslot, "services">,
  account_id: string,
  folder: string,
  stream: ProgressStream,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Only ids that may be an account's become part of a path.
  const path = join(folder, `${isId("acct", account_id) ? account_id : "account"}.zip`);
  await withProgress(stream, (progress) =>
    writeZip(path, services.clock.now(), (modified, options) =>
      zipOf(exportAccount(services, account_id, { held_content: true, progress }), modified, options),
    ),
  );
  return path;
}

/** Imports an account from the zip of its export. */
export async function importFromFile(
  { services }: Pick<Letterslot, "services">,
  path: string,
  options: { trustOwners: boolean; owner: string | undefined },
  stream: ProgressStream,
): Promise<Imported> {
  const archive = await openArchiveInThread(path);
  try {
    return await withProgress(stream, (progress) =>
      importAccount(services, archive, {
        ...options,
        progress,
        tell: (sentence) => void stream.write(`${sentence}\n`),
      }),
    );
  } finally {
    await archive.close();
  }
}

async function withProgress<T>(
  stream: ProgressStream,
  work: (progress: (now: ExportProgress) => void) => Promise<T>,
): Promise<T> {
  const display = showProgress(stream, () => performance.now());
  const done = await work(display.update);
  display.end();
  return done;
}
