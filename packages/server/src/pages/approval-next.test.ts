import { expect, test } from "vitest";
import { nextOf } from "./approval-next.ts";

type Approval = Parameters<typeof nextOf>[0]["approval"];
type Mail = Parameters<typeof nextOf>[0]["review"]["mail"];

const next = (
  approval: Partial<Approval>,
  { now = true, mail = null }: { now?: boolean; mail?: Mail } = {},
): string =>
  nextOf({
    approval: {
      status: "approved",
      subject_type: "draft",
      comment: null,
      decided_at: "2026-11-27T10:00:00.000Z",
      ...approval,
    },
    review: { mail },
    now,
  });

test.each<[string, Mail, string]>([
  ["an email", { kind: "new", send_at: null }, "The email leaves now, and your agent is told."],
  [
    "an email with a time",
    { kind: "new", send_at: "2026-12-04T09:30:00.000Z" },
    "The email leaves on Friday 4 December 2026, 09:30 UTC, and your agent is told.",
  ],
  [
    "an email whose time has passed",
    { kind: "reply", send_at: "2026-11-27T09:59:00.000Z" },
    "The email leaves now, and your agent is told.",
  ],
  ["an email that is gone by now", null, "The email leaves now, and your agent is told."],
  ["a text", { kind: "sms", send_at: null }, "The text message leaves now, and your agent is told."],
  ["a call", { kind: "call", send_at: null }, "The call is placed now, and your agent is told."],
])("once %s is approved, it says what happens", (_, mail, words) => {
  expect(next({}, { mail })).toBe(words);
});

test.each<[Approval["subject_type"], RegExp]>([
  ["inbox_delete", /^The inbox stops now/],
  ["send_mode_change", /holds from now on/],
  ["outbound_change", /holds from now on/],
  ["owner_add", /get an email now/],
  ["owner_delete", /owner no more/],
  ["authority_grant", /from now on/],
  ["account_delete", /within 24 hours all of it is erased/],
  ["message_release", /can read the email now/],
  ["webhook_change", /The web server gets it/],
  ["forwarding_add", /Mail is forwarded/],
])("once %s is approved, it says what happens", (subject_type, words) => {
  expect(next({ subject_type })).toMatch(words);
});

test.each<[string, Partial<Approval>, boolean, string]>([
  ["a mail", { status: "rejected" }, true, "Nothing is sent. Your agent is told."],
  [
    "a mail, with a comment",
    { status: "rejected", comment: "Not yet" },
    true,
    "Nothing is sent. Your agent is told, with the comment.",
  ],
  [
    "a mail, earlier",
    { status: "rejected", comment: "Not yet" },
    false,
    "Nothing is sent. Your agent was told, with the comment.",
  ],
  [
    "a release",
    { status: "rejected", subject_type: "message_release" },
    true,
    "The email stays held. Your agent is told.",
  ],
  [
    "a change",
    { status: "rejected", subject_type: "owner_add" },
    true,
    "Nothing changes. Your agent is told.",
  ],
])("once %s is rejected, it says what happens", (_, approval, now, words) => {
  expect(next(approval, { now })).toBe(words);
});

test.each<[Approval["status"], string]>([
  ["pending", "Nothing happens until somebody decides."],
  ["approved", "Your agent was told, and there is nothing left to do."],
  ["expired", "Nobody decided in time. Nothing is sent. Your agent was told, and can ask again."],
  ["cancelled", "It was taken back, so there is nothing left to decide."],
])("a request that is %s says so later", (status, words) => {
  expect(next({ status }, { now: false })).toBe(words);
});
