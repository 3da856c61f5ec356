import type { Guard } from "./guard.ts";

/** Acknowledged mail is on disk, once and whole. */
export const mailIsKept: readonly Guard[] = [
  // Acknowledged means stored
  {
    name: "250 is sent only after the mail is stored",
    out: [
      [
        "packages/adapter-smtp/src/listener/listener.ts",
        "return await deliver(message, session);",
        "void deliver(message, session);\n      return null;",
      ],
    ],
    test: ["packages/adapter-smtp/src/listener/listener.test.ts", "gets 250 only after it was stored"],
  },
  {
    name: "nothing is acknowledged before its commit",
    out: [
      [
        "packages/adapter-sqlite/src/group-commit/batch.ts",
        "done.push({ ...write, outcome: await outcomeOf(write, batch) });",
        'const outcome = await outcomeOf(write, batch);\n    if ("value" in outcome) write.resolve(outcome.value as never);\n    done.push({ ...write, outcome });',
      ],
    ],
    test: [
      "packages/adapter-sqlite/src/group-commit/group-commit.test.ts",
      "nothing is answered before the commit",
    ],
  },
  {
    name: "acknowledged data is on disk",
    out: [["packages/adapter-sqlite/src/connection.ts", 'database.pragma("synchronous = full");']],
    test: ["packages/adapter-sqlite/src/group-commit/group-commit.test.ts", "the writer syncs every commit"],
  },
  {
    name: "a transaction's reads stay valid until it has written",
    out: [
      [
        "packages/adapter-postgres/src/storage/attempt-transaction.ts",
        "begin isolation level serializable",
        "begin isolation level read committed",
      ],
    ],
    test: [
      "packages/adapter-postgres/src/storage/postgres-transactions.test.ts",
      "a transaction whose reads are outdated when it writes",
    ],
  },
  {
    name: "PostgreSQL has committed before the write is acknowledged",
    out: [
      [
        "packages/adapter-postgres/src/storage/attempt-transaction.ts",
        "    await commit();\n",
        "    void commit().catch(() => undefined);\n",
      ],
      [
        "packages/adapter-postgres/src/storage/attempt-transaction.ts",
        "checkCommitted(await lastAnswer([sent], Promise.all(answers)));",
        "void lastAnswer([sent], Promise.all(answers)).catch(() => undefined);",
      ],
    ],
    test: [
      "packages/adapter-postgres/src/restart.test.ts",
      "causes storage_unavailable errors, and loses no acknowledged write",
    ],
  },
  {
    name: "a PostgreSQL that answers commits before they are on disk is refused",
    out: [
      [
        "packages/adapter-postgres/src/storage/postgres-storage.ts",
        'if (rows[0]?.["setting"] !== "off") return;',
        "if (rows[0] !== undefined) return;",
      ],
    ],
    test: ["packages/adapter-postgres/src/durable-commits.test.ts", "is refused"],
  },
  // Disks that fail or lose power
  {
    name: "large mail is on disk before it is acknowledged",
    out: [
      [
        "packages/adapter-sqlite/src/blob-files.ts",
        "await file.writeFile(bytes);\n      await file.datasync();",
        "await file.writeFile(bytes);",
      ],
    ],
    test: ["test/proofs/power-cut-moments.test.ts", "a disk of a server under load"],
  },
  {
    name: "a failed sync is not retried on the same connection",
    out: [
      [
        "packages/adapter-sqlite/src/group-commit/group-commit.ts",
        "isMachineError(error) || !succeeds",
        "!succeeds",
      ],
    ],
    test: [
      "packages/adapter-sqlite/src/group-commit/group-commit.test.ts",
      "a connection whose commit met a failing disk",
    ],
  },
  {
    name: "data that a failed sync left out is not trusted",
    out: [["packages/adapter-sqlite/src/sqlite-storage.ts", "rewriteWal(connection, path);"]],
    test: ["test/proofs/failing-sync.test.ts", "may lose power at any moment of its next start"],
  },
  // Nothing is lost or stored twice in transit
  {
    name: "a mail that arrives twice is stored once",
    out: [
      [
        "packages/core/src/traffic/inbound/store-mail.ts",
        "const dedupe_key = dedupeKey(evidence, attachments);",
        "const dedupe_key = null;",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "fifty concurrent copies"],
  },
  {
    name: "mail to a suspended account is deferred, not lost",
    out: [
      ["packages/core/src/traffic/inbound/destination.ts", "if (standsStill(account, parent))", "if (false)"],
    ],
    test: ["packages/core/src/limits/plans/suspension.test.ts", "mail to it deferred"],
  },
  {
    name: "a mail that exceeded its worker is tried again before it is refused",
    out: [
      [
        "packages/adapter-smtp/src/reading/isolated-workers.ts",
        'failures > TEMPORARY_FAILURES ? "mail_too_complex" : "storage_unavailable"',
        '"mail_too_complex"',
      ],
    ],
    test: ["packages/adapter-smtp/src/reading/isolated-workers.test.ts", "exceeds its worker twice"],
  },
  {
    name: "bytes that don't match their hash are never given out",
    out: [
      [
        "packages/adapter-s3/src/s3-objects.ts",
        'if (hash("sha256", bytes, "hex") !== sha256)',
        "if (bytes === undefined)",
      ],
    ],
    test: ["packages/adapter-s3/src/s3-objects.test.ts", "sends other bytes for good"],
  },
  {
    name: "an upload that the sweep has doomed is never linked",
    out: [
      ["packages/adapter-postgres/src/blobs/blob-objects.ts", 'and not "doomed" for update', "for update"],
    ],
    test: ["packages/adapter-postgres/src/blobs/blob-objects.test.ts", "whose upload was swept meanwhile"],
  },
];
