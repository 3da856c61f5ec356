import { type Guard, guard } from "./guard.ts";

const folder = "packages/core/src/export";
const tests = `${folder}/export.test.ts`;
const requests = `${folder}/requests.test.ts`;

/** What an account's export must not have, and what an archive must not bring. */
export const exportsOfAccounts: Guard[] = [
  guard(
    "an export has no hash of a key",
    [
      `${folder}/exported-kinds.ts`,
      'keys: { by: "account_id", secret: ["hash"] },',
      'keys: { by: "account_id" },',
    ],
    [tests, "has no secret"],
  ),
  guard(
    "an export has held mail with its content only for people",
    [
      `${folder}/export-account.ts`,
      "const withheld = isHeld(message) && !held_content;",
      "const withheld = false;",
    ],
    [tests, "for a key has held mail"],
  ),
  guard(
    "an archive names nothing of another account",
    [`${folder}/check-archive.ts`, 'if (other !== undefined) throw takenBy(kind, String(other["id"]));'],
    [tests, "messages by thread_id"],
  ),
  guard(
    "an archive takes over nothing of another account",
    [`${folder}/check-archive.ts`, "if (other !== undefined) throw takenBy(kind, String(other[column]));"],
    [tests, "consumers by id"],
  ),
  guard(
    "an archive brings no list of another account",
    [`${folder}/check-archive.ts`, 'if (kind === "list_entries") checkList(record as ListEntryRecord);'],
    [tests, "an entry on another's list"],
  ),
  guard(
    "an archive brings no inbox at an address of the service",
    [
      `${folder}/check-archive.ts`,
      "if (isServiceAddress(services, email) || (await isPersonsAddress(services.storage, email)))",
      "if (await isPersonsAddress(services.storage, email))",
    ],
    [tests, "where the service, a person"],
  ),
  guard(
    "an archive gives no key to an account that it didn't bring",
    [
      `${folder}/import-account.ts`,
      "if (!brought.some(({ name }) => name === mark.name))",
      "if (brought.length < 0)",
    ],
    [tests, "never opens an account that is here already"],
  ),
  guard(
    "an archive makes no owner verified",
    [
      `${folder}/settle.ts`,
      'trust_owners ? owner : { ...owner, status: "pending", verified_at: null },',
      "trust_owners ? owner : { ...owner },",
    ],
    [tests, "trusts nobody"],
  ),
  guard(
    "an attachment of an archive is what its name says",
    [`${folder}/read-bytes.ts`, 'if (hash("sha256", bytes, "hex") !== name)', "if (bytes === undefined)"],
    [tests, "isn't what it says"],
  ),
  guard(
    "a file of an archive is no longer than its directory says",
    [
      "packages/server/src/process/zip-content.ts",
      'if (left < 0) throw new Error("a file is longer than its directory says");',
      "if (left < 0) return;",
    ],
    ["packages/server/src/process/accounts-archive.test.ts", "a zip of 300000 bytes that lies"],
  ),
  guard(
    "a search index that a crash left unmerged is merged at the next start",
    [
      "packages/adapter-sqlite/src/bulk-loads.ts",
      "let merging = isLoading(connection) ? merge() : Promise.resolve();",
      "let merging = Promise.resolve();",
    ],
    ["packages/adapter-sqlite/src/bulk-loads.test.ts", "what a crash left unmerged"],
  ),
  guard(
    "a transaction whose time is up writes nothing more",
    [
      "packages/adapter-sqlite/src/run-in-batch.ts",
      "if (ended || !connection.inTransaction())",
      "if (ended && !ended)",
    ],
    ["packages/adapter-sqlite/src/paced-writes.test.ts", "whose time is up"],
  ),
  guard(
    "an export is for keys with all permissions and account owners",
    [`${folder}/operations.ts`, "if (!mayExport(caller))", "if (caller.permissions === undefined)"],
    [requests, "a key without all permissions"],
  ),
  guard(
    "an export is only for whoever asked for it",
    [`${folder}/rules.ts`, " && asked_by === askerOf(caller)"],
    [requests, "exists only for whoever asked"],
  ),
  guard(
    "an export of another account doesn't exist",
    [`${folder}/rules.ts`, "account_id === caller.account_id && asked_by === askerOf(caller) && "],
    [requests, "exists only for whoever asked"],
  ),
  guard(
    "an export that a key asked for has no held content",
    [`${folder}/request.ts`, 'held_content: caller.type === "owner",', "held_content: true,"],
    [requests, "never to a key"],
  ),
  guard(
    "a person's exports end with their authority",
    [
      "packages/core/src/people/authority.ts",
      "    if (inbox_id === null) await endExportsOf(work, authority, now);\n",
    ],
    [requests, "end with their authority"],
  ),
  guard(
    "an export isn't made for a key that was revoked",
    [`${folder}/rules.ts`, "  key.revoked_at === null &&\n"],
    [requests, "once it is revoked"],
  ),
  guard(
    "exports are limited by the day",
    [`${folder}/request.ts`, "    await countOrFail(work, exportsCap(caller), now);\n"],
    [requests, "limited to two a day"],
  ),
  guard(
    "keys don't use up the exports of a person",
    [`${folder}/rules.ts`, 'caller.type === "owner" ? caller.email : "keys"', '"all"'],
    [requests, "limited to two a day"],
  ),
  guard(
    "an export can't be had after its time",
    [
      `${folder}/rules.ts`,
      " && expires_at > iso(now);\n\n/** Whether an export is still",
      ";\n\n/** Whether an export is still",
    ],
    [requests, "comes 24 hours after"],
  ),
  guard(
    "a worker that lost its lease adds nothing to an export",
    [
      `${folder}/make-export.ts`,
      "    await noteOnJob(tx, job, job.payload);\n    if (!(await stillWanted",
      "    if (!(await stillWanted",
    ],
    [requests, "lost its lease"],
  ),
  guard(
    "bytes that an export has too stay",
    [`${folder}/make-export.ts`, '    await tx.insert("blob_uses", { hash: named, message_id: id });\n'],
    [requests, "leaves the export whole"],
  ),
  guard(
    "an export that keeps failing ends",
    [`${folder}/make-export.ts`, "tries >= LIMITS.export_attempts || "],
    [requests, "failed after five tries"],
  ),
  guard(
    "few exports are made at once",
    [`${folder}/make-export.ts`, "slots: LIMITS.exports_at_once, holder", "slots: 100, holder"],
    [requests, "few are made at once"],
  ),
];
