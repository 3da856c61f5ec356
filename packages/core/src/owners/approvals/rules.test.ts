import { describe, expect, test } from "vitest";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { changeDigest, checkOpen, isApproved, isOpen, mailDigest, maySee } from "./rules.ts";

const inbox = { email: "agent@mail.test", display_name: "Agent", owner_copy: "off" as const };
const attachment = {
  id: "att_1",
  filename: "a.pdf",
  content_type: "application/pdf",
  content_id: null,
  disposition: "attachment" as const,
  size_bytes: 3,
  hash: "h1",
};
const draft = {
  id: "dft_1",
  to: ["ada@example.com"],
  cc: [],
  bcc: [],
  reply_to: null,
  names: {},
  subject: "Hi",
  text: "Hello",
  html: null,
  headers: { "X-A": "1" },
  labels: [],
  attachments: [attachment],
  in_reply_to: null,
  references: [],
  send_at: null,
  approval_id: "apr_1",
} as unknown as DraftRecord;

describe("the digest of a mail", () => {
  const digest = mailDigest(inbox, draft);

  test.each<[string, Partial<DraftRecord>]>([
    ["a recipient", { to: ["eve@example.com"] }],
    ["a copy", { cc: ["eve@example.com"] }],
    ["a name", { names: { "ada@example.com": "Your bank" } }],
    ["a blind copy", { bcc: ["eve@example.com"] }],
    ["where answers go", { reply_to: "eve@example.com" }],
    ["the subject", { subject: "Hi!" }],
    ["the text", { text: "Hello " }],
    ["the html", { html: "<p>Hello</p>" }],
    ["a header", { headers: { "X-A": "2" } }],
    ["what it answers", { in_reply_to: "<1@x>" }],
    ["its thread", { references: ["<1@x>"] }],
    ["its time", { send_at: "2026-02-01T00:00:00.000Z" }],
    ["an attachment's bytes", { attachments: [{ ...attachment, hash: "h2" }] }],
    ["an attachment's name", { attachments: [{ ...attachment, filename: "b.pdf" }] }],
    ["an attachment's type", { attachments: [{ ...attachment, content_type: "text/html" }] }],
    ["one attachment more", { attachments: [attachment, attachment] }],
  ])("changes with %s", (_what, change) => {
    expect(mailDigest(inbox, { ...draft, ...change })).not.toBe(digest);
  });

  test("changes with the name that the mail shows as its sender", () => {
    expect(mailDigest({ ...inbox, display_name: "Your bank", owner_copy: "off" as const }, draft)).not.toBe(
      digest,
    );
  });

  test("changes with who in charge gets a copy, and how, and not where nobody does", () => {
    const copies = { cc: mailDigest({ ...inbox, owner_copy: "cc" }, draft, ["olga@owner.example"]) };
    expect(copies.cc).not.toBe(digest);
    expect(mailDigest({ ...inbox, owner_copy: "bcc" }, draft, ["olga@owner.example"])).not.toBe(copies.cc);
    expect(mailDigest({ ...inbox, owner_copy: "cc" }, draft, ["heidi@owner.example"])).not.toBe(copies.cc);
    expect(mailDigest({ ...inbox, owner_copy: "cc" }, draft, [])).toBe(digest);
  });

  test("ignores fields that are not sent", () => {
    expect(
      mailDigest(inbox, { ...draft, labels: ["mine"], client_id: "c", approval_status: "pending" }),
    ).toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("different changes have different digests", () => {
  expect(changeDigest("owner_add", "inb_1", { email: "a@example.com" })).not.toBe(
    changeDigest("owner_add", "inb_1", { email: "b@example.com" }),
  );
  expect(changeDigest("inbox_delete", "inb_1", {})).not.toBe(changeDigest("send_mode_change", "inb_1", {}));
});

test("an owner may see what is asked who was verified before the request, of that inbox, at an address outside", () => {
  const asked = { inbox_id: "inb_1", requested_at: "2026-01-02T00:00:00.000Z" };
  const owner = {
    inbox_id: "inb_1",
    status: "verified" as const,
    verified_at: "2026-01-01T00:00:00.000Z",
  };
  expect(maySee(owner, asked, true)).toBe(true);
  expect(maySee({ ...owner, inbox_id: "inb_2" }, asked, true)).toBe(false);
  expect(maySee({ ...owner, status: "pending" }, asked, true)).toBe(false);
  expect(maySee({ ...owner, verified_at: null }, asked, true)).toBe(false);
  expect(maySee({ ...owner, verified_at: "2026-01-02T00:00:00.001Z" }, asked, true)).toBe(false);
  expect(maySee(owner, asked, false)).toBe(false);
});

test("an approval is open until it is decided or expires", () => {
  const approval = { status: "pending" as const, expires_at: "2026-01-02T00:00:00.000Z" };
  expect(isOpen(approval, "2026-01-01T00:00:00.000Z")).toBe(true);
  expect(isOpen(approval, "2026-01-02T00:00:00.000Z")).toBe(false);
  expect(isOpen({ ...approval, status: "rejected" }, "2026-01-01T00:00:00.000Z")).toBe(false);
  expect(() => checkOpen(approval, "2026-01-01T00:00:00.000Z")).not.toThrow();
  expect(() => checkOpen(approval, "2026-01-03T00:00:00.000Z")).toThrow(
    expect.objectContaining({ code: "approval_closed" }),
  );
});

test("a draft is approved only by its own approval of exactly this content", () => {
  const approval = { id: "apr_1", status: "approved", digest: "d" } as ApprovalRecord;
  expect(isApproved(draft, approval, "d")).toBe(true);
  expect(isApproved(draft, undefined, "d")).toBe(false);
  expect(isApproved(draft, { ...approval, id: "apr_2" }, "d")).toBe(false);
  expect(isApproved(draft, { ...approval, status: "pending" }, "d")).toBe(false);
  expect(isApproved(draft, approval, "e")).toBe(false);
});
