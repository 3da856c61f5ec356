import type { Guard } from "./guard.ts";

/** No caller reaches the records of another account, or more of its own than its key allows. */
export const accountsApart: readonly Guard[] = [
  // Keys and their permissions
  {
    name: "an operation requires a key",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        'if (caller.type === "public") throw fail("invalid_api_key");\n\n',
      ],
      [
        "packages/server/src/request/caller.ts",
        'if (open && workspace_id === undefined) return { type: "public", ip };',
        'return { type: "public", ip };',
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "no key opens no operation"],
  },
  {
    name: "a revoked key is refused",
    out: [
      [
        "packages/core/src/account/accounts/keys/authenticate.ts",
        'if (key.revoked_at !== null) throw fail("api_key_revoked");',
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "a revoked key opens no operation"],
  },
  {
    name: "a revoked key does not stay cached",
    out: [
      [
        "packages/core/src/kernel/cached-read.ts",
        "if (before?.version === current) return",
        "if (before !== undefined) return",
      ],
    ],
    test: ["packages/core/src/kernel/cached-read.test.ts", "read again after a commit"],
  },
  {
    name: "a wait asks for its right again before it delivers",
    out: [
      ["packages/core/src/kernel/waiting.ts", "await ctx.rights.check();"],
      ["packages/core/src/events/feed/stream.ts", "if (events.length > 0) await checkAgain();"],
    ],
    test: ["packages/core/src/kernel/access/rights.test.ts", "delivers nothing of what happens right after"],
  },
  {
    name: "a key is limited to its permissions",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        'allow !== "any" && !holdsAny(caller.permissions, allow)',
        "false",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "without its permissions is permission_denied"],
  },
  {
    name: "a key for one inbox can't reach another inbox",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        "if (caller.inbox_ids !== null && (inbox === undefined || !reachesInbox(caller, inbox.id)))\n      throw inboxNotFound(named);",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about this one is inbox_not_found"],
  },
  {
    name: "a key for one inbox can't act on the account",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        'operation.scope === "account" && caller.inbox_ids !== null',
        "false",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "a key that is held to another inbox"],
  },
  {
    name: "an answer contains only the fields of its schema",
    out: [["packages/core/src/kernel/gate.ts", "already_shown ? answer : output.parse(answer)", "answer"]],
    test: [
      "packages/core/src/account/accounts/keys/keys.test.ts",
      "shows nothing of what is stored of the secret",
    ],
  },
  {
    name: "a repeated call shows nothing that its key may not read",
    out: [
      [
        "packages/core/src/kernel/access/readable-by.ts",
        "isReadable ? record",
        "isReadable || true ? record",
      ],
    ],
    test: ["packages/core/src/kernel/replays.test.ts", "is an id and nothing else"],
  },
  // Records, by id, by list and in lists
  {
    name: "another account's inbox is not found",
    out: [
      [
        "packages/core/src/kernel/inbox/find.ts",
        "where: { id, account_id }, limit: 1",
        "where: { id }, limit: 1",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign inbox"],
  },
  {
    name: "another account's message is not found",
    out: [
      [
        "packages/core/src/mailbox/messages/find.ts",
        "message === undefined || message.inbox_id !== inbox_id",
        "message === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign record"],
  },
  {
    name: "another account's task is not found",
    out: [
      [
        "packages/core/src/owners/tasks/find.ts",
        "task === undefined || !reaches(caller, task)",
        "task === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign record"],
  },
  {
    name: "another account's webhook is not found",
    out: [
      [
        "packages/core/src/events/webhooks/find.ts",
        "webhook === undefined || !canSeeWebhook(ctx, webhook)",
        "webhook === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign record"],
  },
  {
    name: "another account's approval is not found",
    out: [
      [
        "packages/core/src/owners/approvals/find.ts",
        "approval === undefined || !reaches(caller, approval)",
        "approval === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign record"],
  },
  {
    name: "another account's key is not found",
    out: [
      [
        "packages/core/src/account/accounts/keys/operations.ts",
        "key === undefined || !reaches(ctx.caller, key)",
        "key === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "about a foreign record"],
  },
  {
    name: "another account's messages can't be found by a list of ids",
    out: [
      [
        "packages/core/src/mailbox/messages/find.ts",
        "found.filter((message) => message.inbox_id === inbox_id)",
        "found",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "another account's key"],
  },
  {
    name: "a webhook can't be bound to a foreign inbox",
    out: [
      [
        "packages/core/src/events/webhooks/find.ts",
        "found[index]?.account_id !== ctx.account_id",
        "found[index] === undefined",
      ],
    ],
    test: ["test/proofs/tenants.test.ts", "another account's key"],
  },
  {
    name: "a list shows a key for one inbox only that inbox",
    out: [["packages/core/src/kernel/access/caller.ts", " && reachesInbox({ inbox_ids }, record.inbox_id)"]],
    test: ["test/proofs/tenants.test.ts", "about a record of this one is its 404"],
  },
  {
    name: "a person reaches no other account",
    out: [
      [
        "packages/core/src/owners/sessions/caller.ts",
        'if (account_owner === undefined) throw fail("account_not_found", { param: "X-Letterslot-Account" });',
      ],
    ],
    test: ["packages/core/src/owners/sessions/people.test.ts", "another's is not found"],
  },
  // Workspaces, archives and domains
  {
    name: "another account's workspace is nobody's",
    out: [
      [
        "packages/core/src/account/workspaces/find.ts",
        "if (workspace?.parent_account_id !== account_id) throw workspaceNotFound(workspace_id);",
        "if (workspace === undefined) throw workspaceNotFound(workspace_id);",
      ],
    ],
    test: ["packages/core/src/account/workspaces/workspaces.test.ts", "is done by a stranger as little"],
  },
  {
    name: "only an account owner names a workspace",
    out: [
      [
        "packages/core/src/account/workspaces/act-within.ts",
        "if (!named || owners.every(({ email }) => email !== person.email))",
        "if (!named)",
      ],
    ],
    test: ["packages/core/src/account/workspaces/workspaces.test.ts", "is for nobody else's workspace"],
  },
  {
    name: "an archive takes over nothing of another account",
    out: [
      [
        "packages/core/src/account/export/import/check-archive.ts",
        "if (other !== undefined) throw takenBy(kind, String(other[column]));",
      ],
    ],
    test: ["packages/core/src/account/export/export.test.ts", "consumers by id"],
  },
  {
    name: "an archive gives no key to an account that it didn't bring",
    out: [
      [
        "packages/core/src/account/export/import/import-account.ts",
        "if (!brought.some(({ name }) => name === mark.name))",
        "if (brought.length < 0)",
      ],
    ],
    test: ["packages/core/src/account/export/export.test.ts", "never opens an account that is here already"],
  },
  {
    name: "another account's domain is nobody's",
    out: [
      [
        "packages/core/src/account/domains/show.ts",
        "if (domain?.account_id !== account_id) throw domainNotFound(domain_id);",
        "if (domain === undefined) throw domainNotFound(domain_id);",
      ],
    ],
    test: ["packages/core/src/account/domains/domains.test.ts", "see nothing of each other's"],
  },
  {
    name: "a domain is proven by the text of one account alone",
    out: [
      [
        "packages/core/src/account/domains/dns/judge-ownership.ts",
        "text.trim() === value",
        "text.includes(OWNERSHIP_PREFIX)",
      ],
    ],
    test: ["packages/core/src/account/domains/dns/examine.test.ts", "of another account"],
  },
  {
    name: "of two accounts that prove a domain one has it",
    out: [
      [
        "packages/core/src/account/domains/check.ts",
        "const holds = holder?.domain_id === domain_id;",
        "const holds = true;",
      ],
    ],
    test: [
      "packages/core/src/account/domains/domains.test.ts",
      "that prove it at the same moment, one has it",
    ],
  },
  {
    name: "no mail leaves from a domain that isn't the account's any more",
    out: [["packages/core/src/traffic/sending/send-job.ts", "if (!held)", "if (false as boolean)"]],
    test: ["packages/core/src/custom-domain-mail.test.ts", "never leaves once another account"],
  },
  {
    name: "a key that is held to inboxes counts the mail of those alone",
    out: [
      [
        "packages/core/src/traffic/contacts/read.ts",
        "where: { ...withinReach(caller, inbox_id), place: { gt: place } }",
        "where: { account_id: caller.account_id, place: { gt: place } }",
      ],
    ],
    test: ["packages/core/src/traffic/contacts/contacts.test.ts", "of a key that is held to an inbox"],
  },
];
