import { describe, expect, test } from "vitest";
import type { ExpectationRecord } from "../../model/expectations.ts";
import {
  type ArrivedMail,
  checkAwaited,
  checkConditions,
  checkMayMakeTask,
  checkOwnAddress,
  chooseExpectation,
  expiryText,
  hasRoom,
  isOwnForm,
  judgeMail,
  withNearMiss,
} from "./rules.ts";

const expected = (change: Partial<ExpectationRecord> = {}): ExpectationRecord => ({
  ...{ id: "exp_1", account_id: "acct_1", inbox_id: "inb_1", status: "waiting", kind: "message" },
  ...{ address: "ada@example.com", own_address: false, own_email: null, from: null, from_domain: null },
  ...{ subject_contains: null, in_reply_to: null, awaited_reference: null, thread_id: null },
  ...{ require_auth: true, on_expiry: "none", message_id: null, near_misses: [], met_at: null },
  ...{ created_at: "2026-01-01T10:00:00.000Z", expires_at: "2026-01-01T11:00:00.000Z", client_id: null },
  ...change,
});
const mail = (change: Partial<ArrivedMail> = {}): ArrivedMail => ({
  ...{ came_to: "ada@example.com", from: "no-reply@mail.shop.example", subject: "Your Code", references: [] },
  ...{ authenticated: true, injected: false, automatic: false, held: false, has_code: true, has_link: false },
  ...{ at: "2026-01-01T10:00:00.000Z" },
  ...change,
});
const OWN = "ada+xabcdefghij@example.com";
const REPLY = { kind: "reply", in_reply_to: "msg_1", awaited_reference: "<1@x>" } as const;

describe("a mail and an expectation", () => {
  test.for([
    ["any mail", {}, {}, "meets"],
    ["ended", { status: "cancelled" }, {}, null],
    ["older", {}, { at: "2026-01-01T09:59:59.999Z" }, null],
    ["too late", {}, { at: "2026-01-01T11:00:00.000Z" }, null],
    ["the domain", { from_domain: "mail.shop.example" }, {}, "meets"],
    ["a domain above", { from_domain: "shop.example" }, {}, "meets"],
    ["a domain that ends alike", { from_domain: "hop.example" }, {}, "sender"],
    ["the author", { from: "no-reply@mail.shop.example" }, {}, "meets"],
    ["another author", { from: "bo@shop.example", from_domain: "shop.example" }, {}, "sender"],
    ["not authenticated", {}, { authenticated: false }, "auth"],
    ["injected", {}, { injected: true }, "auth"],
    ["without authentication", { require_auth: false }, { authenticated: false, injected: true }, "meets"],
    ["the subject", { subject_contains: "CODE" }, {}, "meets"],
    ["another subject", { subject_contains: "invoice" }, {}, "subject"],
    ["held", {}, { held: true }, "held"],
    ["held and not authenticated", {}, { held: true, authenticated: false }, "auth"],
    ["a code", { kind: "code" }, {}, "meets"],
    ["no code", { kind: "code" }, { has_code: false }, "no_code"],
    ["a link", { kind: "link" }, { has_link: true }, "meets"],
    ["no link", { kind: "link" }, {}, "no_code"],
    ["two conditions", { kind: "link", from_domain: "bank.example" }, {}, null],
    ["its own address", { own_email: OWN }, { came_to: OWN }, "meets"],
    ["another address", { own_email: OWN }, {}, null],
    ["two at its own", { own_email: OWN, kind: "link", from: "bo@x.example" }, { came_to: OWN }, "sender"],
    ["an answer", REPLY, { references: ["<0@x>", "<1@x>"] }, "meets"],
    ["no answer", REPLY, {}, null],
    ["an automatic answer", REPLY, { references: ["<1@x>"], automatic: true }, null],
    ["an automatic message", {}, { automatic: true }, "meets"],
  ] as const)("%s", ([, expectation, arrived, verdict]) => {
    expect(judgeMail(expected(expectation), mail(arrived))).toBe(verdict);
  });
});

describe("of several expectations", () => {
  const ids = (choice: ReturnType<typeof chooseExpectation>) => choice.meets.map(({ id }) => id);

  test("an answer goes before conditions, those before few, and the older before the younger", () => {
    const all = [
      expected({ id: "exp_1" }),
      expected({ id: "exp_3", from_domain: "shop.example" }),
      expected({ id: "exp_2", from_domain: "shop.example" }),
      expected({ id: "exp_4", kind: "code", from_domain: "shop.example", subject_contains: "code" }),
      expected({ id: "exp_5", ...REPLY }),
    ];
    expect(ids(chooseExpectation(all, mail({ references: ["<1@x>"] })))).toEqual([
      "exp_5",
      "exp_4",
      "exp_2",
      "exp_3",
      "exp_1",
    ]);
  });

  test("mail to an own address is for that one alone while it waits", () => {
    const own = expected({ id: "exp_9", own_email: OWN, kind: "link" });
    const arrived = mail({ came_to: OWN });
    expect(chooseExpectation([expected(), own], arrived)).toEqual({
      meets: [],
      near: [{ id: "exp_9", reason: "no_code" }],
    });
    expect(ids(chooseExpectation([expected(), { ...own, status: "met" }], arrived))).toEqual(["exp_1"]);
    const over = { ...own, expires_at: "2026-01-01T10:00:00.000Z" };
    expect(ids(chooseExpectation([expected(), over], arrived))).toEqual(["exp_1"]);
  });
});

test("near misses name each mail once, and are at most 20", () => {
  const first = withNearMiss({ near_misses: [] }, { message_id: "msg_1", reason: "held" });
  expect(withNearMiss({ near_misses: first }, { message_id: "msg_1", reason: "auth" })).toEqual([
    { message_id: "msg_1", reason: "auth" },
  ]);
  const many = Array.from({ length: 20 }, (_, at) => ({ message_id: `msg_${at}`, reason: "auth" as const }));
  expect(hasRoom({ near_misses: many })).toBe(false);
  expect(hasRoom({ near_misses: many.slice(1) })).toBe(true);
  const forged = mail({ authenticated: false });
  const all = [expected({ id: "exp_1", near_misses: many }), expected({ id: "exp_2" })];
  expect(chooseExpectation(all, forged)).toEqual({ meets: [], near: [{ id: "exp_2", reason: "auth" }] });
  expect(chooseExpectation(all, mail()).meets).toHaveLength(2);
});

test("a task takes the permission for tasks", () => {
  expect(() => checkMayMakeTask(["message_update"], "task")).toThrow(
    expect.objectContaining({ code: "permission_denied", param: "task_write" }),
  );
  expect(() => checkMayMakeTask(["task_write"], "task")).not.toThrow();
  expect(() => checkMayMakeTask(["message_update"], "none")).not.toThrow();
  expect(() => checkMayMakeTask(null, "task")).not.toThrow();
});

test("an answer is expected to what the inbox sent by mail", () => {
  const refused = expect.objectContaining({ code: "invalid_request", param: "in_reply_to" });
  expect(() => checkAwaited({ direction: "inbound", message_id: "<1@x>" })).toThrow(refused);
  expect(() => checkAwaited({ direction: "outbound", message_id: null })).toThrow(refused);
  expect(() => checkAwaited({ direction: "outbound", message_id: "<1@x>" })).not.toThrow();
});

test("an own address has room behind 52 characters", () => {
  expect(() => checkOwnAddress("a".repeat(52))).not.toThrow();
  expect(() => checkOwnAddress("a".repeat(53))).toThrow(
    expect.objectContaining({ code: "own_address_too_long" }),
  );
  expect(isOwnForm(OWN)).toBe(true);
  expect(isOwnForm("ada+news@example.com")).toBe(false);
});

test("a reply is one to a message", () => {
  expect(() => checkConditions({ kind: "reply" })).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "in_reply_to" }),
  );
  expect(() => checkConditions({ kind: "reply", in_reply_to: "msg_1" })).not.toThrow();
  expect(() => checkConditions({ kind: "code" })).not.toThrow();
});

test("the text of a task has ids and times alone", () => {
  const times = "made at 2026-01-01T10:00:00.000Z, expired at 2026-01-01T11:00:00.000Z.";
  expect(expiryText(expected())).toBe(`The expected message has not arrived: expectation exp_1, ${times}`);
  expect(expiryText(expected(REPLY))).toBe(
    `The expected reply to message msg_1 has not arrived: expectation exp_1, ${times}`,
  );
});
