import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createTestService } from "../../../testing/index.ts";
import { operations } from "../../operations.ts";
import type { Operation } from "../operation.ts";
import { omitNulls } from "./omit-nulls.ts";

describe("null for a field that may be left out", () => {
  const schema = z.object({
    required: z.string(),
    optional: z.string().optional(),
    limit: z.coerce.number().default(50),
    described: z.string().max(3).optional().describe("Short."),
    transformed: z
      .string()
      .transform((text) => text.length)
      .optional(),
    cleared: z.string().nullable().optional(),
    cleared_inside: z.string().optional().nullable(),
    either: z.union([z.string(), z.null()]).optional(),
    anything: z.unknown().optional(),
    inner: z.object({ optional: z.string().optional(), cleared: z.string().nullable() }).optional(),
    list: z.array(z.object({ name: z.string(), type: z.string().optional() })).default([]),
    record: z.record(z.string(), z.string()).optional(),
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["is as if left out", { required: "a", optional: null, described: null }, { required: "a" }],
    ["is as if left out where there is a default", { limit: null }, {}],
    ["is as if left out where the value is transformed", { transformed: null }, {}],
    ["is kept where it means something", { cleared: null }, { cleared: null }],
    ["is kept in whatever order the schema says so", { cleared_inside: null }, { cleared_inside: null }],
    ["is kept where it is one of several", { either: null }, { either: null }],
    ["is kept where anything is taken", { anything: null }, { anything: null }],
    ["is kept, and refused later, where a value is required", { required: null }, { required: null }],
    ["is kept, and refused later, in an unknown field", { nobody: null }, { nobody: null }],
    [
      "is left out within an object",
      { inner: { optional: null, cleared: null } },
      { inner: { cleared: null } },
    ],
    [
      "is left out within the objects of a list",
      { list: [{ name: "a", type: null }, { name: "b" }] },
      { list: [{ name: "a" }, { name: "b" }] },
    ],
    ["is kept in a record", { record: { a: null } }, { record: { a: null } }],
  ])("%s", (_, given, expected) => {
    expect(omitNulls(schema, given)).toEqual(expected);
  });

  test("leaves everything else the same object", () => {
    const given = { required: "a", cleared: null, list: [{ name: "a" }], inner: { cleared: null } };
    expect(omitNulls(schema, given)).toBe(given);
  });
});

/** The fields in which null has a meaning: no limit, no filter, no style of one's own, cleared. */
const MEANS_SOMETHING = new Map([
  ["accounts.onboard", ["display_name"]],
  ["authority.create", ["inbox_id"]],
  ["drafts.create", ["reply_to"]],
  ["domains.update", ["workspace_ids"]],
  [
    "drafts.update",
    ["bcc", "cc", "headers", "html", "labels", "reply_to", "send_at", "subject", "text", "to"],
  ],
  ["inboxes.create", ["display_name", "expires_at", "voicemail_greeting"]],
  ["inboxes.createBatch", ["expires_at"]],
  ["inboxes.update", ["display_name", "expires_at", "labels", "metadata", "voicemail_greeting"]],
  ["keys.create", ["budget", "expires_at", "inbox_id", "permissions"]],
  ["keys.createForInbox", ["budget", "expires_at", "permissions"]],
  ["keys.update", ["budget"]],
  ["pairings.create", ["budget"]],
  ["pairings.pair", ["display_name"]],
  ["me.update", ["owner_email_style", "owner_email_style_note"]],
  ["owners.choose", ["email_style", "email_style_note"]],
  ["owners.update", ["email_style", "email_style_note"]],
  ["owners.updateMine", ["email_style", "email_style_note"]],
  ["tasks.complete", ["result"]],
  ["webhooks.create", ["inbox_id"]],
  ["webhooks.update", ["events", "headers", "inbox_id", "inbox_ids"]],
]);
const all = Object.entries(operations).flatMap(([group, verbs]) =>
  Object.entries(verbs).map(([verb, one]) => [`${group}.${verb}`, one as unknown as Operation] as const),
);

test.each(all)("%s takes null only where it means something", (name, { input }) => {
  const given = Object.fromEntries(Object.keys(input.shape).map((field) => [field, null]));
  const optional = (field: string) => (input.shape[field] as z.ZodType).safeParse(undefined).success;
  const kept = Object.keys(omitNulls(input, given)).filter(optional);
  expect(kept.toSorted()).toEqual(MEANS_SOMETHING.get(name) ?? []);
});

test("a call with nulls is the same call without them, also under one Idempotency-Key", async () => {
  const { letterslot, signUp } = createTestService();
  const { caller, inbox } = await signUp();
  const call = (more: object) =>
    letterslot.call(
      caller,
      "messages.send",
      { inbox_id: inbox.id, to: ["eve@example.com"], text: "Hi", ...more },
      { idempotencyKey: "once" },
    ) as Promise<{ id: string }>;
  const nulls = { html: null, cc: null, subject: null, reply_to: null, client_id: null, attachments: null };
  const first = await call(nulls);
  expect(first).toMatchObject({ subject: "", cc: [], html: null, attachments: [], client_id: null });
  expect(await call({})).toMatchObject({ id: first.id, idempotent: true });
});
