import type { SPFResult } from "mailauth";
import { spf } from "mailauth/lib/spf/index.js";
import { formatRelaxedLine } from "mailauth/lib/tools.js";
import { describe, expect, test } from "vitest";

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
