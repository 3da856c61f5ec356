import { expect, test } from "vitest";
import { dkimEvidence, type ReceiptFacts, saltedHash, seconds, sentClaims, statementOf } from "./rules.ts";

const salt = "ab";
const facts: ReceiptFacts = {
  ...{ iss: "https://mail.example.com", salt, decision: "approve", from: "agent@mail.example.com" },
  approval: {
    ...{ id: "apr_1", account_id: "acct_1", inbox_id: "inb_1", subject_type: "draft", digest: "sha-256:00" },
    reasons: [
      { code: "new_recipient", detail: "b" },
      { code: "elsewhere_text", detail: null },
      { code: "new_recipient", detail: "a" },
    ],
    ...{ edited: false, asked_by: null },
    ...{ requested_at: "2026-01-01T00:00:00.400Z", expires_at: "2026-01-04T00:00:00.400Z" },
  },
  decided_by: { owner_id: null, email: "grace@example.com", method: "session" },
  mail: { to: ["b@example.org"], cc: ["a@example.org"], bcc: ["b@example.org"], subject: "Offer" },
};

test("a statement has every recipient once, sorted, and each code once", () => {
  const { act, reasons, decided_by } = statementOf(facts);
  const hashes = ["a@example.org", "b@example.org"].map((address) => saltedHash(salt, address)).sort();
  expect(act).toMatchObject({ to_hashes: hashes, subject_hash: saltedHash(salt, "Offer") });
  expect(reasons).toEqual(["elsewhere_text", "new_recipient"]);
  expect(decided_by).toEqual({ email_hash: saltedHash(salt, "grace@example.com"), method: "session" });
});

test("that of a change names no recipients and no subject", () => {
  const { act } = statementOf({ ...facts, mail: undefined });
  expect(act).toMatchObject({ to_hashes: [], subject_hash: null });
});

test.each([
  [null, null],
  [{ key_id: "key_1", client_id: null }, { key_id: "key_1" }],
  [{ key_id: null, client_id: "app" }, { client_id: "app" }],
])("who asked, %j, stands there as %j", (asked_by, said) => {
  expect(statementOf({ ...facts, approval: { ...facts.approval, asked_by } })["asked_by"]).toEqual(said);
});

test("times are whole seconds, and a decision at the last moment is in time", () => {
  expect(seconds("2026-01-01T00:00:00.900Z")).toBe(1_767_225_600);
  const { asked_at, expires_at } = statementOf(facts) as { asked_at: number; expires_at: number };
  expect([asked_at, expires_at]).toEqual([1_767_225_600, 1_767_484_801]);
});

test("that of the mail says whose it is, and nothing of what was decided", () => {
  const sent = { parent: "p", prev: "q", iat: 1, message_id: "msg_1", mime_sha256: "h" };
  expect(sentClaims(statementOf(facts), sent)).toEqual({
    ...{ iss: facts.iss, jti: "apr_1", sub: "acct_1", ...sent },
  });
});

test("only signatures of which a proof was kept are evidence", () => {
  const proof = { key: "k", signature: "s", header_hash: "h", body_hash: "b" };
  const signature = { domain: "example.com", selector: "s1" };
  expect(dkimEvidence([{ ...signature, proof }, signature] as never)).toEqual([
    { type: "dkim", d: "example.com", s: "s1", ...proof },
  ]);
});
