import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createManualClock } from "../../../../testing/manual-clock.ts";
import { createMemoryDns, type MemoryDns } from "../../../../testing/memory-dns.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { DnsRecord, RecordPurpose } from "../../../model/domain-records.ts";
import { type Dns, noDns } from "../../../ports/dns.ts";
import { examineRecords } from "./examine.ts";
import { dkimStatus, isProven, mailOf } from "./rules.ts";
import { dkimValue, ownershipValue, serviceRecords, wantedRecords } from "./wanted.ts";

const DOMAIN = "example.com";
const MAIL_DOMAIN = "mail.service.test";
const publicKey = (bits: number): string =>
  generateKeyPairSync("rsa", { modulusLength: bits })
    .publicKey.export({ type: "spki", format: "der" })
    .toString("base64");
const KEY = publicKey(2048);
const OWNERSHIP = ownershipValue("acc_1", DOMAIN);
const FACTS = {
  domain: DOMAIN,
  mail_domain: MAIL_DOMAIN,
  ownership: OWNERSHIP,
  dkim: [{ selector: "ls-abc123", value: dkimValue(KEY) }],
  return_path: "ls-bounce",
};
const DKIM_NAME = `ls-abc123._domainkey.${DOMAIN}`;

const clock = createManualClock();
let dns: MemoryDns;
beforeEach(() => {
  dns = createMemoryDns();
  dns.set(MAIL_DOMAIN, "TXT", ["v=spf1 ip4:192.0.2.10 ip6:2001:db8::/48 ~all"]);
  dns.set(MAIL_DOMAIN, "MX", [{ exchange: "mx.service.test", priority: 10 }]);
});

const examine = (before: readonly DnsRecord[] = []) =>
  examineRecords(dns, {
    domain: DOMAIN,
    mail_domain: MAIL_DOMAIN,
    wanted: wantedRecords(FACTS),
    before,
    clock,
  });

async function judged(purpose: RecordPurpose): Promise<DnsRecord> {
  const { records } = await examine();
  const record = records.find((candidate) => candidate.purpose === purpose);
  if (record === undefined) throw new Error(`no ${purpose} is wanted`);
  return record;
}

const warned = async () => (await examine()).warnings.map(({ code }) => code);

/** Publishes what `wantedRecords` asks for, to the letter. */
function publish() {
  for (const { type, name, value, priority } of wantedRecords(FACTS)) {
    if (type === "TXT") dns.set(name, "TXT", [value]);
    if (type === "MX") dns.set(name, "MX", [{ exchange: value, priority: priority ?? 0 }]);
    if (type === "CNAME") dns.set(name, "CNAME", [value]);
  }
}

describe("a domain", () => {
  test("is proven and works both ways when every record is published to the letter", async () => {
    publish();
    const { records, warnings, trouble } = await examine();
    expect(records.map(({ purpose, status, hint }) => [purpose, status, hint])).toEqual(
      ["ownership", "dkim", "mx", "spf", "return_path", "dmarc", "tls_reports"].map((purpose) => [
        purpose,
        "valid",
        null,
      ]),
    );
    expect({ warnings, trouble }).toEqual({ warnings: [], trouble: false });
    expect(isProven(records)).toBe(true);
    expect(mailOf(records)).toEqual({ receiving: true, sending: true });
    expect(dkimStatus(records, "ls-abc123")).toBe("valid");
    expect(dkimStatus(records, "ls-other")).toBeUndefined();
  });

  test("without records lacks each, with a sentence about what to do", async () => {
    const { records, trouble } = await examine();
    expect(records.map(({ status }) => status)).toEqual(records.map(() => "missing"));
    for (const { name, hint } of records) expect(hint).toContain(name);
    expect(trouble).toBe(false);
    expect(isProven(records)).toBe(false);
    expect(mailOf(records)).toEqual({ receiving: false, sending: false });
  });

  test("sends with a return path instead of SPF, and receives only with MX", async () => {
    publish();
    dns.remove(DOMAIN);
    const { records } = await examine();
    expect(isProven(records)).toBe(true);
    expect(mailOf(records)).toEqual({ receiving: false, sending: true });
    dns.remove("ls-bounce.example.com");
    expect(mailOf((await examine()).records)).toEqual({ receiving: false, sending: false });
  });

  test("asks for each name and type once", async () => {
    publish();
    await examine();
    expect(dns.asked).toEqual([...new Set(dns.asked)]);
  });
});

describe("the proof of ownership", () => {
  test("differs from account to account and from domain to domain, and names neither", () => {
    const values = [OWNERSHIP, ownershipValue("acc_2", DOMAIN), ownershipValue("acc_1", "example.org")];
    expect(new Set(values).size).toBe(3);
    expect(values.join()).not.toMatch(/acc_|example/);
  });

  test.each([
    ["beside other texts", ["something", OWNERSHIP], "valid", null],
    ["split into strings", [[OWNERSHIP.slice(0, 9), OWNERSHIP.slice(9)]], "valid", null],
    ["with quotation marks", [`"${OWNERSHIP}"`], "invalid", "without quotation marks"],
    ["of another account", [ownershipValue("acc_2", DOMAIN)], "invalid", "another account or domain"],
    ["as another text", ["something"], "missing", "Add a TXT record"],
  ])("%s", async (_, texts, status, hint) => {
    dns.set(`_letterslot.${DOMAIN}`, "TXT", texts);
    const record = await judged("ownership");
    expect(record).toMatchObject({
      status,
      hint: hint === null ? null : expect.stringContaining(hint),
      found: texts.map((text) => [text].flat().join("")),
    });
  });

  test("at the domain itself is told from none", async () => {
    dns.set(DOMAIN, "TXT", [OWNERSHIP]);
    expect(await judged("ownership")).toMatchObject({
      status: "missing",
      hint: "The proof stands at example.com; publish it at _letterslot.example.com instead.",
    });
  });

  test("at a name that a provider has added the domain to is told from none", async () => {
    dns.set(`_letterslot.${DOMAIN}.${DOMAIN}`, "TXT", [OWNERSHIP]);
    expect(await judged("ownership")).toMatchObject({
      status: "missing",
      hint: expect.stringContaining("enter the name as _letterslot."),
    });
  });
});

describe("a DKIM key", () => {
  const other = publicKey(2048);
  const large = publicKey(4096);
  test.each<[string, (string | string[])[], string, string | null]>([
    ["split into strings", [[`v=DKIM1; k=rsa; p=${KEY.slice(0, 200)}`, KEY.slice(200)]], "valid", null],
    ["without the tags that have defaults", [`p=${KEY}`], "valid", null],
    ["with spaces within", [`v=DKIM1; p=${KEY.slice(0, 80)} ${KEY.slice(80)}`], "valid", null],
    ["of services and hashes that fit", [`v=DKIM1; h=sha1:sha256; s=*; t=s; p=${KEY}`], "valid", null],
    ["beside another text", ["hello", `v=DKIM1; p=${KEY}`], "valid", null],
    ["with 4,096 bits", [dkimValue(large)], "invalid", "with 4096 bits where ours has 2048"],
    ["of somebody else", [dkimValue(other)], "invalid", "is another one; replace it"],
    ["cut off", [dkimValue(KEY.slice(0, 237))], "invalid", "cut off after 237 characters"],
    ["in small letters", [dkimValue(KEY.toLowerCase())], "invalid", "capitals and small letters"],
    ["that can't be read", [dkimValue("AAAA")], "invalid", "can't be read"],
    ["of another type", [`v=DKIM1; k=ed25519; p=${KEY.slice(0, 44)}`], "invalid", "of the type ed25519"],
    ["revoked", ["v=DKIM1; p="], "invalid", "is revoked"],
    ["with a wrong version", [`v=DKIM2; p=${KEY}`], "invalid", "must begin with v=DKIM1"],
    ["whose version isn't first", [`p=${KEY}; v=DKIM1`], "invalid", "must begin with v=DKIM1"],
    ["as a test", [`v=DKIM1; t=y; p=${KEY}`], "invalid", "marked as a test"],
    ["for another hash", [`v=DKIM1; h=sha1; p=${KEY}`], "invalid", "signed with SHA-256"],
    ["for another service", [`v=DKIM1; s=tlsrpt; p=${KEY}`], "invalid", "signed with SHA-256"],
    ["with quotation marks", [`"v=DKIM1; p=${KEY}"`], "invalid", "without them"],
    ["with backslashes", [`v=DKIM1\\; p=${KEY}`], "invalid", "without them"],
    ["with a tag twice", [`v=DKIM1; p=${KEY}; p=${KEY}`], "invalid", "isn't a list of tags"],
    ["beside another key", [dkimValue(KEY), dkimValue(other)], "invalid", "There are 2 keys"],
    ["in name only", ["hello"], "invalid", "is no DKIM key"],
  ])("%s", async (_, texts, status, hint) => {
    dns.set(DKIM_NAME, "TXT", texts);
    expect(await judged("dkim")).toMatchObject({
      status,
      hint: hint === null ? null : expect.stringContaining(hint),
    });
  });

  test("is found behind an alias", async () => {
    dns.set(DKIM_NAME, "CNAME", ["keys.provider.test"]);
    dns.set("keys.provider.test", "TXT", [dkimValue(KEY)]);
    expect((await judged("dkim")).status).toBe("valid");
  });

  test("that is to sign next isn't required, nor is the one before", async () => {
    const dkim = [...FACTS.dkim, { selector: "ls-next", value: dkimValue(other) }];
    dns.set(`_letterslot.${DOMAIN}`, "TXT", [OWNERSHIP]);
    dns.set(DKIM_NAME, "TXT", [dkimValue(KEY)]);
    const wanted = wantedRecords({ ...FACTS, dkim });
    const { records } = await examineRecords(dns, {
      domain: DOMAIN,
      mail_domain: MAIL_DOMAIN,
      wanted,
      clock,
    });
    expect(isProven(records)).toBe(true);
    expect(dkimStatus(records, "ls-next")).toBe("missing");
  });
});

describe("MX", () => {
  const ours = { exchange: MAIL_DOMAIN, priority: 10 };
  const google = (priority: number) => ({ exchange: "SMTP.Google.com.", priority });
  test.each([
    ["ours", [ours], "valid", null, []],
    ["the host of the service's domain", [{ exchange: "mx.service.test", priority: 5 }], "valid", null, []],
    ["ours before another's", [ours, google(20)], "valid", null, ["existing_mail_provider"]],
    [
      "another's before ours",
      [google(1), ours],
      "invalid",
      "goes to smtp.google.com first",
      ["existing_mail_provider"],
    ],
    [
      "another's at the same number",
      [ours, google(10)],
      "invalid",
      "give ours a lower number",
      ["existing_mail_provider"],
    ],
    ["another's", [google(1)], "missing", "replace those MX records with ours", ["existing_mail_provider"]],
    ["none at all (RFC 7505)", [{ exchange: "", priority: 0 }], "invalid", "takes no mail", []],
  ] as const)("%s", async (_, hosts, status, hint, warnings) => {
    dns.set(DOMAIN, "MX", [...hosts]);
    expect(await judged("mx")).toMatchObject({
      status,
      hint: hint === null ? null : expect.stringContaining(hint),
    });
    expect(await warned()).toEqual(warnings);
  });

  test("elsewhere leaves sending alone", async () => {
    publish();
    dns.set(DOMAIN, "MX", [google(1)]);
    const { records } = await examine();
    expect(isProven(records)).toBe(true);
    expect(mailOf(records)).toEqual({ receiving: false, sending: true });
  });

  test("for every name is worth a warning", async () => {
    publish();
    // The answer of a wildcard record to a name that nobody published.
    dns.set(`ls-wildcard-probe.${DOMAIN}`, "MX", [google(1)]);
    expect(await warned()).toEqual(["wildcard_mx"]);
    expect((await examine()).warnings[0]?.message).toContain("*.example.com");
  });
});

describe("the return path", () => {
  const NAME = `ls-bounce.${DOMAIN}`;
  test("by its own MX and SPF counts as the alias does", async () => {
    dns.set(NAME, "MX", [{ exchange: "mx.service.test", priority: 1 }]);
    dns.set(NAME, "TXT", [`v=spf1 include:${MAIL_DOMAIN} -all`]);
    expect((await judged("return_path")).status).toBe("valid");
  });

  test("by MX without SPF, or elsewhere, doesn't", async () => {
    dns.set(NAME, "MX", [{ exchange: "mx.service.test", priority: 1 }]);
    expect(await judged("return_path")).toMatchObject({
      status: "invalid",
      hint: expect.stringContaining("records of its own"),
    });
    dns.remove(NAME);
    dns.set(NAME, "CNAME", ["bounces.provider.test"]);
    expect(await judged("return_path")).toMatchObject({
      status: "invalid",
      found: ["bounces.provider.test"],
      hint: "ls-bounce.example.com is an alias of bounces.provider.test; make it one of mail.service.test.",
    });
  });
});

describe("an alias at the domain itself", () => {
  test("hides its records, and says so once for each and as a warning", async () => {
    dns.set(DOMAIN, "CNAME", ["shop.provider.test"]);
    dns.set("shop.provider.test", "TXT", ["v=spf1 -all"]);
    const { records, warnings } = await examine();
    for (const record of records.filter(({ name }) => name === DOMAIN))
      expect(record).toMatchObject({
        status: "invalid",
        hint: expect.stringContaining(
          "is an alias (CNAME) of shop.provider.test, beside which no other record counts",
        ),
      });
    expect(warnings.map(({ code }) => code)).toEqual(["apex_cname"]);
  });

  test("of the service's own domain works", async () => {
    dns.set("mx.service.test", "A", ["192.0.2.10"]);
    dns.set(DOMAIN, "CNAME", [MAIL_DOMAIN]);
    const { records, warnings } = await examine();
    const found = records
      .filter(({ name }) => name === DOMAIN)
      .map(({ purpose, status }) => [purpose, status]);
    expect(found).toEqual([
      ["mx", "valid"],
      ["spf", "valid"],
    ]);
    expect(warnings).toEqual([]);
  });
});

describe("DNS in trouble", () => {
  test("keeps what the last check found, and says that nothing follows from this one", async () => {
    publish();
    const before = (await examine()).records;
    dns.fail(DOMAIN, "ETIMEOUT");
    const { records, warnings, trouble } = await examine(before);
    expect(records).toEqual(before);
    expect(trouble).toBe(true);
    expect(warnings).toMatchObject([
      { code: "dns_unavailable", message: expect.stringContaining("ETIMEOUT") },
    ]);
  });

  test("at the first check leaves a record missing, with the reason", async () => {
    dns.fail(DOMAIN, "ETIMEOUT");
    const { records } = await examine();
    expect(records[0]).toMatchObject({
      status: "missing",
      hint: "_letterslot.example.com could not be looked up (ETIMEOUT); it is looked up again.",
    });
  });

  test("that looks like broken DNSSEC has a sentence of its own", async () => {
    publish();
    dns.fail(DOMAIN, "ESERVFAIL");
    expect((await examine()).warnings).toMatchObject([
      { code: "dnssec_failure", message: expect.stringContaining("compare the DS record") },
    ]);
  });

  test("at a name that only SPF refers to is no trouble of the domain", async () => {
    publish();
    dns.set(DOMAIN, "TXT", [`v=spf1 include:spf.provider.test include:${MAIL_DOMAIN} ~all`]);
    dns.fail("provider.test", "ESERVFAIL");
    const { records, warnings, trouble } = await examine();
    expect(trouble).toBe(false);
    expect(isProven(records)).toBe(true);
    expect(records.find(({ purpose }) => purpose === "spf")?.status).toBe("missing");
    expect(warnings).toMatchObject([
      {
        code: "dns_unavailable",
        message: expect.stringContaining("spf.provider.test could not be looked up (ESERVFAIL)"),
      },
    ]);
  });

  test("that never ends is over in 20 seconds, whatever was found until then", async () => {
    publish();
    const stuck = (name: string, type: string) =>
      name.startsWith("_letterslot.") ? new Promise<never>(() => {}) : dns.resolve(name, type as "TXT");
    const checking = examineRecords(
      { resolve: stuck as Dns["resolve"] },
      { domain: DOMAIN, mail_domain: MAIL_DOMAIN, wanted: wantedRecords(FACTS), clock },
    );
    await clock.advance(LIMITS.domain_look_up_ms);
    const { records, trouble } = await checking;
    expect(trouble).toBe(true);
    expect(records.map(({ status }) => status)).toEqual(["missing", ...records.slice(1).map(() => "valid")]);
    expect(records[0]?.hint).toContain("(ETIMEOUT)");
  });

  test("with every look-up, as in a service without DNS, still answers", async () => {
    const { records, trouble, warnings } = await examineRecords(noDns, {
      ...{ domain: DOMAIN, mail_domain: MAIL_DOMAIN, clock },
      wanted: wantedRecords(FACTS),
    });
    expect(records.every(({ status }) => status === "missing")).toBe(true);
    expect({ trouble, codes: warnings.map(({ code }) => code) }).toEqual({
      trouble: true,
      codes: ["dns_unavailable"],
    });
  });
});

test("at most 20 values of 1,000 characters are kept of what was found", async () => {
  dns.set(
    `_letterslot.${DOMAIN}`,
    "TXT",
    Array.from({ length: 30 }, () => "x".repeat(2_000)),
  );
  const { found } = await judged("ownership");
  expect(found).toHaveLength(20);
  expect(found.every((text) => text.length === 1_000)).toBe(true);
});

test("the service's own domain is judged by its own records, without proof or return path", async () => {
  const wanted = serviceRecords({
    mail_domain: MAIL_DOMAIN,
    dkim: { selector: "letterslot", value: dkimValue(KEY) },
  });
  const own = { domain: MAIL_DOMAIN, mail_domain: MAIL_DOMAIN, wanted, clock };
  expect((await examineRecords(dns, own)).records.map(({ purpose, status }) => [purpose, status])).toEqual([
    ["dkim", "missing"],
    ["mx", "valid"],
    ["spf", "valid"],
    ["dmarc", "missing"],
    ["report_consent", "missing"],
  ]);
  dns.set(`*._report._dmarc.${MAIL_DOMAIN}`, "TXT", ["v=DMARC1"]);
  dns.set(`letterslot._domainkey.${MAIL_DOMAIN}`, "TXT", [dkimValue(KEY)]);
  dns.set(`_dmarc.${MAIL_DOMAIN}`, "TXT", ["v=DMARC1; p=reject"]);
  const { records, warnings } = await examineRecords(dns, own);
  expect(records.every(({ status }) => status === "valid")).toBe(true);
  expect(warnings).toEqual([]);
});

test("what was found is one line without control characters, whatever is published", async () => {
  dns.set("agents.example.com", "TXT", ["v=spf1 ~all\r\n\u001b[31mok\u2028\u0000red\u202e"]);
  dns.set("_dmarc.agents.example.com", "TXT", ["v=DMARC1;\tp=nothing\n"]);
  const wanted = wantedRecords({
    ...{ domain: "agents.example.com", mail_domain: "mail.example", ownership: "o" },
    ...{ dkim: [], return_path: "ls-bounce" },
  });
  const { records } = await examineRecords(dns, {
    ...{ domain: "agents.example.com", mail_domain: "mail.example", wanted, clock: createManualClock() },
  });
  const found = records.flatMap((record) => record.found);
  expect(found).toContain("v=spf1 ~all [31mok red");
  for (const value of found) expect(value).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});
