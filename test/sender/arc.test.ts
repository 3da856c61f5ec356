import { sealMessage } from "mailauth/lib/arc/index.js";
import { describe, expect, test } from "vitest";
import { MAX_LOOKUPS_PER_MAIL } from "../../packages/adapter-smtp/src/sender/limited-dns.ts";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { judgeSender } from "../support/judge-sender.ts";
import { createSigningKey, createZone, seal, sign, type Tags } from "../support/signer.ts";

const author = createSigningKey("example.com");
const lists = createSigningKey("lists.example.net");
const other = createSigningKey("forwarder.test");
const POLICY: Zone = { "TXT _dmarc.example.com": ["v=DMARC1; p=reject"] };
const zone: Zone = { ...author.zone, ...lists.zone, ...other.zone, ...POLICY };
const TRUSTED = ["lists.example.net"];

const PASSED =
  "mx.lists.example.net; dkim=pass header.d=example.com header.s=s1; dmarc=pass header.from=example.com";
const mail = [
  "From: Ada <ada@example.com>",
  "To: friends@lists.example.net",
  "Subject: The garden",
  "Date: Thu, 01 Jan 2026 00:00:00 +0000",
  "Message-ID: <1@example.com>",
  "",
  "The roses are in bloom.",
  "",
].join("\r\n");
/** The mail as a mailing list forwards it: the list's additions break the author's signature. */
const listed = sign(mail, author).replace("bloom.", "bloom.\r\n-- \r\nFriends of gardens");
const sealed = seal(listed, lists, { results: PASSED });

async function judge(
  raw: string,
  { found = zone, trusted_sealers = TRUSTED }: { found?: Zone; trusted_sealers?: string[] } = {},
) {
  const { facts, verdict } = await judgeSender(raw, found, { trusted_sealers });
  return { ...verdict, chain: facts.arc };
}

describe("mail that a trusted forwarder sealed", () => {
  test("is authenticated as its author's, although its own signature is broken", async () => {
    const { chain, ...verdict } = await judge(sealed);
    expect(verdict).toMatchObject({
      passes: false,
      dkim: "fail",
      dmarc: "fail",
      arc: "pass",
      forwarded_by: "lists.example.net",
    });
    expect(chain).toMatchObject({
      result: "pass",
      sealer: "lists.example.net",
      signature: { result: "pass", domain: "lists.example.net", signs_from: true, repeats_signed: false },
      stated: {
        dmarc: [{ result: "pass", from: "example.com" }],
        dkim: [{ result: "pass", domain: "example.com" }],
      },
    });
  });

  test("is read as sealed by other software", async () => {
    const pem = lists.private_key.export({ type: "pkcs8", format: "pem" }).toString();
    const headers = await sealMessage(Buffer.from(listed), {
      signingDomain: lists.domain,
      selector: lists.selector,
      privateKey: pem,
      authResults: PASSED,
      cv: "none",
    });
    expect(await judge(headers.toString() + listed)).toMatchObject({
      arc: "pass",
      forwarded_by: "lists.example.net",
    });
  });

  test("is trusted if the forwarder was the last of several", async () => {
    const twice = seal(
      seal(listed, other, { results: "forwarder.test; dmarc=fail header.from=example.com" }),
      lists,
      {
        results: `${PASSED}; arc=pass`,
      },
    );
    expect(await judge(twice)).toMatchObject({ arc: "pass", forwarded_by: "lists.example.net" });
  });

  test("with Ed25519 is trusted", async () => {
    const modern = createSigningKey("lists.example.net", { ed25519: true, selector: "modern" });
    const raw = seal(listed, modern, { results: PASSED });
    expect(await judge(raw, { found: { ...zone, ...modern.zone } })).toMatchObject({
      forwarded_by: "lists.example.net",
    });
  });

  test("that passes by itself counts as the author's own", async () => {
    const whole = seal(sign(mail, author), lists, { results: PASSED });
    expect(await judge(whole)).toMatchObject({
      passes: true,
      dmarc: "pass",
      arc: "pass",
      forwarded_by: null,
    });
  });
});

const change = (from: string | RegExp, to: string) => sealed.replace(from, to);
const sealedWith = (options: { results?: string; tags?: Tags; signature_tags?: Tags }) =>
  seal(listed, lists, { results: PASSED, ...options });
const twice = (tags: Tags = {}) => seal(sealed, lists, { results: PASSED, tags });
const DAY_SECONDS = 86_400;
const now = Math.floor(Date.now() / 1000);

describe("a chain is broken", () => {
  test.each<[string, string, Zone?]>([
    ["by a change of the author after sealing", change("From: Ada <ada@", "From: Mara <mara@")],
    ["by a change of the body after sealing", change("roses are in bloom", "taxes are due")],
    ["by a change of the subject after sealing", change("The garden", "The taxes")],
    [
      "by a change of the results after sealing",
      change("dmarc=pass header.from=example.com", "dmarc=pass header.from=example.org"),
    ],
    ["by a change of the seal", change("cv=none", "cv=none; t=1")],
    ["without a seal", sealed.slice(sealed.indexOf("\r\n") + 2)],
    ["without a signature", change(/ARC-Message-Signature:.*\r\n/, "")],
    ["without results", change(/ARC-Authentication-Results:.*\r\n/, "")],
    ["by a second seal of one instance", `${sealed.slice(0, sealed.indexOf("\r\n"))}\r\n${sealed}`],
    ["that begins with the second instance", sealedWith({ tags: { i: "2", cv: "pass" } })],
    ["by a gap", twice({ i: "3" })],
    ["by an instance that is not a number", sealedWith({ tags: { i: "one" } })],
    ["by instance 0", sealedWith({ tags: { i: "0" } })],
    ["that declares itself failed", sealedWith({ tags: { cv: "fail" } })],
    ["that declares itself failed in its second instance", twice({ cv: "fail" })],
    ["that declares cv=none in its second instance", twice({ cv: "none" })],
    ["that declares cv=pass in its first instance", sealedWith({ tags: { cv: "pass" } })],
    ["that names headers in its seal", sealedWith({ tags: { h: "from" } })],
    ["by SHA-1", sealedWith({ tags: { a: "rsa-sha1" } })],
    ["by a signature that omits From", sealedWith({ signature_tags: { h: "to:subject" } })],
    [
      "by a signature that has expired",
      sealedWith({ signature_tags: { t: `${now - 2 * DAY_SECONDS}`, x: `${now - DAY_SECONDS}` } }),
    ],
    ["by a revoked key", sealed, { ...zone, ...createZone(lists, "v=DKIM1; p=") }],
    ["by a missing key", sealed, { ...author.zone, ...POLICY }],
    [
      "by a change of the first instance under a valid second one",
      twice().replace("s1; dmarc=pass", "s2; dmarc=pass"),
    ],
    ["with a run of blanks beyond the limit", sealedWith({ tags: { z: `${" ".repeat(300)}x` } })],
  ])("%s", async (_, raw, found = zone) => {
    expect(await judge(raw, { found })).toMatchObject({ passes: false, arc: "fail", forwarded_by: null });
  });

  test("by its 51st instance, and not by its 50th", { timeout: 60_000 }, async () => {
    const small = createSigningKey("lists.example.net", { ed25519: true });
    const found = { ...zone, ...small.zone };
    const results = "l; dmarc=pass header.from=example.com";
    const signature_tags = { h: "from" };
    let raw = mail;
    for (let instance = 1; instance <= 50; instance += 1) raw = seal(raw, small, { results, signature_tags });
    expect(await judge(raw, { found })).toMatchObject({ arc: "pass", forwarded_by: "lists.example.net" });
    const one_more = seal(raw, small, { results, signature_tags });
    expect(await judge(one_more, { found })).toMatchObject({ arc: "fail", forwarded_by: null });
  });
});

describe("a whole chain is not enough", () => {
  const by_other = seal(listed, other, { results: PASSED });
  const results = (dmarc: string) => sealedWith({ results: `mx.lists.example.net; ${dmarc}` });

  test.each<[string, string, string[]?]>([
    ["when no sealer is trusted", sealed, []],
    ["when its sealer is not trusted", by_other],
    [
      "when its newest sealer is not trusted, though the previous one is",
      seal(sealed, other, { results: PASSED }),
    ],
    ["when the trusted name is a parent of the sealer's", sealed, ["example.net"]],
    ["when the trusted name is a subdomain of the sealer's", sealed, ["eu.lists.example.net"]],
    ["when the sealer found that DMARC failed", results("dmarc=fail (p=reject) header.from=example.com")],
    ["when the sealer says it in a comment", results("spf=none (dmarc=pass header.from=example.com)")],
    [
      "when the sender injected the result",
      results('spf=none smtp.mailfrom="a; dmarc=pass header.from=example.com; x"'),
    ],
    [
      "when the sealer gives two results",
      results("dmarc=fail header.from=example.com; dmarc=pass header.from=example.com"),
    ],
    ["when the author was different there", results("dmarc=pass header.from=example.org")],
    [
      "when the author had another name of the organisation there",
      results("dmarc=pass header.from=mail.example.com"),
    ],
    ["when only SPF passed there", results("spf=pass smtp.mailfrom=example.com")],
    ["when only DKIM passed there, and there is a policy", results("dkim=pass header.d=example.com")],
    ["when only part of the body is sealed", sealedWith({ signature_tags: { l: "5" } })],
    ["when a header was added beside a sealed one", `Subject: Pay Eve\r\n${sealed}`],
    ["when a second author was added", `From: Mara <mara@example.com>\r\n${sealed}`],
    [
      "when someone other than the sealer signed the mail",
      sealedWith({ signature_tags: { d: "forwarder.test" } }),
    ],
  ])("%s", async (_, raw, trusted_sealers = TRUSTED) => {
    expect(await judge(raw, { trusted_sealers })).toMatchObject({ passes: false, forwarded_by: null });
  });

  test("DKIM alone is enough where the author publishes no policy", async () => {
    const raw = results("dkim=pass header.i=@example.com");
    const found = { ...author.zone, ...lists.zone };
    expect(await judge(raw, { found })).toMatchObject({
      passes: false,
      dmarc: "none",
      forwarded_by: "lists.example.net",
    });
  });
});

test("a chain whose key can't be looked up now is a temporary error, and never trusted", async () => {
  const found: Zone = { ...zone, "TXT s1._domainkey.lists.example.net": "servfail" };
  expect(await judge(sealed, { found })).toMatchObject({
    passes: false,
    arc: "temperror",
    forwarded_by: null,
  });
});

test("a chain of many strangers makes no more DNS queries than one mail may", async () => {
  let raw = mail;
  for (let instance = 1; instance <= 50; instance += 1) {
    raw = seal(raw, { ...other, selector: `s${instance}` }, { results: "l", signature_tags: { h: "from" } });
  }
  const { asked, facts } = await judgeSender(raw, zone);
  expect(facts.arc?.result).not.toBe("pass");
  expect(asked.length).toBeLessThanOrEqual(MAX_LOOKUPS_PER_MAIL);
});

test("mail without ARC headers has no ARC result", async () => {
  const { chain, ...verdict } = await judge(sign(mail, author));
  expect(chain).toBeNull();
  expect(verdict).not.toHaveProperty("arc");
});
