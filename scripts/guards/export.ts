import { type Guard, guard } from "./guard.ts";

const folder = "packages/core/src/export";
const tests = `${folder}/export.test.ts`;

/** What an account's export must not have, and what an archive must not bring. */
export const exportsOfAccounts: Guard[] = [
  guard(
    "an export has no hash of a key",
    [`${folder}/exported.ts`, 'keys: { by: "account_id", secret: ["hash"] },', 'keys: { by: "account_id" },'],
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
    [`${folder}/read-archive.ts`, 'if (hash("sha256", bytes, "hex") !== name)', "if (bytes === undefined)"],
    [tests, "isn't what it says"],
  ),
];
