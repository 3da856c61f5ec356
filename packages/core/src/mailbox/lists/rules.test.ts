import { describe, expect, test } from "vitest";
import { blockReason, firstBlocked, type ListFacts } from "./rules.ts";

const facts = (change: Partial<ListFacts> = {}): ListFacts => ({
  inbox_allows: false,
  account_allows: false,
  entries: [],
  ...change,
});
const block = (entry: string, inbox_id: string | null = null) => ({
  type: "block" as const,
  entry,
  names: "outside",
  inbox_id,
});
const allow = (entry: string, inbox_id: string | null = null) => ({
  type: "allow" as const,
  entry,
  names: "outside",
  inbox_id,
});
const person = { kind: "person" } as const;
const inbox = { kind: "inbox", inbox_id: "inb_ada", own_domain: false } as const;

describe("why ada@example.com is blocked", () => {
  test.each([
    ["nothing, without lists", facts(), null],
    ["a block of the address", facts({ entries: [block("ada@example.com")] }), "block_list"],
    ["a block of the domain", facts({ entries: [block("example.com", "inb_1")] }), "block_list"],
    [
      "no block of a part of the address",
      facts({ entries: [block("da@example.com"), block("ample.com")] }),
      null,
    ],
    [
      "no block of a parent or a longer domain",
      facts({ entries: [block("com"), block("example.com.evil.test")] }),
      null,
    ],
    [
      "a block, though the same address is allowed",
      facts({ account_allows: true, entries: [allow("ada@example.com"), block("example.com")] }),
      "block_list",
    ],
    ["an allow list without it", facts({ account_allows: true }), "allow_list"],
    ["not an allow list with it", facts({ account_allows: true, entries: [allow("ada@example.com")] }), null],
    [
      "not an allow list with its domain",
      facts({ inbox_allows: true, entries: [allow("example.com", "inb_1")] }),
      null,
    ],
    [
      "the inbox's allow list, though the account's has it",
      facts({ inbox_allows: true, account_allows: true, entries: [allow("example.com")] }),
      "allow_list",
    ],
    [
      "not the account's allow list, since the inbox's has it",
      facts({ inbox_allows: true, account_allows: true, entries: [allow("example.com", "inb_1")] }),
      null,
    ],
    [
      "the account's block, though the inbox's allow list has it",
      facts({ inbox_allows: true, entries: [allow("example.com", "inb_1"), block("ada@example.com")] }),
      "block_list",
    ],
  ] as const)("%s", (_, given, objection) => {
    expect(blockReason("ada@example.com", given, person)).toBe(objection);
  });
});

test("an address is compared in its normalized form", () => {
  expect(
    blockReason("Ada@BÜCHER.example", facts({ entries: [block("xn--bcher-kva.example")] }), person),
  ).toBe("block_list");
});

test("the first blocked address of several is returned", () => {
  const given = facts({ entries: [block("eve@example.com")] });
  expect(firstBlocked(["ada@example.com", "eve@example.com"], given, person)).toEqual({
    address: "eve@example.com",
    reason: "block_list",
  });
  expect(firstBlocked(["ada@example.com"], given, person)).toBeUndefined();
});

test("a mail without an address passes no allow list, and is on no block list", () => {
  expect(firstBlocked([], facts({ account_allows: true }), person)).toEqual({
    address: "",
    reason: "allow_list",
  });
  expect(firstBlocked([], facts(), person)).toBeUndefined();
});

describe("an inbox of this service at ada@example.com", () => {
  const allowed = (entry: string, names: string) =>
    facts({ account_allows: true, entries: [{ ...allow(entry), names }] });

  test.each([
    ["the address as somebody's outside", allowed("ada@example.com", "outside"), inbox, "allow_list"],
    ["the domain", allowed("example.com", "outside"), inbox, "allow_list"],
    ["another inbox that had the address", allowed("ada@example.com", "inb_before"), inbox, "allow_list"],
    ["that very inbox", allowed("ada@example.com", "inb_ada"), inbox, null],
    ["the domain, if it is ours", allowed("example.com", "outside"), { ...inbox, own_domain: true }, null],
    [
      "another inbox that had the address at our domain",
      allowed("ada@example.com", "inb_before"),
      { ...inbox, own_domain: true },
      "allow_list",
    ],
  ] as const)("where the allow list has %s", (_, given, proof, objection) => {
    expect(blockReason("ada@example.com", given, proof)).toBe(objection);
  });

  test("is blocked by whatever blocks the address", () => {
    expect(blockReason("ada@example.com", facts({ entries: [block("ada@example.com")] }), inbox)).toBe(
      "block_list",
    );
  });

  test("leaves an entry that was made for it to nobody outside", () => {
    expect(blockReason("ada@example.com", allowed("ada@example.com", "inb_ada"), person)).toBe("allow_list");
  });
});
