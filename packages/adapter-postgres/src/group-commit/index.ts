/** Transactions that share commits. */

export type { Declared, Run, SharedMode } from "./batch.ts";
export { createGroupCommit } from "./group-commit.ts";
