import { describe, expect, test } from "vitest";
import { mailboxText, namesOf, readMailbox } from "./mailbox.ts";

describe("a mailbox", () => {
  test.each([
    ["ada@example.com", "ada@example.com", null],
    ["<ada@example.com>", "ada@example.com", null],
    ["Ada <ada@example.com>", "ada@example.com", "Ada"],
    ["  Ada  Lovelace   <Ada@Example.COM> ", "Ada@example.com", "Ada Lovelace"],
    ['"Lovelace, Ada" <ada@example.com>', "ada@example.com", "Lovelace, Ada"],
    ['"Ada \\"Countess\\" L." <ada@example.com>', "ada@example.com", 'Ada "Countess" L.'],
    ['"<ceo@example.org>" <ada@example.com>', "ada@example.com", "<ceo@example.org>"],
    ['Ada "L." Byron <ada@example.com>', "ada@example.com", "Ada L. Byron"],
    ["John Q. Public <john@example.com>", "john@example.com", "John Q. Public"],
    ["Жанна Д’Арк <ada@example.com>", "ada@example.com", "Жанна Д’Арк"],
    ["山田 太郎 <ada@bücher.example>", "ada@xn--bcher-kva.example", "山田 太郎"],
    ["Ada<ada@example.com>", "ada@example.com", "Ada"],
    ['"" <ada@example.com>', "ada@example.com", null],
    [`${"n".repeat(200)} <ada@example.com>`, "ada@example.com", "n".repeat(200)],
  ])("%j is %s of %j", (text, address, name) => {
    expect(readMailbox(text)).toEqual({ address, name });
  });

  test.each([
    "",
    "Ada",
    "Ada <>",
    "Ada <ada>",
    "Ada ada@example.com",
    "Ada <ada@example.com",
    "Ada ada@example.com>",
    "Ada <ada@example.com> (home)",
    "Ada (home) <ada@example.com>",
    "Lovelace, Ada <ada@example.com>",
    "ada@example.com, bo@example.com",
    "Ada <ada@example.com>, Bo <bo@example.com>",
    "Team: ada@example.com;",
    "Ada <<ada@example.com>>",
    "ceo@example.org <ada@example.com>",
    "=?utf-8?q?J=C3=B6rg?= <ada@example.com>",
    '"=?utf-8?q?J=C3=B6rg?=" <ada@example.com>',
    "Ada\r\nBcc: eve@example.com <ada@example.com>",
    '"Ada\r\n" <ada@example.com>',
    "Ada\u0000 <ada@example.com>",
    "Ada\u0085 <ada@example.com>",
    "Ada\u2028 <ada@example.com>",
    "Ada \u202egpj <ada@example.com>",
    "Ada \ud800 <ada@example.com>",
    '"Ada <ada@example.com>',
    'Ada" <ada@example.com>',
    'Ada <"a b"@example.com>',
    "Ada <@relay.example:ada@example.com>",
    `${"n".repeat(201)} <ada@example.com>`,
  ])("%j is none", (text) => {
    expect(readMailbox(text)).toBeUndefined();
  });

  test("of any length and shape is read in linear time", () => {
    const shapes = ['"', "<", "\\", '"\\', "a ", "=", "(", '""'];
    // Of the processor, so that other processes don't count.
    const began = process.cpuUsage();
    for (const part of shapes) readMailbox(`${part.repeat(100_000)} <ada@example.com>`);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
  });
});

test("names stand with the addresses that they belong to", () => {
  const names = { "ada@example.com": "Ada", "bo@example.com": "Bo" };
  expect(mailboxText("ada@example.com", names)).toBe("Ada <ada@example.com>");
  expect(mailboxText("eve@example.com", names)).toBe("eve@example.com");
  expect(namesOf(["bo@example.com", "eve@example.com", null], names)).toEqual({ "bo@example.com": "Bo" });
});
