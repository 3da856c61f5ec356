import type { AuthenticateResult, SPFResult } from "mailauth";
import { authenticate } from "mailauth";
import { DkimVerifier } from "mailauth/lib/dkim/dkim-verifier.js";
import { spf } from "mailauth/lib/spf/index.js";
import { formatRelaxedLine } from "mailauth/lib/tools.js";
import { describe, expect, test } from "vitest";
import { dkimRecord, generateDkimKey, signMail } from "../transport/dkim.ts";
import { dnsError } from "./cached-dns.ts";

const key = await generateDkimKey({ selector: "s1" });
const { name, value } = dkimRecord({ key, domain: "example.com" });
const zone: Record<string, string> = {
  [name]: value,
  "example.com": "v=spf1 ip4:192.0.2.7 -all",
  "_dmarc.example.com": "v=DMARC1; p=reject",
};
const resolver = async (asked: string): Promise<string[][]> => {
  const record = zone[asked];
  if (record === undefined) throw dnsError("ENOTFOUND");
  return [[record]];
};

async function authenticated(): Promise<AuthenticateResult> {
  const mail = ["From: Ada <ada@example.com>", "To: bo@example.org", "Subject: Hi", "", "Hello Bo.", ""];
  const raw = await signMail({ raw: Buffer.from(mail.join("\r\n")), domain: "example.com", key });
  const sent = { ip: "192.0.2.7", helo: "mx.example.com", sender: "ada@example.com", mta: "mx.test" };
  return authenticate(Buffer.from(raw), { ...sent, resolver });
}

const isLazy = (holder: object | false | undefined, field: string): boolean =>
  Object.getOwnPropertyDescriptor(holder, field)?.get !== undefined;

describe("results of the patched library", () => {
  test("are formatted when they are read, as they were before", async () => {
    const { headers, dkim, spf: checked, dmarc } = await authenticated();
    const unfolded = headers.replace(/\r\n[ \t]+/g, " ");
    expect(unfolded).toContain(
      "Authentication-Results: mx.test; dkim=pass header.i=@example.com header.s=s1 header.a=rsa-sha256",
    );
    expect(unfolded).toContain(
      "spf=pass (mx.test: domain of ada@example.com designates 192.0.2.7 as permitted",
    );
    expect(unfolded).toContain("dmarc=pass (p=REJECT arc=none) policy.dmarc=reject header.from=example.com");
    expect(unfolded).toMatch(
      /^Received-SPF: pass .*client-ip=192\.0\.2\.7; envelope-from="ada@example\.com"/,
    );
    expect(dkim?.results[0]).toMatchObject({
      info: expect.stringMatching(/^dkim=pass /),
      status: { aligned: "example.com" },
      signingHeaders: {
        keys: "Subject: To: From",
        headers: ["Subject: Hi", "To: bo@example.org", "From: Ada <ada@example.com>"],
      },
    });
    expect(checked).toMatchObject({ info: expect.stringMatching(/^spf=pass /) });
    expect(dmarc).toMatchObject({ info: expect.stringMatching(/^dmarc=pass /) });
  });

  test("that nobody reads are not formatted", async () => {
    const { dkim } = await authenticated();
    const [result] = dkim?.results ?? [];
    expect(isLazy(result?.signingHeaders, "canonicalizedHeader")).toBe(true);
    const checked = await check("ada@example.com");
    expect(isLazy(checked, "header") && isLazy(checked, "info")).toBe(true);
  });
});

describe("what the patched library makes for each mail", () => {
  test("has accessors in common, so that V8 gives it one shape", async () => {
    const [one, other] = [await check("ada@example.com"), await check("bo@example.org")];
    const getterOf = (holder: object) => Object.getOwnPropertyDescriptor(holder, "info")?.get;
    expect(getterOf(one)).toBe(getterOf(other));
    expect(one.info).toContain("ada@example.com");
    expect(other.info).toContain("bo@example.org");
    expect(Object.keys(one)).toEqual(Object.keys(other));
  });

  test("is no stream where none is asked for", () => {
    const options = { resolver, strict: true } as const;
    expect(new DkimVerifier({ ...options, stream: false })).not.toHaveProperty("_writableState");
    expect(new DkimVerifier(options)).toHaveProperty("_writableState");
  });
});

const check = (sender: string): Promise<SPFResult> =>
  spf({
    sender,
    helo: "mx.test",
    ip: "192.0.2.7",
    mta: "mx.test",
    resolver: async () => [["v=spf1 +all"]],
    strict: true,
  });

describe("SPF (RFC 7208, section 4.3)", () => {
  test.each([
    ["example.com", "pass"],
    ["EXAMPLE.com", "pass"],
    ["a.b", "pass"],
    ["a-b.1.xn--bcher-kva.example", "pass"],
    ["bücher.example", "pass"],
    [`${"x".repeat(63)}.example`, "pass"],
    [`${"x".repeat(64)}.example`, "none"],
    [`${"abcdefgh.".repeat(28)}c`, "pass"],
    [`${"abcdefgh.".repeat(29)}c`, "none"],
    ["localhost", "none"],
    ["example..com", "none"],
    [".example.com", "none"],
    ["-a.example", "none"],
    ["a-.example", "none"],
    ["a_b.example", "none"],
    ["a b.example", "none"],
    ["192.0.2.7", "none"],
    ["[192.0.2.7]", "none"],
    ["example.com\n", "pass"],
    ["example.c\nom", "none"],
  ])("of the domain %j is %s", async (domain, result) => {
    expect((await check(`ada@${domain}`)).status.result).toBe(result);
  });
});

describe("a header line in relaxed form (RFC 6376, section 3.4.2)", () => {
  test.each([
    ["Subject: Hi", "subject:Hi"],
    ["SUBJECT \t:\t Hi  there\t", "subject:Hi there"],
    ["A: X\r\n ", "a:X"],
    ["B : Y\t\r\n\tZ  ", "b:Y Z"],
    ["To:bo@example.org,\r\n ada@example.com", "to:bo@example.org, ada@example.com"],
    ["Subject:\r\n Hi", "subject:Hi"],
    ["Subject:", "subject:"],
    ["Subject: a:b : c", "subject:a:b : c"],
    ["Sub\xc9ject: \xa0 \xc9\xa0", "sub\xc9ject:\xa0 \xc9\xa0"],
    ["no colon  here ", "no colon here"],
  ])("%j is %j", (line, relaxed) => {
    expect(formatRelaxedLine(Buffer.from(line, "latin1"), "\r\n").toString("latin1")).toBe(`${relaxed}\r\n`);
  });
});
