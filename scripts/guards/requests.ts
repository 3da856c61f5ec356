import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const owners = `${core}/owners/owners.test.ts`;

/** The content and rate of requests. */
export const requests: Guard[] = [
  guard(
    "an oversized body is refused by its declared length",
    ["packages/server/src/request/body.ts", "if (Number(declared ?? 0) > max) throw tooLarge();"],
    ["packages/server/src/http/app.test.ts", "a body is limited to 1 MB"],
  ),
  guard(
    "an oversized body is refused whatever length it declares",
    ["packages/server/src/request/body.ts", "if (size > max) throw tooLarge();"],
    ["packages/server/src/http/app.test.ts", "a body over 35 MB"],
  ),
  guard(
    "a cursor is valid only for its own list",
    [
      `${core}/kernel/page.ts`,
      'if (!text.startsWith(prefix) || text.length === prefix.length)\n    throw fail("invalid_cursor", { param: "cursor" });',
    ],
    ["test/proofs/hostile-requests.test.ts", "rejects a cursor that it did not issue"],
  ),
  guard(
    "a name can only lead to a captured mail",
    [
      "packages/adapter-smtp/src/transport/capture-transport.ts",
      "return NAME.test(name) ? await",
      'return name !== "" ? await',
    ],
    ["packages/adapter-smtp/src/transport/capture-transport.test.ts", "matches no message"],
  ),
  guard(
    "captured mail is hidden from requests through a proxy",
    ["packages/server/src/request/direct-only.ts", 'if (forwarded) throw fail("route_not_found");'],
    ["packages/server/src/internal/outbox.test.ts"],
  ),
  guard(
    "captured mail is protected against DNS rebinding",
    [
      "packages/server/src/internal/outbox.ts",
      'if (!LOCAL_HOSTS.test(c.req.header("host") ?? "")) throw fail("route_not_found");',
    ],
    ["packages/server/src/internal/outbox.test.ts"],
  ),
  guard(
    "only a trusted proxy can name the client",
    [
      "packages/server/src/request/client-address.ts",
      "if (peer === null || !isProxy(peer)) return peer;",
      "if (peer === null) return peer;",
    ],
    ["packages/server/src/request/client-address.test.ts"],
  ),
  guard(
    "an hourly limit is enforced",
    [`${core}/kernel/rate.ts`, 'if (!within) throw fail("rate_limited", { retry_after_seconds });'],
    [owners, "is done five times an hour"],
  ),
  guard(
    "all addresses of an IPv6 host count as one",
    [`${core}/kernel/client-address.ts`, ".slice(0, 4)\n", ".slice(0, 8)\n"],
    [`${core}/kernel/client-address.test.ts`],
  ),
  guard(
    "a key has at most five concurrent waits",
    [`${core}/kernel/waiting.ts`, "if (slot === undefined)", "if (false)"],
    [`${core}/messages/messages.test.ts`, "five waiting slots"],
  ),
  guard(
    "a code has five attempts, however many are concurrent",
    [
      `${core}/owners/confirm.ts`,
      "{ id: owner.id, code_tries: { lt: LIMITS.owner_code_tries } }",
      "{ id: owner.id }",
    ],
    [owners, "allows five tries"],
  ),
  guard(
    "a stranger's attempts at codes are counted",
    [
      `${core}/owners/confirm.ts`,
      'if (!within) throw fail("confirm_locked", { param: "code", retry_after_seconds });',
    ],
    [owners],
  ),
  guard(
    "owners are asked at most a hundred times an hour",
    [
      `${core}/approvals/ask.ts`,
      "await countOrFail(\n    work,\n    { name: `approvals:${inbox.id}`, max: LIMITS.approvals_per_inbox_hour, window_ms: HOUR_MS },\n    now,\n  );",
    ],
    [`${core}/approvals/approvals.test.ts`, "at most a hundred times an hour"],
  ),
];
