import { expect, test } from "vitest";
import type { DraftRecord } from "../../../model/drafts.ts";
import {
  afterEdit,
  checkMailRecipients,
  checkMaySchedule,
  checkNotSending,
  checkPhoneChange,
  checkSendAt,
  outgoingOf,
} from "./rules.ts";

const now = new Date("2026-01-01T00:00:00.000Z");

test("send_at must be in the future, at most 366 days ahead", () => {
  for (const send_at of [null, undefined, "2026-01-01T00:00:00.001Z", "2027-01-02T00:00:00.000Z"]) {
    expect(() => checkSendAt(send_at, now)).not.toThrow();
  }
  for (const send_at of [
    "2026-01-01T00:00:00.000Z",
    "2025-12-31T00:00:00.000Z",
    "2027-01-02T00:00:00.001Z",
  ]) {
    expect(() => checkSendAt(send_at, now)).toThrow(
      expect.objectContaining({ code: "invalid_send_at", param: "send_at" }),
    );
  }
});

test("scheduling a draft requires message_send or draft_send", () => {
  for (const permissions of [null, ["message_send"], ["draft_write", "draft_send"]] as const) {
    expect(() => checkMaySchedule(permissions, true)).not.toThrow();
  }
  expect(() => checkMaySchedule(["draft_write"], false)).not.toThrow();
  expect(() => checkMaySchedule(["draft_write"], true)).toThrow(
    expect.objectContaining({ code: "permission_denied" }),
  );
});

test("a draft that is being sent can't be changed", () => {
  for (const send_status of ["draft", "scheduled", "failed"] as const)
    expect(() => checkNotSending({ send_status })).not.toThrow();
  expect(() => checkNotSending({ send_status: "sending" })).toThrow(
    expect.objectContaining({ code: "draft_sending" }),
  );
});

test("an edit voids approval requests and failures", () => {
  expect(afterEdit({ send_status: "failed", approval_status: null }, null)).toEqual({
    send_at: null,
    send_status: "draft",
    send_error: null,
    approval_status: null,
  });
  const time = "2026-02-01T00:00:00.000Z";
  expect(afterEdit({ send_status: "draft", approval_status: "approved" }, time)).toMatchObject({
    send_at: time,
    send_status: "scheduled",
    approval_status: "cancelled",
  });
});

test("a mail gets its draft's content and client_id, but not its status", () => {
  const draft = { subject: "Hi", client_id: "c", send_status: "draft", id: "dft_x" } as DraftRecord;
  expect(outgoingOf(draft)).toMatchObject({ subject: "Hi", client_id: "c" });
  expect(outgoingOf(draft)).not.toHaveProperty("send_status");
});

const number = "+14155550199";
test.each<[changed: string[], draft: Parameters<typeof checkPhoneChange>[1], refusal: string | null]>([
  [["to", "text"], { kind: "sms", to: [number], text: "Hello" }, null],
  [["to", "text"], { kind: "call", to: [number], text: "Hello" }, null],
  [["subject"], { kind: "sms", to: [number], text: "Hello" }, "A text message has no subject."],
  [["text", "cc"], { kind: "call", to: [number], text: "Hello" }, "A call has no cc."],
  [["to"], { kind: "sms", to: [], text: "Hello" }, "This is not a valid phone number."],
  [["to"], { kind: "sms", to: [number, number], text: "Hello" }, "This is not a valid phone number."],
  [["to"], { kind: "call", to: ["ada@example.com"], text: "Hello" }, "This is not a valid phone number."],
  [["text"], { kind: "sms", to: [number], text: " " }, "The text message has no text."],
  [["text"], { kind: "call", to: [number], text: " " }, "The call has nothing to say."],
])("a change of %j of a text or call %j: %s", (changed, draft, refusal) => {
  const change = () => checkPhoneChange(changed, draft);
  if (refusal === null) expect(change).not.toThrow();
  else expect(change).toThrow(refusal);
});

test("a mail goes to addresses, never to a number", () => {
  expect(() => checkMailRecipients(["ada@example.com"])).not.toThrow();
  expect(() => checkMailRecipients(["ada@example.com", number])).toThrow(
    expect.objectContaining({ code: "invalid_address" }),
  );
});
