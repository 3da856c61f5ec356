import { describe, expect, test } from "vitest";
import type { DraftRecord } from "../../model/drafts.ts";
import { changedDraft, type DraftChanges, differences } from "./changes.ts";

const file = { id: "att_1", filename: "a.pdf" };
const draft = {
  kind: "new",
  to: ["ada@example.org"],
  cc: [],
  bcc: [],
  reply_to: "team@example.org",
  names: { "ada@example.org": "Ada", "team@example.org": "Team" },
  subject: "Hi",
  text: "Hello",
  html: "<p>Hello</p>",
  html_changes: ["scripts"],
  attachments: [file],
} as unknown as DraftRecord;

describe("a changed draft", () => {
  test.each<[string, DraftChanges, Partial<DraftRecord>]>([
    ["stays without changes", {}, draft],
    ["takes a subject", { subject: "Ho" }, { subject: "Ho", html: draft.html, html_changes: ["scripts"] }],
    ["is plain with a new text", { text: "Ho" }, { text: "Ho", html: null, html_changes: [] }],
    [
      "takes both bodies",
      { text: "Ho", html: "<p>Ho</p>" },
      { text: "Ho", html: "<p>Ho</p>", html_changes: [] },
    ],
    [
      "may lose its text",
      { text: null, html: draft.html },
      { text: null, html: draft.html, html_changes: ["scripts"] },
    ],
    [
      "takes other recipients, with their names alone",
      { to: ["bob@example.org"], names: { "bob@example.org": "Bob" } },
      { to: ["bob@example.org"], names: { "bob@example.org": "Bob", "team@example.org": "Team" } },
    ],
    [
      "forgets the name of an address that is given without one",
      { to: ["ada@example.org"] },
      { names: { "team@example.org": "Team" } },
    ],
    ["drops files", { remove_attachments: ["att_1"] }, { attachments: [] }],
  ])("%s", (_what, changes, expected) => {
    expect(changedDraft(draft, changes)).toMatchObject(expected);
  });

  test.each<[DraftRecord["kind"], DraftChanges, string]>([
    ["new", { remove_attachments: ["att_2"] }, "attachment_not_found"],
    ["sms", { subject: "x" }, "invalid_draft"],
    ["call", { to: ["ada@example.org"] }, "invalid_draft"],
    ["sms", { remove_attachments: ["att_1"] }, "invalid_draft"],
  ])("of kind %s with %o is %s", (kind, changes, code) => {
    expect(() => changedDraft({ ...draft, kind }, changes)).toThrow(expect.objectContaining({ code }));
  });

  test("a text takes new words", () => {
    expect(changedDraft({ ...draft, kind: "sms", html: null }, { text: "Ho" })).toMatchObject({ text: "Ho" });
  });
});

describe("what differs", () => {
  const content = { ...draft } as unknown as Record<string, unknown>;

  test("is nothing between the same", () => {
    expect(differences(content, { ...content }, 100)).toEqual([]);
  });

  test("is named part by part, and cut", () => {
    const after = { ...content, to: [], subject: "", text: "x".repeat(200), attachments: [] };
    expect(differences(content, after, 10)).toEqual([
      { field: "to", before: "Ada <ada@…", after: null },
      { field: "subject", before: "Hi", after: null },
      { field: "text", before: "Hello", after: "xxxxxxxxx…" },
      { field: "attachments", before: "a.pdf", after: null },
    ]);
  });
});
