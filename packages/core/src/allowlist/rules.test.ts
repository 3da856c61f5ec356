import { expect, test } from "vitest";
import { entriesFor, isAllowlisted, normalizeEntry } from "./rules.ts";

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
  expect(isAllowlisted([{ address: "other.test" }, { address }], sender)).toBe(let_in);
});
