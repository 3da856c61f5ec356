import { type Guard, guard } from "./guard.ts";

const SQLITE = "packages/adapter-sqlite/src";
const POWER_CUT_TEST: [string, string] = [
  "test/proofs/power-cut-moments.test.ts",
  "a disk of a server under load",
];

/** What survives a power cut, and what a failing disk must not cause. */
export const disk: Guard[] = [
  guard(
    "large mail is on disk before it is acknowledged",
    [`${SQLITE}/blob-files.ts`, "await file.datasync();"],
    POWER_CUT_TEST,
  ),
  guard(
    "the name of the folder of large mail is synced",
    [`${SQLITE}/blob-files.ts`, "await syncName(folder);"],
    POWER_CUT_TEST,
  ),
  guard(
    "the name of the server's folder is synced",
    [
      "packages/server/src/process/data-dir.ts",
      "makeFolder(root);",
      "mkdirSync(root, { recursive: true, mode: 0o700 });",
    ],
    POWER_CUT_TEST,
  ),
  guard(
    "a failed sync is not retried on the same connection",
    [`${SQLITE}/group-commit.ts`, "isMachineError(error) || !succeeds", "!succeeds"],
    [`${SQLITE}/group-commit.test.ts`, "a connection whose commit met a failing disk"],
  ),
  guard(
    "data that a failed sync left out is not trusted",
    [`${SQLITE}/sqlite-storage.ts`, "rewriteWal(connection, path);"],
    ["test/proofs/failing-sync.test.ts", "may lose power at any moment of its next start"],
  ),
  guard(
    "a PostgreSQL that answers commits before they are on disk is refused",
    [
      "packages/adapter-postgres/src/postgres-storage.ts",
      'if (rows[0]?.["setting"] !== "off") return;',
      "if (rows[0] !== undefined) return;",
    ],
    ["packages/adapter-postgres/src/durable-commits.test.ts", "is refused"],
  ),
  guard(
    "PostgreSQL has committed before the write is acknowledged",
    [
      "packages/adapter-postgres/src/attempt-transaction.ts",
      "    await commit();\n",
      "    void commit().catch(() => undefined);\n",
      "checkCommitted(await lastAnswer([sent], Promise.all(answers)));",
      "void lastAnswer([sent], Promise.all(answers)).catch(() => undefined);",
    ],
    [
      "packages/adapter-postgres/src/restart.test.ts",
      "causes storage_unavailable errors, and loses no acknowledged write",
    ],
  ),
];
