import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src/domains";
const adapter = "packages/adapter-dns";
const rules = `${core}/zone-rules.test.ts`;
const updates = `${adapter}/test/update-zone.test.ts`;

/** Writing to the zones of strangers: their records stay, and nobody is sent where they shouldn't be. */
export const automaticDns: Guard[] = [
  guard(
    "only what we wrote is removed from a zone",
    [`${core}/zone-rules.ts`, "const outdated = written.filter(", "const outdated = found.filter("],
    [rules, "is nothing that somebody else wrote"],
  ),
  guard(
    "somebody else's record isn't written over",
    [`${core}/zone-rules.ts`, "if (obstacles.length > 0)", "if (false)"],
    [rules, "makes way for"],
  ),
  guard(
    "a record is noted before it is written",
    [`${core}/write-zone.ts`, "    await note(record);\n    try {\n", "    try {\n"],
    [`${core}/write-zone.test.ts`, "noted before it is written"],
  ),
  guard(
    "a name that leads to a private name server isn't followed",
    [`${adapter}/src/rfc2136/destinations.ts`, "addresses.filter(mayBeReached)", "addresses"],
    [updates, "a name whose addresses are private"],
  ),
  guard(
    "a private name server can't be named",
    [
      `${adapter}/src/rfc2136/destinations.ts`,
      "if (isIP(server) !== 0 && !mayBeReached(server)) throw notPublic();",
    ],
    [updates, "which is told at once"],
  ),
  guard(
    "an answer without a signature isn't believed",
    [`${adapter}/src/rfc2136/session.ts`, "if (verified) return reply;", "return reply;"],
    [updates, "an answer without its signature"],
  ),
  guard(
    "an answer whose signature is wrong isn't believed",
    [`${adapter}/src/rfc2136/tsig.ts`, "    timingSafeEqual(mac, expected) &&\n"],
    [updates, "another result"],
  ),
  guard(
    "the name server checks that no CNAME is replaced",
    [`${adapter}/src/rfc2136/update-zone.ts`, ": [noCname(record.name)]", ": []"],
    [updates, "a CNAME never takes the place of others"],
  ),
  guard(
    "records of a wildcard aren't taken for a name's own",
    [
      `${adapter}/src/rfc2136/update-zone.ts`,
      'if ((await session.update([inUse(name)], [])) === "name_not_in_use") continue;',
    ],
    [updates, "a wildcard is no record"],
  ),
  guard(
    "Cloudflare's token goes to Cloudflare alone",
    [`${adapter}/src/cloudflare/api.ts`, 'redirect: "error"', 'redirect: "follow"'],
    [`${adapter}/test/cloudflare-zone.test.ts`, "a redirect isn't followed"],
  ),
];
