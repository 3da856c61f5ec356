import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs with a fresh folder, which is deleted afterwards. */
export async function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-bench-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ends what was started, the last first, whatever became of it in between. */
export async function withEnds<T>(run: (ends: { push(end: () => unknown): void }) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = [];
  try {
    return await run({ push: (end) => void ends.push(end) });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
