import { type Guard, guard } from "./guard.ts";

const direct = "packages/adapter-smtp/src/transport/direct";
const test = `${direct}/direct-transport.test.ts`;

/** Where mail that leaves without a relay may go, and the key that signs it. */
export const directDelivery: Guard[] = [
  guard(
    "a mail host at a private address is never connected to",
    [
      `${direct}/direct-transport.ts`,
      "(isPublicAddress(address) && !isOfThisMachine(address))",
      "address !== null",
    ],
    [test, "is never connected to, for good"],
  ),
  guard(
    "mail doesn't come back to this service",
    [`${direct}/mail-hosts.ts`, "priority < own_priority", "priority <= own_priority"],
    [test, "mail isn't sent to this service's own hosts"],
  ),
  guard(
    "a policy isn't fetched from a private address",
    [`${direct}/policy.ts`, "addresses.filter(isAllowed)", "addresses"],
    [test, "a policy isn't fetched from an address that isn't public"],
  ),
  guard(
    "an enforced policy needs a certificate for the host's name",
    [`${direct}/host-connections.ts`, "rejectUnauthorized: true", "rejectUnauthorized: false"],
    [test, "a certificate for another name is a temporary failure"],
  ),
  guard(
    "an enforced policy's hosts alone get the mail",
    [`${direct}/direct-transport.ts`, "if (!policy.allows(name)) {", "if (name === null) {"],
    [test, "a host that the policy doesn't name is a temporary failure"],
  ),
  guard(
    "a policy lasts while its record is hidden",
    [
      `${direct}/policy.ts`,
      "if (id === false || id === valid?.id) return valid?.policy;",
      "if (id === false) return undefined;",
    ],
    [`${direct}/policy.test.ts`, "a policy is kept while its record and its host are gone"],
  ),
  guard(
    "a host has at most 20 connections",
    [`${direct}/host-connections.ts`, "pool.open < MAX_CONNECTIONS_PER_HOST", "pool.open < Infinity"],
    [test, "at most 20 are open"],
  ),
  guard(
    "the key of the mail domain is made once",
    [
      "packages/core/src/kernel/service-keys.ts",
      "return seal.open(record.sealed_key);",
      "return seal.open(made.sealed_key);",
    ],
    ["packages/core/src/domains/signing-keys.test.ts", "processes that start at once sign with one key"],
  ),
];
