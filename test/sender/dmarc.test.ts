import { describe, expect, test } from "vitest";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { type Arrival, judgeSender } from "../support/judge-sender.ts";
import { createSigningKey, type SigningKey, sign } from "../support/signer.ts";

const keys = Object.fromEntries(
  ["example.com", "mail.example.com", "other.example.com", "evil.test", "xn--bcher-kva.example"].map(
    (domain) => [domain, createSigningKey(domain)],
  ),
) as Record<string, SigningKey>;
const published: Zone = Object.assign({}, ...Object.values(keys).map(({ zone }) => zone));

const mailFrom = (from: string) =>
  [
    from === "" ? "X-Nobody: x" : `From: ${from}`,
    "To: bo@example.org",
    "Subject: Hello",
    "",
    "Hello.",
    "",
  ].join("\r\n");
const dmarc = (records: Record<string, string | string[]>): Zone =>
  Object.fromEntries(
    Object.entries(records).map(([domain, texts]) => [`TXT _dmarc.${domain}`, [texts].flat()]),
  );

/** A mail from this author, signed by this domain or unsigned. */
async function judge(from: string, by: string | null, zone: Zone, arrival: Arrival = {}) {
  const key = keys[by ?? ""];
  const raw = key === undefined ? mailFrom(from) : sign(mailFrom(from), key, { h: "from" });
  return judgeSender(raw, { ...published, ...zone }, arrival);
}

describe("alignment", () => {
  const relaxed = dmarc({ "example.com": "v=DMARC1; p=reject" });
  const strict = dmarc({ "example.com": "v=DMARC1; p=reject; adkim=s; aspf=s" });
  const university = (tag: string) =>
    dmarc({ "example.com": "v=DMARC1; p=reject", "other.example.com": `v=DMARC1; p=none; ${tag}` });

  test.each<[string, string, string, Zone, boolean]>([
    ["the same domain", "ada@example.com", "example.com", relaxed, true],
    ["a subdomain", "ada@example.com", "mail.example.com", relaxed, true],
    ["the parent domain", "ada@mail.example.com", "example.com", relaxed, true],
    ["a neighbour", "ada@other.example.com", "mail.example.com", relaxed, true],
    ["a stranger", "ada@example.com", "evil.test", relaxed, false],
    ["the same domain, strictly", "ada@example.com", "example.com", strict, true],
    ["a subdomain, strictly", "ada@example.com", "mail.example.com", strict, false],
    ["the domain above, strictly", "ada@mail.example.com", "example.com", strict, false],
    [
      "a subdomain that declares itself a separate organisation",
      "ada@example.com",
      "other.example.com",
      university("psd=n"),
      false,
    ],
    [
      "a subdomain that does not declare that",
      "ada@example.com",
      "other.example.com",
      university("psd=u"),
      true,
    ],
    [
      "the parent domain of a separate organisation",
      "ada@other.example.com",
      "example.com",
      university("psd=n"),
      false,
    ],
    [
      "the parent of the publishing domain, which the tree walk does not find",
      "ada@mail.example.com",
      "example.com",
      dmarc({ "mail.example.com": "v=DMARC1; p=reject" }),
      false,
    ],
    [
      "a neighbour under a name that declares itself a public suffix",
      "ada@mail.example.com",
      "other.example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject; psd=y" }),
      false,
    ],
  ])("of DKIM and SPF: %s", async (_, from, by, zone, aligned) => {
    const dkim = await judge(from, by, zone);
    expect(dkim.verdict).toMatchObject({ dmarc: aligned ? "pass" : "fail", passes: aligned, dkim: "pass" });
    const allowed = { [`TXT ${by}`]: ["v=spf1 ip4:192.0.2.7 -all"] };
    const spf = await judge(
      from,
      null,
      { ...zone, ...allowed },
      { mail_from: `x@${by}`, client_ip: "192.0.2.7" },
    );
    expect(spf.verdict).toMatchObject({ dmarc: aligned ? "pass" : "fail", passes: aligned, spf: "pass" });
  });

  test("a name in the tree that can't be looked up is not aligned, and the author's own name is unaffected", async () => {
    const zone: Zone = { ...relaxed, "TXT _dmarc.mail.example.com": "servfail" };
    expect((await judge("ada@example.com", "mail.example.com", zone)).verdict.passes).toBe(false);
    expect((await judge("ada@example.com", "example.com", zone)).verdict.passes).toBe(true);
  });
});

describe("the record", () => {
  test.each<[string, Zone, "none" | "fail" | "temperror"]>([
    ["is missing", {}, "none"],
    ["requests nothing", dmarc({ "example.com": "v=DMARC1; p=none" }), "fail"],
    [
      "is there twice, so neither counts",
      dmarc({ "example.com": ["v=DMARC1; p=reject", "v=DMARC1; p=none"] }),
      "none",
    ],
    ["stands beside other text", dmarc({ "example.com": ["some words", "v=DMARC1; p=reject"] }), "fail"],
    ["has no policy and no report address", dmarc({ "example.com": "v=DMARC1; adkim=s" }), "none"],
    ["has no policy but reports", dmarc({ "example.com": "v=DMARC1; rua=mailto:d@example.com" }), "fail"],
    ["has an unknown policy", dmarc({ "example.com": "v=DMARC1; p=maybe" }), "none"],
    ["has another version", dmarc({ "example.com": "v=DMARC2; p=reject" }), "none"],
    ["does not begin with its version", dmarc({ "example.com": "p=reject; v=DMARC1" }), "none"],
    ["has a repeated tag", dmarc({ "example.com": "v=DMARC1; p=reject; p=none" }), "none"],
    ["can't be looked up now", { "TXT _dmarc.example.com": "servfail" }, "temperror"],
  ])("%s", async (_, zone, shown) => {
    expect((await judge("ada@example.com", null, zone)).verdict).toMatchObject({
      dmarc: shown,
      passes: false,
    });
  });

  test.each<[string, string, Zone, string]>([
    [
      "p=",
      "ada@example.com",
      dmarc({ "example.com": "v=DMARC1; p=quarantine; pct=0; sp=none" }),
      "quarantine",
    ],
    [
      "p= one step milder in testing mode",
      "ada@example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject; t=y" }),
      "quarantine",
    ],
    [
      "its own before that of the organisation",
      "ada@mail.example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject", "mail.example.com": "v=DMARC1; p=none" }),
      "none",
    ],
    [
      "p= of the organisation",
      "ada@mail.example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject" }),
      "reject",
    ],
    [
      "sp= of the organisation",
      "ada@mail.example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject; sp=none" }),
      "none",
    ],
    [
      "np= for a name that does not exist",
      "ada@gone.example.com",
      dmarc({ "example.com": "v=DMARC1; p=none; sp=quarantine; np=reject" }),
      "reject",
    ],
    [
      "sp= for a name that exists",
      "ada@mail.example.com",
      {
        ...dmarc({ "example.com": "v=DMARC1; p=none; sp=quarantine; np=reject" }),
        "A mail.example.com": ["192.0.2.1"],
      },
      "quarantine",
    ],
    [
      "that of a public suffix above",
      "ada@a.example",
      dmarc({ example: "v=DMARC1; p=reject; psd=y" }),
      "reject",
    ],
    [
      "that of a name eight labels up",
      "ada@a.b.c.d.e.f.g.h.example.com",
      dmarc({ "example.com": "v=DMARC1; p=reject" }),
      "reject",
    ],
  ])("counts for the author: %s", async (_, from, zone, policy) => {
    expect((await judge(from, null, zone)).facts.dmarc).toMatchObject({ policy });
  });

  test("is looked up with at most eight queries, whatever the name", async () => {
    const { asked } = await judge(`ada@${"a.".repeat(100)}example.com`, null, {});
    const names = asked.filter((question) => question.startsWith("TXT _dmarc."));
    expect(names).toHaveLength(8);
    expect(names[1]).toBe("TXT _dmarc.a.a.a.a.a.example.com");
  });
});

describe("the author", () => {
  const zone = dmarc({ "example.com": "v=DMARC1; p=reject", "xn--bcher-kva.example": "v=DMARC1; p=reject" });

  test.each<[string, string, string]>([
    ["with a name", '"Ada, of the garden" <ada@example.com>', "example.com"],
    [
      "with a comment that contains another address",
      "(eve@evil.test) ada@example.com (mara@evil.test)",
      "example.com",
    ],
    ["whose name is another address", '"eve@evil.test" <ada@example.com>', "example.com"],
    ["whose encoded name is another address", "=?utf-8?q?eve=40evil.test?= <ada@example.com>", "example.com"],
    ["in a group of one", "Gardeners: ada@example.com;", "example.com"],
    ["in capitals", "ADA@EXAMPLE.COM", "example.com"],
    ["with a trailing dot", "ada@example.com.", "example.com"],
    ["in Unicode", "ada@bücher.example", "xn--bcher-kva.example"],
    ["in Unicode capitals", "ada@BÜCHER.example", "xn--bcher-kva.example"],
    ["in Punycode", "ada@xn--bcher-kva.example", "xn--bcher-kva.example"],
  ])("%s passes", async (_, from, by) => {
    expect((await judge(from, by, zone)).verdict).toMatchObject({ dmarc: "pass", passes: true });
  });

  test.each<[string, string]>([
    ["with two addresses", "ada@example.com, bo@example.com"],
    ["with two addresses in a group", "Gardeners: ada@example.com, eve@evil.test;"],
    ["that is an empty group", "undisclosed-recipients:;"],
    ["that is empty", ""],
    ["without a domain", "ada"],
    ["with an empty domain", "<ada@>"],
    ["at the root", "<ada@.>"],
    ["at an IP address", "<ada@[192.0.2.1]>"],
    ["only in a comment", "(ada@example.com)"],
    ["only in a name", '"ada@example.com" <nobody>'],
    ["with a source route", "<@example.com:ada@evil.test>"],
    ["with two at signs", "<ada@evil.test@example.com>"],
    ["whose address is an encoded word", "=?utf-8?q?ada=40example=2Ecom?="],
  ])("%s does not pass", async (_, from) => {
    const { verdict } = await judge(from, "example.com", zone);
    expect(verdict).toMatchObject({ passes: false, aligned_dkim: false });
  });

  test.each([
    "ada@example.com\0.evil.test",
    "ada@example.com.evil.test",
    "ada@evil.test (@example.com)",
    "<ada@evil.test> ada@example.com",
    "ada@example.com <ada@evil.test>",
  ])("%j is not of example.com when evil.test signs it", async (from) => {
    const { verdict } = await judge(from, "evil.test", zone);
    expect(verdict.reasons).not.toContain("A DKIM signature stands for example.com.");
    expect(verdict.dmarc).not.toBe("pass");
  });
});
