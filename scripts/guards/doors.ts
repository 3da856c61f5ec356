import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const gate = `${core}/kernel/gate.ts`;
const tenants = "test/proofs/tenants.test.ts";
const foreign = "another account's key";
const versions = "packages/adapter-sqlite/src/table-versions.test.ts";

/** Who may call, and which records they can reach. */
export const doors: Guard[] = [
  behind(
    guard(
      "an operation requires a key",
      [gate, 'if (caller.type === "public") throw fail("invalid_api_key");\n\n'],
      [tenants, "no key opens no operation"],
    ),
    edit(
      "packages/server/src/request/caller.ts",
      'if (open && workspace_id === undefined) return { type: "public", ip };',
      'return { type: "public", ip };',
    ),
  ),
  guard(
    "a revoked key is refused",
    [`${core}/accounts/keys/authenticate.ts`, 'if (key.revoked_at !== null) throw fail("api_key_revoked");'],
    [tenants, "a revoked key opens no operation"],
  ),
  guard(
    "a revoked key does not stay cached",
    [
      `${core}/kernel/cached-read.ts`,
      "if (before?.version === current) return",
      "if (before !== undefined) return",
    ],
    [`${core}/kernel/cached-read.test.ts`, "read again after a commit"],
  ),
  guard(
    "a commit counts for the tables that it changed",
    ["packages/adapter-sqlite/src/group-commit.ts", "versions.committed(batch.changed);"],
    [versions, "an update changes the version"],
  ),
  guard(
    "a transaction notes the tables that it changes",
    ["packages/adapter-sqlite/src/run-in-batch.ts", "changed.note(statement);"],
    [versions, "a delete within one"],
  ),
  guard(
    "an expired key is refused",
    [
      `${core}/accounts/keys/authenticate.ts`,
      'if (key.expires_at !== null && key.expires_at <= iso(now)) throw fail("api_key_expired");',
    ],
    [tenants, "an expired key opens no operation"],
  ),
  guard(
    "a given key is checked even where none is needed",
    [
      "packages/server/src/request/caller.ts",
      'if (api_key === undefined) throw fail("invalid_api_key");',
      'if (api_key === undefined) return { type: "public", ip };',
    ],
    ["packages/server/src/http/app.test.ts", "authentication"],
  ),
  guard(
    "a key is limited to its permissions",
    [gate, 'allow !== "any" && !holdsAny(caller.permissions, allow)', "false"],
    [tenants, "without its permissions is permission_denied"],
  ),
  guard(
    "a key for one inbox can't reach another inbox",
    [
      gate,
      "if (caller.inbox_ids !== null && (inbox === undefined || !reachesInbox(caller, inbox.id)))\n      throw inboxNotFound(named);",
    ],
    [tenants, "about this one is inbox_not_found"],
  ),
  guard(
    "a key for one inbox can't act on the account",
    [gate, 'operation.scope === "account" && caller.inbox_ids !== null', "false"],
    [tenants, "a key that is held to another inbox"],
  ),
  guard(
    "an unknown input field is refused",
    [gate, 'if (unknown !== undefined) throw fail("unknown_parameter", { param: unknown });'],
    [`${core}/kernel/gate.test.ts`, "refuses a field that it does not know"],
  ),
  guard(
    "an answer contains only the fields of its schema",
    [gate, "already_shown ? answer : output.parse(answer)", "answer"],
    [`${core}/accounts/keys/keys.test.ts`, "shows nothing of what is stored of the secret"],
  ),
  guard(
    "another account's inbox is not found",
    [
      `${core}/kernel/inbox/find.ts`,
      "inbox?.account_id === account_id ? inbox : undefined",
      "inbox?.account_id === account_id || inbox ? inbox : undefined",
    ],
    [tenants, "about a foreign inbox"],
  ),
  ...(
    [
      [
        "message",
        `${core}/messages/find.ts`,
        "message === undefined || message.inbox_id !== inbox_id",
        "message === undefined",
      ],
      ["draft", `${core}/sending/drafts/find.ts`, "draft?.inbox_id !== inbox_id", "draft === undefined"],
      [
        "thread",
        `${core}/threads/find.ts`,
        "thread === undefined || thread.inbox_id !== inbox_id",
        "thread === undefined",
      ],
      ["task", `${core}/tasks/find.ts`, "task === undefined || !reaches(caller, task)", "task === undefined"],
      [
        "webhook",
        `${core}/webhooks/find.ts`,
        "webhook === undefined || !canSeeWebhook(ctx, webhook)",
        "webhook === undefined",
      ],
      [
        "approval",
        `${core}/approvals/find.ts`,
        "approval === undefined || !reaches(caller, approval)",
        "approval === undefined",
      ],
      [
        "consumer",
        `${core}/consumers/operations.ts`,
        "!reaches(ctx.caller, consumer) || consumer === undefined",
        "consumer === undefined",
      ],
      [
        "key",
        `${core}/accounts/keys/operations.ts`,
        "key === undefined || !reaches(ctx.caller, key)",
        "key === undefined",
      ],
    ] as const
  ).map(([record, file, text, without]) =>
    guard(
      `another account's ${record} is not found`,
      [file, text, without],
      [tenants, "about a foreign record"],
    ),
  ),
  guard(
    "another account's messages can't be found by a list of ids",
    [`${core}/messages/find.ts`, "found.filter((message) => message.inbox_id === inbox_id)", "found"],
    [tenants, foreign],
  ),
  guard(
    "a webhook can't be bound to a foreign inbox",
    [`${core}/webhooks/find.ts`, "found[index]?.account_id !== ctx.account_id", "found[index] === undefined"],
    [tenants, foreign],
  ),
  guard(
    "a list shows a key for one inbox only that inbox",
    [`${core}/kernel/caller.ts`, " && reachesInbox({ inbox_ids }, record.inbox_id)"],
    [tenants, "about a record of this one is its 404"],
  ),
  guard(
    "a created key has no more permissions than its creator",
    [
      `${core}/accounts/keys/rules.ts`,
      "own !== null && (asked === null || asked.some((permission) => !own.includes(permission)))",
      "false",
    ],
    [`${core}/accounts/keys/keys.test.ts`, "never gives more than the creator has"],
  ),
  guard(
    "a created key expires no later than its creator",
    [`${core}/accounts/keys/rules.ts`, "asked !== null && asked > key.expires_at", "false"],
    [`${core}/accounts/keys/rules.test.ts`],
  ),
  guard(
    "creating a key requires key_write",
    [
      gate,
      "await inboxUnlessSuspended(services, caller, operation, raw);\n      checkPermission(caller, operation);",
      "await inboxUnlessSuspended(services, caller, operation, raw);",
    ],
    [`${core}/accounts/keys/keys.test.ts`, "needs key_write"],
  ),
  guard(
    "a permission that the input asks for is checked",
    [gate, "operation.authorize?.(caller, raw, inbox);"],
    ["test/proofs/permission-first.test.ts", "permission comes before validation and record"],
  ),
  guard(
    "a repeated call shows nothing that its key may not read",
    [`${core}/kernel/readable-by.ts`, "holdsAny(caller.permissions, allowed) ?", "allowed.length >= 0 ?"],
    [`${core}/kernel/replays.test.ts`, "is an id and nothing else"],
  ),
  guard(
    "a repeated call shows no record of another inbox",
    [
      `${core}/kernel/readable-by.ts`,
      "!inboxesOf(record).every((inbox_id) => reachesInbox(caller, inbox_id))",
      "inboxesOf(record).length > 99",
    ],
    [`${core}/kernel/replays.test.ts`, "a key of another inbox"],
  ),
  guard(
    "relaxing an inbox's checks requires owner_manage",
    [`${core}/inboxes/rules.ts`, 'throw fail("permission_denied", { param: "owner_manage" });', "return;"],
    [`${core}/inboxes/inboxes.test.ts`, "to less strict checks"],
  ),
  guard(
    "only the service can set warning labels",
    [`${core}/messages/rules.ts`, "if (PROTECTED_LABELS.includes(label))", "if (false)"],
    [`${core}/inbound/inbound.test.ts`, "keeps the held label"],
  ),
  guard(
    "mail is not sent to an address that bounced",
    [
      `${core}/suppressions/suppress.ts`,
      'if (found === undefined) return;\n  throw fail("recipient_suppressed", {\n    param: "to",\n    message: `${found',
      'if (found !== null) return;\n  throw fail("recipient_suppressed", {\n    param: "to",\n    message: `${found',
    ],
    [`${core}/suppressions/suppressions.test.ts`],
  ),
];
