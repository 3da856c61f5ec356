import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { DraftRecord } from "../../model/drafts.ts";
import {
  canonicalText,
  changeDigest,
  digestOfText,
  isDigestOf,
  mailContent,
  mailDigest,
  type Sender,
} from "./content.ts";

const inbox: Sender = { email: "agent@mail.test", display_name: "Agent", owner_copy: "off", copies: [] };
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
    expect(mailDigest({ ...inbox, display_name: "Your bank" }, draft)).not.toBe(digest);
  });

  test("ignores fields that are not sent", () => {
    expect(
      mailDigest(inbox, { ...draft, labels: ["mine"], client_id: "c", approval_status: "pending" }),
    ).toBe(digest);
    expect(digest).toMatch(/^sha-256:[0-9a-f]{64}$/);
  });
});

test("different changes have different digests", () => {
  expect(changeDigest("owner_add", "inb_1", { email: "a@example.com" })).not.toBe(
    changeDigest("owner_add", "inb_1", { email: "b@example.com" }),
  );
  expect(changeDigest("inbox_delete", "inb_1", {})).not.toBe(changeDigest("send_mode_change", "inb_1", {}));
});

describe("the canonical form", () => {
  test("is that of RFC 8785, by its own samples", () => {
    // Section 3.2.2 and 3.2.3, and numbers of appendix B.
    const sample = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0, 1e21, 1e20],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\u0022/",
      literals: [null, true, false],
    };
    expect(canonicalText(sample)).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,100000000000000000000],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
    const names = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(Object.values(JSON.parse(canonicalText(names)) as object)).toEqual([
      // JSON.parse puts whole numbers first.
      "One",
      "Carriage Return",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test("is as the documentation's vector has it", () => {
    const page = readFileSync(new URL("../../../../../docs/signing-in.md", import.meta.url), "utf8");
    const [, text = ""] = /```json\n(\{"attachments.*)\n```/.exec(page) ?? [];
    const [, digest] = /```\n(sha-256:[0-9a-f]+)\n```/.exec(page) ?? [];
    expect(`sha-256:${createHash("sha256").update(text, "utf8").digest("hex")}`).toBe(digest);
    const plan = createHash("sha256").update("hello\n").digest("hex");
    const documented = {
      ...draft,
      headers: {},
      subject: "Zoë's plan",
      text: "42 €",
      to: ["ada@example.org"],
      attachments: [{ ...attachment, filename: "plan.txt", content_type: "text/plain", hash: plan }],
    };
    const content = mailContent({ ...inbox, email: "agent@mail.example", display_name: null }, documented);
    expect(canonicalText(content)).toBe(text);
    expect(digestOfText(text)).toBe(digest);
  });
});

test("a digest changes with who in charge gets a copy, and how", () => {
  const digest = mailDigest(inbox, draft);
  const olga = mailDigest({ ...inbox, owner_copy: "cc", copies: ["olga@owner.example"] }, draft);
  expect(olga).not.toBe(digest);
  expect(mailDigest({ ...inbox, owner_copy: "bcc", copies: ["olga@owner.example"] }, draft)).not.toBe(olga);
  expect(mailDigest({ ...inbox, owner_copy: "cc", copies: ["heidi@owner.example"] }, draft)).not.toBe(olga);
  expect(mailDigest({ ...inbox, owner_copy: "cc" }, draft)).toBe(digest);
});

test("a digest from before is that of the same content alone", () => {
  const old = "042ea25d9fcdf62e2a7535cef347014a450d6275455c5eab822fdfb5cfac4e48";
  expect(isDigestOf(old, inbox, draft)).toBe(true);
  expect(isDigestOf(old, inbox, { ...draft, text: "Hello!" })).toBe(false);
  expect(isDigestOf(mailDigest(inbox, draft), inbox, draft)).toBe(true);
});
