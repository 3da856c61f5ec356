import { describe, expect, test } from "vitest";
import type { ContactRecord } from "../../model/contacts.ts";
import { fold, isAskedFor, keptFor } from "./rules.ts";

const record = (more: Partial<ContactRecord> = {}): ContactRecord => ({
  ...{ inbox_id: "inb_1", place: "bo@x.example inb_1", account_id: "acct_1", address: "bo@x.example" },
  ...{ names: ["Bo"], first_seen_at: "2026-11-02", last_in_at: "2026-11-03", last_out_at: null },
  ...{ in_count: 2, out_count: 0, auth_pass: 1, auth_fail: 1, last_message_id: "msg_3" },
  ...more,
});
const other = (more: Partial<ContactRecord> = {}) =>
  record({
    ...{ inbox_id: "inb_2", names: ["B.", "Bo"], first_seen_at: "2026-11-01", last_in_at: "2026-11-02" },
    ...{ last_out_at: "2026-11-05", in_count: 1, out_count: 4, auth_pass: 1, auth_fail: 0 },
    ...{ last_message_id: "msg_5", ...more },
  });

describe("what several inboxes say of an address", () => {
  test("is added up", () => {
    const one = fold(undefined, record(), 5);
    expect(one).toMatchObject({ in_count: 2, inbox_ids: ["inb_1"] });
    expect(fold(one, other(), 5)).toEqual({
      ...{ address: "bo@x.example", names: ["B.", "Bo"], first_seen_at: "2026-11-01" },
      ...{ last_in_at: "2026-11-03", last_out_at: "2026-11-05", in_count: 3, out_count: 4 },
      ...{ auth_pass: 2, auth_fail: 1, last_message_id: "msg_5", inbox_ids: ["inb_1", "inb_2"] },
    });
  });

  test("is the same in another order", () => {
    const there = fold(fold(undefined, record(), 5), other(), 5);
    const back = fold(fold(undefined, other(), 5), record(), 5);
    expect({ ...back, inbox_ids: [] }).toEqual({ ...there, inbox_ids: [] });
    const late = { last_in_at: "2026-11-09" };
    expect(fold(fold(undefined, record(), 5), other(late), 5).last_in_at).toBe("2026-11-09");
  });

  test("has so many names at most, and no time where none has one", () => {
    const quiet = { last_in_at: null, last_out_at: null };
    expect(fold(fold(undefined, record(quiet), 5), other({ ...quiet }), 1)).toMatchObject({
      ...{ names: ["B."], last_in_at: null, last_out_at: null },
    });
  });
});

test("a text is looked for in the address and the names, as search compares", () => {
  const contact = { address: "bo@x.example", names: ["Bö Åsa"] };
  expect(isAskedFor(contact, "x.ex")).toBe(true);
  expect(isAskedFor(contact, "asa")).toBe(true);
  expect(isAskedFor(contact, "eve")).toBe(false);
});

test("metadata is kept for the account, for the caller's inbox, or for the one that is named", () => {
  expect(keptFor(null, undefined)).toBe("");
  expect(keptFor(["inb_1"], undefined)).toBe("inb_1");
  expect(keptFor(["inb_1", "inb_2"], "inb_2")).toBe("inb_2");
  expect(() => keptFor(["inb_1", "inb_2"], undefined)).toThrow(
    expect.objectContaining({ code: "permission_denied", param: "inbox_id" }),
  );
});
