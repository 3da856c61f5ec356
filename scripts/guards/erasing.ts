import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const tests = `${core}/erasing/erasing.test.ts`;

/** Who deletes an account, and what a deleted one can still do. */
export const deletionOfAccounts: Guard[] = [
  guard(
    "a key's deletion of the account waits for an account owner",
    [`${core}/erasing/operations.ts`, 'if (caller.type !== "owner") {', 'if (caller.type === "app") {'],
    [tests, "a key with full access asks"],
  ),
  guard(
    "only who holds the whole account asks for its deletion",
    [`${core}/erasing/operations.ts`, "    authorize: (caller) => checkMayAsk(caller),\n"],
    [tests, "a key with some permissions is refused"],
  ),
  guard(
    "only account owners decide the deletion of an account",
    [`${core}/approvals/rules.ts`, ' || subject_type === "account_delete"'],
    [tests, "nobody else: not an owner of an inbox"],
  ),
  guard(
    "a deleted account answers no call",
    [
      `${core}/kernel/suspended.ts`,
      '  if (account.deleted_at !== null || root.deleted_at !== null) return "account_deleted";\n',
    ],
    [tests, "takes its workspaces along"],
  ),
  guard(
    "nothing is made in a deleted account",
    [
      `${core}/plans/take.ts`,
      '  if (own.deleted_at !== null || account.deleted_at !== null) throw fail("account_deleted");\n',
    ],
    [tests, "has no room for what a call in progress makes"],
  ),
  guard(
    "nobody takes charge of a deleted account",
    [`${core}/erasing/begin.ts`, "first_owner_email: null, "],
    [tests, "is taken charge of by nobody"],
  ),
];
