import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls `run` with a new folder, and deletes it afterwards. */
export async function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls `run` with a list of clean-ups, and runs these in reverse order at the end, even after an error. */
export async function withCleanup<T>(
  run: (cleanups: { push(end: () => unknown): void }) => Promise<T>,
): Promise<T> {
  const cleanups: (() => unknown)[] = [];
  try {
    return await run({ push: (end) => void cleanups.push(end) });
  } finally {
    for (const end of cleanups.toReversed()) await end();
  }
}
