/** Transactions that share commits. */

export { type Declared, keyOf, type Run, type SharedMode } from "./batch.ts";
export { createGroupCommit } from "./group-commit.ts";
