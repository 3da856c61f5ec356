import { type Guard, guard } from "./guard.ts";

const http = "packages/adapter-http/src";
const posts = `${http}/webhook-http.test.ts`;
const client = "packages/client/src/webhooks.ts";
const refused: [string, string] = ["packages/client/src/webhooks.test.ts", "a delivery is refused"];
const core = "packages/core/src/webhooks";

/** Where webhooks may go, what receivers can cause, and what receivers can rely on. */
export const webhooks: Guard[] = [
  guard(
    "a webhook's URL can't name a private address",
    [`${http}/destination.ts`, "if (isIP(host) !== 0)", "if (isIP(host) === -1)"],
    [`${http}/destination.test.ts`],
  ),
  guard(
    "a webhook's URL can't name a local host",
    [`${http}/destination.ts`, "if (local && !may_be_allowed)", "if (false)"],
    [`${http}/destination.test.ts`],
  ),
  guard(
    "private addresses are recognised in every notation",
    [`${http}/addresses.ts`, 'parsed.range() !== "unicast" || '],
    [`${http}/destination.test.ts`, "is not public"],
  ),
  guard(
    "a name is connected to only at public addresses",
    [`${http}/connections.ts`, "addresses.filter(({ address }) => allowed(address))", "addresses"],
    [posts, "a name that resolves to a private address"],
  ),
  guard(
    "the socket's peer address is checked",
    [`${http}/connections.ts`, 'if (allowed(socket.remoteAddress ?? "")) return', "return"],
    [posts, "whose address changes between the check and the connection"],
  ),
  guard(
    "a response is read only up to 8 KB",
    [`${http}/exchange.ts`, 'if (length >= MAX_BODY_BYTES) abort(new Error("enough"));'],
    [posts, "reads 8 KB of a body"],
  ),
  guard(
    "a whole request has a single deadline",
    [`${http}/exchange.ts`, 'abort(Object.assign(new Error("deadline"), { code: "DEADLINE" }))', "undefined"],
    [posts, "without a response"],
  ),
  guard(
    "a slow response body is not read for long",
    [`${http}/exchange.ts`, 'bodyTimer ??= setTimeout(() => abort(new Error("enough")), BODY_TIMEOUT_MS);'],
    [posts, "that trickles in"],
  ),
  guard(
    "a webhook that fails 20 times in a row is disabled",
    [`${core}/rules.ts`, "!disable && webhook.consecutive_failures < LIMITS.webhook_disable_at", "!disable"],
    [`${core}/webhooks.test.ts`, "20 final failures"],
  ),
  guard(
    "a webhook header can't inject another",
    [`${core}/rules.ts`, "!HEADER_VALUE.test(value)", "false"],
    [`${core}/rules.test.ts`, "custom headers"],
  ),
  guard(
    "secrets and headers of webhooks are encrypted in storage",
    [`${core}/operations.ts`, "sealed_secret: ctx.seal.seal(secret)", "sealed_secret: secret"],
    [`${core}/webhooks.test.ts`, "sealed in storage"],
  ),
  guard(
    "an old delivery is refused",
    [client, "Math.abs(now.getTime() / 1000 - seconds) > tolerance_seconds", "false"],
    refused,
  ),
  guard(
    "a delivery from someone else is refused",
    [client, "if (!checks.includes(true))", "if (false)"],
    refused,
  ),
  guard(
    "a signature without a time is refused",
    [
      client,
      "if (signature === undefined || timestamp === undefined) return undefined;",
      "if (signature === undefined) return undefined;",
    ],
    refused,
  ),
  guard(
    "a rotated secret stops signing after a day",
    [
      `${core}/rules.ts`,
      "webhook.previous_secret_expires_at > iso(now)",
      "webhook.previous_secret_expires_at !== null",
    ],
    [`${core}/webhooks.test.ts`, "sign for 24 hours"],
  ),
];
