import { toALabel } from "mailauth/lib/tools.js";
import { describe, expect, test } from "vitest";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { judgeSender } from "../support/judge-sender.ts";
import { createSigningKey, createZone, type SigningKey, sign, type Tags } from "../support/signer.ts";

const key = createSigningKey("example.com");
const weak = createSigningKey("example.com", { bits: 1000, selector: "weak" });
const modern = createSigningKey("example.com", { ed25519: true, selector: "modern" });
const stranger = createSigningKey("evil.test");
const zone: Zone = { ...key.zone, ...weak.zone, ...modern.zone, ...stranger.zone };

const mail = [
  "From: Ada <ada@example.com>",
  "To: bo@example.org",
  "Subject: The  garden",
  "Date: Thu, 01 Jan 2026 00:00:00 +0000",
  "Message-ID: <1@example.com>",
  "",
  "Hello  Bo,\t",
  "the roses are in bloom. ",
  "",
  "",
].join("\r\n");

const DAY_SECONDS = 86_400;
const now = Math.floor(Date.now() / 1000);
const record = (text: string): Zone => ({ ...zone, ...createZone(key, text) });
const published = (rest: string) => `v=DKIM1; ${rest}; p=${key.published}`;

/** A signed mail, the DNS records its receiver finds, and a forger's change to it. */
interface Case {
  key?: SigningKey;
  tags?: Tags;
  zone?: Zone;
  change?: (signed: string) => string;
}

async function verdictOf({ key: by = key, tags = {}, zone: found = zone, change = String }: Case) {
  const { verdict, facts } = await judgeSender(change(sign(mail, by, tags)), found);
  return { ...verdict, results: facts.dkim.map(({ result }) => result) };
}

describe("passes", () => {
  test.each<[string, Case]>([
    ["a signed mail", {}],
    ["one in simple canonicalisation", { tags: { c: "simple/simple" } }],
    ["one with simple canonicalisation of the header only", { tags: { c: "simple/relaxed" } }],
    ["one with relaxed canonicalisation of the header only", { tags: { c: "relaxed/simple" } }],
    ["one without a canonicalisation of the body, which defaults to simple", { tags: { c: "relaxed" } }],
    [
      "a relaxed one whose blanks changed in transit",
      {
        change: (signed) => signed.replace("The  garden", "The garden").replace("Hello  Bo,\t", "Hello Bo,"),
      },
    ],
    ["a relaxed one with empty lines added at the end", { change: (signed) => `${signed}\r\n\r\n` }],
    ["one with bare line feeds", { change: (signed) => signed.replaceAll("\r\n", "\n") }],
    ["one by Ed25519", { key: modern }],
    ["one that expires tomorrow", { tags: { t: `${now - 60}`, x: `${now + DAY_SECONDS}` } }],
    // RFC 6376, section 3.5, lets a receiver ignore it; clocks go wrong, and anyone with the key can write any
    // time.
    ["one from the future", { tags: { t: `${now + DAY_SECONDS}` } }],
    ["an identity in a subdomain", { tags: { i: "ada@mail.example.com" } }],
    [
      "an identity in a subdomain with a key for the whole domain",
      { tags: { i: "ada@example.com" }, zone: record(published("k=rsa; t=s")) },
    ],
    ["a key in testing mode", { zone: record(published("k=rsa; t=y")) }],
    ["a key for mail and these hashes", { zone: record(published("h=sha1:sha256; s=email")) }],
    ["a key for any service", { zone: record(published("s=*")) }],
    ["a key without a version", { zone: record(`p=${key.published}`) }],
    ["a key with an obsolete tag", { zone: record(published("g=*; k=rsa")) }],
    ["a key with a note", { zone: record(published("n=ask Ada; k=rsa")) }],
    ["a key in pieces with blanks", { zone: record(published("k=rsa").replace(/(p=.{20})/, "$1 ")) }],
    ["headers signed once more than they occur", { tags: { h: "from:from:to:subject:subject:date" } }],
    [
      "a repeated header that is not signed",
      { change: (signed) => `Received: from a\r\nReceived: from b\r\n${signed}` },
    ],
  ])("%s", async (_, given) => {
    expect(await verdictOf(given)).toMatchObject({ passes: true, dkim: "pass", results: ["pass"] });
  });
});

const add = (line: string) => (signed: string) => `${line}\r\n${signed}`;

describe("never passes", () => {
  test.each<[string, string, Case]>([
    ["expired", "neutral", { tags: { t: `${now - 2 * DAY_SECONDS}`, x: `${now - DAY_SECONDS}` } }],
    ["expired before it was made", "neutral", { tags: { t: `${now}`, x: `${now - 60}` } }],
    [
      "expired when it was made",
      "neutral",
      { tags: { t: `${now + DAY_SECONDS}`, x: `${now + DAY_SECONDS}` } },
    ],
    ["a time that is not a number", "neutral", { tags: { t: "today" } }],
    ["a body length limit", "policy", { tags: { l: "10" }, change: (signed) => `${signed}And pay Eve.\r\n` }],
    ["a body length limit of zero", "policy", { tags: { l: "0" } }],
    ["a body length limit that covers the whole body", "policy", { tags: { l: "40" } }],
    [
      "t=s and an identity in a subdomain",
      "neutral",
      { tags: { i: "ada@mail.example.com" }, zone: record(published("t=y:s")) },
    ],
    ["an identity outside of d=", "neutral", { tags: { i: "ada@example.org" } }],
    ["an identity above d=", "neutral", { tags: { i: "ada@com" } }],
    ["an identity that ends like d=", "neutral", { tags: { i: "ada@notexample.com" } }],
    ["an identity without a domain", "neutral", { tags: { i: "ada" } }],
    ["a key of 1,000 bits", "policy", { key: weak }],
    ["h= without From", "neutral", { tags: { h: "to:subject:date" } }],
    ["an empty h=", "neutral", { tags: { h: "" } }],
    ["a revoked key", "neutral", { zone: record("v=DKIM1; k=rsa; p=") }],
    ["no key", "neutral", { zone: {} }],
    ["a key of another type than declared", "neutral", { zone: record(published("k=ed25519")) }],
    ["a key of an unknown type", "neutral", { zone: record(published("k=dsa")) }],
    ["a signature of another type than its key", "neutral", { tags: { a: "ed25519-sha256" } }],
    ["a key for other services", "neutral", { zone: record(published("s=tlsrpt")) }],
    ["a key for other hashes", "neutral", { zone: record(published("h=sha1")) }],
    ["a key of another version", "neutral", { zone: record(published("k=rsa").replace("DKIM1", "DKIM2")) }],
    ["a key with an empty version", "neutral", { zone: record(published("k=rsa").replace("DKIM1", "")) }],
    ["a key whose version is not first", "neutral", { zone: record(`p=${key.published}; v=DKIM1`) }],
    [
      "a key with a repeated tag",
      "neutral",
      {
        key: modern,
        zone: createZone(modern, `v=DKIM1; k=ed25519; p=${modern.published}; p=${modern.published}`),
      },
    ],
    ["a record that is not a key", "neutral", { zone: record("v=spf1 -all") }],
    ["someone else's key", "fail", { zone: record(`v=DKIM1; p=${stranger.published}`) }],
    ["SHA-1", "policy", { tags: { a: "rsa-sha1" } }],
    ["an unknown algorithm", "neutral", { tags: { a: "rsa-md5" } }],
    ["an unknown canonicalisation", "neutral", { tags: { c: "nofws/simple" } }],
    ["an unknown query method", "neutral", { tags: { q: "http/well-known" } }],
    ["another version", "neutral", { tags: { v: "2" } }],
    ["no version", "neutral", { tags: { v: null } }],
    ["no domain", "neutral", { tags: { d: null } }],
    ["no selector", "neutral", { tags: { s: null } }],
    ["an empty domain", "neutral", { tags: { d: "" } }],
    ["no hash of the body", "neutral", { tags: { bh: null } }],
    ["a repeated tag", "neutral", { change: (signed) => signed.replace("; s=s1", "; s=s1; s=s1") }],
    ["a tag name in capitals", "neutral", { change: (signed) => signed.replace("; d=", "; D=") }],
    ["a second From above", "policy", { change: add("From: Mara <mara@example.com>") }],
    [
      "a second From below",
      "fail",
      { change: (signed) => signed.replace("\r\n\r\n", "\r\nFrom: Mara <mara@example.com>\r\n\r\n") },
    ],
    [
      "a second From whose name is alone on its line",
      "policy",
      {
        change: (signed) =>
          `From: Mara <mara@example.com>\r\n${signed.replace("\r\nFrom:", "\r\nFrom\r\n :")}`,
      },
    ],
    [
      "a second From with a blank before its colon",
      "policy",
      { change: add("From : Mara <mara@example.com>") },
    ],
    ["a second Subject", "policy", { change: add("Subject: Pay Eve") }],
    ["a second To", "policy", { change: add("To: eve@evil.test") }],
    ["a second Date", "policy", { change: add("Date: Fri, 02 Jan 2026 00:00:00 +0000") }],
    [
      "a second From where From was signed twice",
      "fail",
      { tags: { h: "from:from:to" }, change: add("From: Mara <mara@example.com>") },
    ],
    [
      "two Subjects that are both signed",
      "policy",
      {
        tags: { h: "from:subject:subject" },
        change: (signed) =>
          sign(add("Subject: Pay Eve")(signed.slice(signed.indexOf("From:"))), key, {
            h: "from:subject:subject",
          }),
      },
    ],
    ["a changed body", "fail", { change: (signed) => signed.replace("roses", "taxes") }],
    ["a changed subject", "fail", { change: (signed) => signed.replace("garden", "taxes") }],
    [
      "a changed author",
      "fail",
      { change: (signed) => signed.replace("ada@example.com>", "eve@example.com>") },
    ],
    [
      "blanks changed under simple canonicalisation",
      "fail",
      { tags: { c: "simple/simple" }, change: (signed) => signed.replace("The  garden", "The garden") },
    ],
    ["a stranger's signature", "pass", { key: stranger }],
    [
      "a run of blanks beyond the limit",
      "permerror",
      { change: (signed) => signed.replace("; d=", `; z=${" ".repeat(300)}x; d=`) },
    ],
  ])("%s", async (_, shown, given) => {
    expect(await verdictOf(given)).toMatchObject({
      passes: false,
      aligned_dkim: false,
      forwarded_by: null,
      dkim: shown,
    });
  });
});

describe("the DNS", () => {
  const name = "TXT s1._domainkey.example.com";

  test.each([
    ["answering NXDOMAIN is final", {}, "neutral"],
    ["answering without a TXT record is final", { "A s1._domainkey.example.com": ["192.0.2.1"] }, "neutral"],
    ["failing is a temporary error", { [name]: "servfail" }, "temperror"],
    ["not answering is a temporary error", { [name]: "timeout" }, "temperror"],
  ] as [string, Zone, string][])("%s", async (_, found, shown) => {
    expect(await verdictOf({ zone: found })).toMatchObject({ passes: false, dkim: shown });
  });

  test("a name too long for DNS has no key, and is not an error", async () => {
    const long = { ...key, selector: Array.from({ length: 5 }, () => "x".repeat(60)).join(".") };
    expect(await verdictOf({ key: long })).toMatchObject({ passes: false, dkim: "neutral" });
  });
});

describe("several signatures", () => {
  test("a bad one beside a good one does no harm, in either order", async () => {
    const bad = sign(mail, key, { t: `${now - 2 * DAY_SECONDS}`, x: `${now - DAY_SECONDS}` });
    const good = sign(bad, key);
    const below = sign(sign(mail, key), key, { h: "to" });
    for (const signed of [good, below]) {
      const { verdict, facts } = await judgeSender(signed, zone);
      expect(verdict).toMatchObject({ passes: true, dkim: "pass" });
      expect(facts.dkim.map(({ result }) => result).toSorted()).toEqual(["neutral", "pass"]);
    }
  });

  test("a stranger's good one beside the author's bad one does not help", async () => {
    const { verdict } = await judgeSender(sign(sign(mail, key).replace("roses", "taxes"), stranger), zone);
    expect(verdict).toMatchObject({ passes: false, dkim: "pass" });
  });

  test("a mailing list's beside the author's counts only for the list's own name", async () => {
    const { facts, verdict } = await judgeSender(sign(sign(mail, key), stranger), zone);
    expect(facts.dkim.map(({ domain, result }) => [domain, result])).toEqual([
      ["evil.test", "pass"],
      ["example.com", "pass"],
    ]);
    expect(verdict.passes).toBe(true);
  });
});

/** A name that looks like the author's, and that some software treats as equal, is another name in DNS. */
test.each(["\uff45xample.com", "ex\u00adample.com", "\u212fxample.com"])(
  "a signature of %j does not count for example.com, whoever publishes its key",
  async (domain) => {
    const look_alike = { ...stranger, domain };
    const { verdict, facts } = await judgeSender(sign(mail, look_alike), {
      ...zone,
      ...createZone({ ...look_alike, domain: toALabel(domain) }, `v=DKIM1; p=${stranger.published}`),
    });
    expect(facts.dkim.map(({ domain: found }) => found)).toEqual([expect.stringMatching(/^xn--/)]);
    expect(verdict).toMatchObject({ passes: false, aligned_dkim: false });
  },
);
