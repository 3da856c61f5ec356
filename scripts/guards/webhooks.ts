import { type Guard, guard } from "./guard.ts";

const http = "packages/adapter-http/src";
const posts = `${http}/webhook-http.test.ts`;
const client = "packages/client/src/webhooks.ts";
const refused: [string, string] = ["packages/client/src/webhooks.test.ts", "a delivery is refused"];
const core = "packages/core/src/webhooks";

/** Where webhooks go, what their receivers can do, and what receivers can rely on. */
export const webhooks: Guard[] = [
  guard(
    "a webhook's URL names no private address",
    [`${http}/destination.ts`, "if (isIP(host) !== 0)", "if (isIP(host) === -1)"],
    [`${http}/destination.test.ts`],
  ),
  guard(
    "a webhook's URL names no local host",
    [`${http}/destination.ts`, "if (local && !may_be_allowed)", "if (false)"],
    [`${http}/destination.test.ts`],
  ),
  guard(
    "every form of a private address is one",
    [`${http}/addresses.ts`, 'parsed.range() !== "unicast" || '],
    [`${http}/destination.test.ts`, "is not public"],
  ),
  guard(
    "a name is connected to at public addresses alone",
    [`${http}/connections.ts`, "addresses.filter(({ address }) => allowed(address))", "addresses"],
    [posts, "a name that resolves to a private address"],
  ),
  guard(
    "the other end of the socket is what was checked",
    [`${http}/connections.ts`, 'if (allowed(socket.remoteAddress ?? "")) return', "return"],
    [posts, "whose address changes between the check and the connection"],
  ),
  guard(
    "an answer is read to 8 KB",
    [`${http}/exchange.ts`, 'if (length >= MAX_BODY_BYTES) abort(new Error("enough"));'],
    [posts, "reads 8 KB of a body"],
  ),
  guard(
    "a post has one deadline for all of it",
    [`${http}/exchange.ts`, 'abort(Object.assign(new Error("deadline"), { code: "DEADLINE" }))', "undefined"],
    [posts, "without a response"],
  ),
  guard(
    "a body that drips is not read for long",
    [`${http}/exchange.ts`, 'bodyTimer ??= setTimeout(() => abort(new Error("enough")), BODY_TIMEOUT_MS);'],
    [posts, "that trickles in"],
  ),
  guard(
    "a webhook that fails 20 times in a row is turned off",
    [`${core}/rules.ts`, "!disable && webhook.consecutive_failures < limits.webhook_disable_at", "!disable"],
    [`${core}/webhooks.test.ts`, "20 final failures"],
  ),
  guard(
    "a header of a webhook begins no other",
    [`${core}/rules.ts`, "!HEADER_VALUE.test(value)", "false"],
    [`${core}/rules.test.ts`, "custom headers"],
  ),
  guard(
    "secrets and headers of webhooks are sealed in storage",
    [`${core}/operations.ts`, "sealed_secret: ctx.seal.seal(secret)", "sealed_secret: secret"],
    [`${core}/webhooks.test.ts`, "sealed in storage"],
  ),
  guard(
    "a delivery of long ago is refused",
    [client, "Math.abs(now.getTime() / 1000 - seconds) > tolerance_seconds", "false"],
    refused,
  ),
  guard(
    "a delivery of somebody else is refused",
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
    "the secret before the last signs no more after a day",
    [
      `${core}/rules.ts`,
      "webhook.previous_secret_expires_at > iso(now)",
      "webhook.previous_secret_expires_at !== null",
    ],
    [`${core}/webhooks.test.ts`, "sign for 24 hours"],
  ),
];
