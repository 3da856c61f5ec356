import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const tests = `${core}/workspaces/workspaces.test.ts`;

/** A workspace is apart from its account, and has no more than that gave it. */
export const workspaces: Guard[] = [
  guard(
    "another account's workspace is nobody's",
    [
      `${core}/workspaces/find.ts`,
      "if (workspace?.parent_account_id !== account_id) throw workspaceNotFound(workspace_id);",
      "if (workspace === undefined) throw workspaceNotFound(workspace_id);",
    ],
    [tests, "is done by a stranger as little"],
  ),
  guard(
    "a key that is limited to an inbox acts in no workspace",
    [`${core}/workspaces/act-within.ts`, "  checkMayActWithin(caller);\n"],
    [tests, "is not for a key that is limited to an inbox"],
  ),
  guard(
    "an app acts in no workspace",
    [
      `${core}/workspaces/rules.ts`,
      'caller.type !== "app" && caller.inbox_ids === null',
      "caller.inbox_ids === null",
    ],
    ["test/proofs/credentials.test.ts", "X-Letterslot-Workspace is closed to an app in the account"],
  ),
  guard(
    "only an account owner names a workspace",
    [
      `${core}/workspaces/act-within.ts`,
      "if (!named || owners.every(({ email }) => email !== person.email))",
      "if (!named)",
    ],
    [tests, "is for nobody else's workspace"],
  ),
  guard(
    "a workspace has no workspaces",
    [`${core}/workspaces/create.ts`, "  checkNotNested(parent);\n"],
    [tests, "has no workspaces of its own"],
  ),
  guard(
    "a workspace's key has no more than its creator",
    [
      `${core}/workspaces/rules.ts`,
      "permissions: creator.permissions === null ? null : [...creator.permissions],",
      "permissions: null,",
    ],
    [tests, "has at most its creator's permissions"],
  ),
  guard(
    "a workspace's first key descends from its creator's",
    [`${core}/workspaces/create.ts`, "const parent_key_id = key?.id ?? null;", "const parent_key_id = null;"],
    [tests, "is revoked with the key that created it"],
  ),
  guard(
    "a workspace's quota is taken in the write itself",
    [`${core}/inboxes/workspace-quota.ts`, "{ account_id, inboxes_left: { gte: 1 } },", "{ account_id },"],
    [tests, "ends with its last inbox"],
  ),
  guard(
    "a workspace's inboxes go by no way around an approval",
    [`${core}/workspaces/close.ts`, '    await checkMayEnd(work, [inbox], "workspace_inbox_id");\n'],
    [tests, "leaves what an owner must approve"],
  ),
  guard(
    "an owner in a workspace claims nothing of the account above",
    [
      `${core}/owners/confirm.ts`,
      "const whole = { id: account_id, parent_account_id: null };",
      "const whole = { id: account_id };",
    ],
    [tests, "the first owner of a workspace is no account owner"],
  ),
  guard(
    "a workspace is claimed only with its account",
    [
      `${core}/sending/check-send.ts`,
      "await rootAccount(storage, inbox.account_id);",
      'await storage.get("accounts", inbox.account_id);',
    ],
    [tests, "are not those whom a workspace's key verified"],
  ),
  guard(
    "account owners don't leave a workspace's approvals behind",
    [`${core}/people/authority.ts`, "...(await subAccountsOf(work, account_id))", ""],
    [tests, "can't leave while an inbox of a workspace"],
  ),
];
