/** Writes that share commits. */

export type { Batch } from "./batch.ts";
export { createGroupCommit, type GroupCommit } from "./group-commit.ts";
export { runInBatch } from "./run-in-batch.ts";
