import { type Guard, guard } from "./guard.ts";

const sqlite = "packages/adapter-sqlite/src";
const powerCut: [string, string] = ["test/proofs/power-cut-moments.test.ts", "a disk of a server under load"];

/** What a power cut leaves, and what a disk that fails may not bring about. */
export const disk: Guard[] = [
  guard(
    "large mail is on the disk before it is answered for",
    [`${sqlite}/blob-files.ts`, "await file.datasync();"],
    powerCut,
  ),
  guard(
    "the folder of large mail has its name for good",
    [`${sqlite}/blob-files.ts`, "await syncName(folder);"],
    powerCut,
  ),
  guard(
    "the server's folder has its name for good",
    [
      "packages/server/src/process/data-dir.ts",
      "makeFolder(root);",
      "mkdirSync(root, { recursive: true, mode: 0o700 });",
    ],
    powerCut,
  ),
  guard(
    "a failed sync is not tried again on the same connection",
    [`${sqlite}/group-commit.ts`, "isMachineError(error) || !succeeds", "!succeeds"],
    [`${sqlite}/group-commit.test.ts`, "a connection whose commit met a failing disk"],
  ),
  guard(
    "what a failed sync left out is not built on",
    [`${sqlite}/sqlite-storage.ts`, "rewriteWal(connection, path);"],
    ["test/proofs/failing-sync.test.ts", "may lose its power at any moment of its next start"],
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
    "PostgreSQL has committed before anybody is told so",
    [
      "packages/adapter-postgres/src/attempt-transaction.ts",
      "    await commit();\n",
      "    void commit().catch(() => undefined);\n",
      "checkCommitted(await Promise.all(brackets.commit.map((sql) => lent.run(plain(sql)))));",
      "void Promise.all(brackets.commit.map((sql) => lent.run(plain(sql)))).catch(() => undefined);",
    ],
    [
      "packages/adapter-postgres/src/restart.test.ts",
      "causes storage_unavailable errors, and loses no acknowledged write",
    ],
  ),
];
