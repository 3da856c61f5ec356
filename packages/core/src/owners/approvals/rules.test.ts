import { expect, test } from "vitest";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { mailDigest, type Sender } from "./content.ts";
import { checkOpen, isApproved, isOpen, maySee } from "./rules.ts";

const inbox: Sender = { email: "agent@mail.test", display_name: "Agent", owner_copy: "off", copies: [] };
const draft = {
  kind: "new",
  to: ["ada@example.com"],
  names: {},
  attachments: [],
  approval_id: "apr_1",
} as unknown as DraftRecord;

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
  const approval = {
    id: "apr_1",
    status: "approved",
    digest: mailDigest(inbox, draft),
    imported: false,
  } as ApprovalRecord;
  expect(isApproved(inbox, draft, approval)).toBe(true);
  expect(isApproved(inbox, draft, undefined)).toBe(false);
  expect(isApproved(inbox, draft, { ...approval, id: "apr_2" })).toBe(false);
  expect(isApproved(inbox, draft, { ...approval, status: "pending" })).toBe(false);
  expect(isApproved(inbox, draft, { ...approval, imported: true })).toBe(false);
  expect(isApproved(inbox, { ...draft, subject: "Other" }, approval)).toBe(false);
});
