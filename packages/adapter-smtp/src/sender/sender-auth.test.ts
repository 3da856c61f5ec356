import { createPublicKey, generateKeyPairSync, publicDecrypt, verify } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterEach, describe, expect, test } from "vitest";
import { startDnsServer, type Zone } from "../../test/dns-server.ts";
import { type DkimKey, dkimRecord, generateDkimKey, signMail } from "../transport/dkim.ts";
import { createDns } from "./dns.ts";
import { createSenderAuth } from "./sender-auth.ts";

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((close) => close()));
});

const key = await generateDkimKey({ selector: "s1" });
const published = (change: Partial<{ key: DkimKey; domain: string; extra: string }> = {}): Zone => {
  const { name, value } = dkimRecord({ key: change.key ?? key, domain: change.domain ?? "example.com" });
  return { [`TXT ${name}`]: [`${value}${change.extra ?? ""}`] };
};
const mail = (...headers: string[]) =>
  Buffer.from(
    [
      "From: Ada <ada@example.com>",
      "To: bo@example.org",
      "Subject: Hi",
      ...headers,
      "",
      "Hello Bo.",
      "",
    ].join("\r\n"),
  );
const envelope = { mail_from: "ada@example.com", client_ip: "192.0.2.7", helo: "mx.example.com" };

async function check(
  zone: Zone,
  raw: Uint8Array,
  change: Partial<typeof envelope & { client_ip: string | null }> = {},
) {
  const { server, asked, close } = await startDnsServer(zone);
  running.push(close);
  // A short timeout only for servers that never answer.
  const timeout_ms = Object.values(zone).includes("timeout") ? 800 : 20_000;
  const auth = createSenderAuth({
    dns: createDns({ server, timeoutMs: timeout_ms }),
    timeoutMs: timeout_ms,
    name: "mx.test",
  });
  return { facts: await auth.check({ raw, envelope: { ...envelope, ...change } }), asked, auth };
}

/** The key that a proof names. */
const keyOf = (spki = "") =>
  createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" });

describe("dkim", () => {
  test("a signed message passes, with all facts about its key", async () => {
    const { facts } = await check(published(), await signMail({ raw: mail(), domain: "example.com", key }));
    expect(facts.dkim).toEqual([
      {
        result: "pass",
        domain: "example.com",
        identity_domain: "example.com",
        selector: "s1",
        strict_identity: false,
        body_length_limited: false,
        signs_from: true,
        repeats_signed: false,
        key_bits: 2048,
        key_testing: false,
        signed_headers: ["subject", "to", "from"],
        signed_at: expect.any(Number),
        expires_at: null,
        proof: expect.any(Object),
        signature: expect.stringMatching(/^[0-9a-f]{64}$/),
        key_hash: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
  });

  test.each(['multipart/mixed; boundary="b"', "", "v=1; i=; d=; s=", "d=example.com"])(
    "a malformed signature %j does not pass, cause a temporary error or spoil a good one",
    async (broken) => {
      const signed = await signMail({ raw: mail(), domain: "example.com", key });
      const { facts } = await check(
        published(),
        Buffer.concat([Buffer.from(`DKIM-Signature: ${broken}\r\n`), signed]),
      );
      expect(facts.dkim.filter(({ result }) => result === "pass")).toMatchObject([{ domain: "example.com" }]);
      expect(facts.dkim.map(({ result }) => result)).not.toContain("temperror");
    },
  );

  test("an Ed25519 signature passes and reports no RSA bits", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const modern = {
      selector: "e1",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
    const { facts } = await check(
      published({ key: modern }),
      await signMail({ raw: mail(), domain: "example.com", key: modern }),
    );
    expect(facts.dkim).toMatchObject([{ result: "pass", key_bits: null }]);
    const { proof } = facts.dkim[0] ?? {};
    const hash = Buffer.from(proof?.header_hash ?? "", "hex");
    expect(verify(null, hash, keyOf(proof?.key), Buffer.from(proof?.signature ?? "", "base64"))).toBe(true);
  });

  test("a signature that passes can be checked later with what was kept of it, without the mail", async () => {
    const { facts } = await check(published(), await signMail({ raw: mail(), domain: "example.com", key }));
    const { proof } = facts.dkim[0] ?? {};
    const decrypted = publicDecrypt(keyOf(proof?.key), Buffer.from(proof?.signature ?? "", "base64"));
    expect(decrypted.subarray(-32).toString("hex")).toBe(proof?.header_hash);
    const changed = await check(
      published(),
      Buffer.concat([await signMail({ raw: mail(), domain: "example.com", key }), Buffer.from("x")]),
    );
    expect(changed.facts.dkim[0]?.proof).toBeUndefined();
  });

  test.each([
    ["the body", (raw: Buffer) => Buffer.from(raw.toString().replace("Hello Bo", "Hello Eve"))],
    ["the subject", (raw: Buffer) => Buffer.from(raw.toString().replace("Subject: Hi", "Subject: Pay"))],
    [
      "the sender",
      (raw: Buffer) => Buffer.from(raw.toString().replace("ada@example.com>", "eve@example.com>")),
    ],
  ])("changing %s makes it fail", async (_, change) => {
    const signed = Buffer.from(await signMail({ raw: mail(), domain: "example.com", key }));
    const { facts } = await check(published(), change(signed));
    expect(facts.dkim.map(({ result }) => result)).toEqual(["fail"]);
  });

  test.each([
    "--b\r\nPay Eve.\r\n",
    "X-Note: a\r\n--b\r\nPay Eve.\r\n",
    "X-Note: a\r\n--b: c\r\nPay Eve.\r\n",
  ])("a signature doesn't pass if a part may begin among the header fields: %j", async (added) => {
    const boundary = added.includes(":") ? "b: c" : "b";
    const raw = mail(`Content-Type: multipart/mixed; boundary="${boundary}"`);
    const signed = Buffer.from(await signMail({ raw, domain: "example.com", key })).toString();
    const { facts } = await check(published(), Buffer.from(signed.replace("\r\n\r\n", `\r\n${added}\r\n`)));
    expect(facts.dkim.map(({ result }) => result)).toEqual(["permerror"]);
  });

  test("a body length limit is reported", async () => {
    const raw = mail();
    const entry = {
      signingDomain: "example.com",
      selector: key.selector,
      privateKey: key.private_key,
      maxBodyLength: 5,
    };
    const { signatures } = await dkimSign(raw, { ...entry, signatureData: [entry] });
    const { facts } = await check(
      published(),
      Buffer.concat([Buffer.from(signatures), raw, Buffer.from("and more\r\n")]),
    );
    expect(facts.dkim).toMatchObject([{ body_length_limited: true }]);
  });

  test("a key limited to the exact domain is reported", async () => {
    const raw = mail();
    const entry = {
      signingDomain: "example.com",
      selector: key.selector,
      privateKey: key.private_key,
      identity: "ada@mail.example.com",
    };
    const { signatures } = await dkimSign(raw, { ...entry, signatureData: [entry] });
    const { facts } = await check(
      published({ extra: "; t=s" }),
      Buffer.concat([Buffer.from(signatures), raw]),
    );
    expect(facts.dkim).toMatchObject([{ strict_identity: true, identity_domain: "mail.example.com" }]);
    expect(facts.dkim[0]?.result).not.toBe("pass");
  });

  test("a missing key, a slow server and a broken server never pass", async () => {
    const signed = await signMail({ raw: mail(), domain: "example.com", key });
    const name = "TXT s1._domainkey.example.com";
    expect((await check({}, signed)).facts.dkim.map(({ result }) => result)).toEqual(["neutral"]);
    expect((await check({ [name]: "timeout" }, signed)).facts.dkim.map(({ result }) => result)).toEqual([
      "temperror",
    ]);
    expect((await check({ [name]: "servfail" }, signed)).facts.dkim.map(({ result }) => result)).toEqual([
      "temperror",
    ]);
  });

  test("no signature gives no result, and only the first ten of many are checked", async () => {
    expect((await check({}, mail())).facts.dkim).toEqual([]);
    const junk = Array.from(
      { length: 40 },
      (_, index) => `DKIM-Signature: v=1; a=rsa-sha256; d=d${index}.test; s=s; h=from; bh=YQ==; b=YQ==`,
    );
    const signed = await signMail({ raw: mail(...junk), domain: "example.com", key });
    const { facts, asked } = await check(published(), signed);
    expect(facts.dkim).toHaveLength(10);
    expect(facts.dkim[0]).toMatchObject({ result: "pass", domain: "example.com" });
    expect(asked.filter((question) => question.includes("_domainkey")).length).toBeLessThanOrEqual(10);
  });
});

describe("spf", () => {
  test.each([
    ["v=spf1 ip4:192.0.2.0/24 -all", "pass"],
    ["v=spf1 ip4:198.51.100.0/24 -all", "fail"],
    ["v=spf1 ~all", "softfail"],
    ["v=spf1 ?all", "neutral"],
    ["v=spf1 nonsense:::", "permerror"],
  ])("%s gives %s", async (record, result) => {
    const { facts } = await check({ "TXT example.com": [record] }, mail());
    expect(facts.spf).toEqual({ result, domain: "example.com" });
  });

  test("no record gives none, a slow server gives temperror", async () => {
    expect((await check({}, mail())).facts.spf.result).toBe("none");
    expect((await check({ "TXT example.com": "timeout" }, mail())).facts.spf.result).toBe("temperror");
  });

  test("a bounce is checked by its HELO name", async () => {
    const { facts } = await check({ "TXT mx.example.com": ["v=spf1 ip4:192.0.2.7 -all"] }, mail(), {
      mail_from: "",
    });
    expect(facts.spf).toEqual({ result: "pass", domain: "mx.example.com" });
  });

  test("a missing client address gives none", async () => {
    const { facts } = await check({ "TXT example.com": ["v=spf1 +all"] }, mail(), {
      client_ip: null as unknown as string,
    });
    expect(facts.spf).toEqual({ result: "none", domain: null });
  });
});

describe("dmarc", () => {
  test("the policy of the author's domain is found", async () => {
    const { facts } = await check({ "TXT _dmarc.example.com": ["v=DMARC1; p=reject; adkim=s"] }, mail());
    expect(facts).toMatchObject({
      dmarc_temperror: false,
      dmarc: { domain: "example.com", policy: "reject", strict_dkim: true, strict_spf: false },
    });
  });

  test("the organisation's policy applies to its subdomains", async () => {
    const raw = Buffer.from(mail().toString().replace("ada@example.com", "ada@mail.example.com"));
    const { facts } = await check(
      { "TXT _dmarc.example.com": ["v=DMARC1; p=quarantine; sp=none; aspf=s"] },
      raw,
    );
    expect(facts.dmarc).toEqual({
      domain: "example.com",
      policy: "none",
      strict_dkim: false,
      strict_spf: true,
      apart: [],
    });
  });

  test("no policy gives null, a slow server gives a temporary error", async () => {
    expect((await check({}, mail())).facts).toMatchObject({ dmarc: null, dmarc_temperror: false });
    expect((await check({ "TXT _dmarc.example.com": "timeout" }, mail())).facts).toMatchObject({
      dmarc: null,
      dmarc_temperror: true,
    });
  });

  test("a signer whose organisation cannot be looked up causes a temporary error, unless another signer is aligned", async () => {
    const raw = Buffer.from(mail().toString().replace("ada@example.com", "ada@mail.example.com"));
    const signed = await signMail({ raw, domain: "example.com", key });
    const zone: Zone = {
      ...published(),
      ...published({ domain: "mail.example.com" }),
      "TXT _dmarc.mail.example.com": ["v=DMARC1; p=reject"],
      "TXT _dmarc.example.com": ["v=DMARC1; p=none"],
    };
    const placed = { dmarc_temperror: false, dmarc: { domain: "mail.example.com", apart: [] } };
    expect((await check(zone, signed)).facts).toMatchObject(placed);
    const broken: Zone = { ...zone, "TXT _dmarc.example.com": "servfail" };
    const unknown = { dmarc: { domain: "mail.example.com", apart: ["example.com"] } };
    expect((await check(broken, signed)).facts).toMatchObject({ ...unknown, dmarc_temperror: true });
    const both = await signMail({ raw: signed, domain: "mail.example.com", key });
    expect((await check(broken, both)).facts).toMatchObject({ ...unknown, dmarc_temperror: false });
  });

  test("a message without an author causes no DMARC lookup", async () => {
    const { facts, asked } = await check({}, Buffer.from("Subject: x\r\n\r\nx"));
    expect(facts).toMatchObject({ dmarc: null, dmarc_temperror: false, dkim: [] });
    expect(asked.filter((question) => question.includes("_dmarc"))).toEqual([]);
  });
});

test("answers are cached, failures are not", async () => {
  const zone: Zone = {
    ...published(),
    "TXT example.com": ["v=spf1 ip4:192.0.2.7 -all"],
    "TXT _dmarc.example.com": "servfail",
  };
  const signed = await signMail({ raw: mail(), domain: "example.com", key });
  const { auth, asked, facts } = await check(zone, signed);
  expect(facts.dmarc_temperror).toBe(true);
  const before = asked.length;
  zone["TXT _dmarc.example.com"] = ["v=DMARC1; p=none"];
  expect(await auth.check({ raw: signed, envelope })).toMatchObject({
    spf: { result: "pass" },
    dkim: [{ result: "pass" }],
    dmarc: { policy: "none" },
  });
  expect(asked.slice(before).filter((question) => !question.startsWith("TXT _dmarc"))).toEqual([]);
});

test.each(["dns.example.com:53", "127.0.0.1:0", "127.0.0.1:99999", ""])(
  "%j is rejected as a DNS server",
  (server) => {
    expect(() => createDns({ server })).toThrow(/IP address and a port/);
  },
);

test("a DKIM record is split into chunks that fit a zone file", () => {
  const record = dkimRecord({ key, domain: "example.com" });
  expect(record.name).toBe("s1._domainkey.example.com");
  expect(record.chunks.join("")).toBe(record.value);
  expect(Math.max(...record.chunks.map((chunk) => chunk.length))).toBe(255);
});
