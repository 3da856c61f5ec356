import { expect, test } from "vitest";
import { entriesFor, letsIn, normalizeEntry } from "./rules.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  [" Ada@Example.COM ", "ada@example.com"],
  ["example.com", "example.com"],
  ["a.b-c.example.org", "a.b-c.example.org"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["info@bücher.example", "info@xn--bcher-kva.example"],
  ["com", undefined],
  ["", undefined],
  ["@example.com", undefined],
  ["a b@example.com", undefined],
  ["x@y@example.com", undefined],
  ["ada@localhost", undefined],
  ["*.example.com", undefined],
  ["-a.example.com", undefined],
  ["ada@example.com, eve@example.com", undefined],
  [`${"a".repeat(65)}@example.com`, undefined],
  [`${"a".repeat(64)}.example`, undefined],
  [" +14155550123 ", "+14155550123"],
  ["4155550123", undefined],
  ["+1 415 555 0123", undefined],
  ["+0155550123", undefined],
  ["+1415555012345678", undefined],
  ["+14155550123x", undefined],
])("%j is kept as %j", (text, entry) => {
  expect(normalizeEntry(text)).toBe(entry);
});

test("an address matches by itself or by its domain", () => {
  expect(entriesFor("Ada@Example.com")).toEqual(["ada@example.com", "example.com"]);
  expect(entriesFor("example.com")).toEqual([]);
  expect(entriesFor("nonsense")).toEqual([]);
  expect(entriesFor("+14155550123")).toEqual(["+14155550123"]);
});

test.each([
  ["example.com", "ada@example.com", true],
  ["ada@example.com", "ADA@example.com", true],
  ["xn--bcher-kva.example", "ada@bücher.example", true],
  ["example.com", "ada@sub.example.com", false],
  ["example.com", "ada@notexample.com", false],
  ["example.com", "ada@example.com.evil.test", false],
  ["ada@example.com", "lada@example.com", false],
  ["ada@example.com", "ada@example.com.evil.test", false],
  ["example.com", "example.com@evil.test", false],
  ["+14155550123", "+14155550123", true],
  ["+14155550123", "+141555501234", false],
  ["+14155550123", "+14155550123@evil.test", false],
])("an entry %s lets in %s: %s", (address, sender, let_in) => {
  expect(letsIn({ address, names: "outside" }, sender, { kind: "person" })).toBe(let_in);
  expect(letsIn({ address, names: "outside" }, sender, { kind: "none" })).toBe(let_in);
});

const mine = { kind: "inbox", inbox_id: "inb_1", own_domain: false } as const;
test.each([
  ["an inbox, as somebody outside", "outside", mine, false],
  ["an inbox, at a domain of its reader", "outside", { ...mine, own_domain: true }, true],
  ["that inbox", "inb_1", mine, true],
  ["the inbox that had the address before", "inb_0", mine, false],
  ["the inbox that had it before, at a domain of its reader", "inb_0", { ...mine, own_domain: true }, false],
  ["an inbox, and a person outside writes", "inb_1", { kind: "person" } as const, false],
  ["an inbox, and nobody knows who writes", "inb_1", { kind: "none" } as const, true],
])("an entry for %s", (_what, names, proof, let_in) => {
  expect(letsIn({ address: "ada@example.com", names }, "ada@example.com", proof)).toBe(let_in);
});
