import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates an empty folder for one test. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "letterslot-sqlite-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Copies the state that a crash would leave of a database now: the file and its log, without unwritten memory. */
export async function copyAsAfterCrash(path: string, target: string): Promise<void> {
  await cp(path, target);
  await cp(`${path}-wal`, `${target}-wal`).catch(() => undefined);
}
