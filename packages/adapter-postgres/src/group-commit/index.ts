/** Transactions that share commits. */

export type { Run, SharedMode } from "./batch.ts";
export { createGroupCommit } from "./group-commit.ts";
