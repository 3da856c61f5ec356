import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { isErrorCode, LetterslotError } from "../../catalogue/errors.ts";
import { operations } from "../../operations.ts";
import type { Operation } from "../operation.ts";
import { checkInput } from "./check-input.ts";
import { exampleOf } from "./example.ts";
import { definitionOf, innerOf, schemaAt } from "./schema-parts.ts";

const all = Object.entries(operations).flatMap(([group, verbs]) =>
  Object.entries(verbs).map(([verb, one]) => [`${group}.${verb}`, one as unknown as Operation] as const),
);

/** Words of the validator: no caller gets to read them. */
const VALIDATOR =
  /Invalid (?:input|option|string|ISO|key|element)|\bexpected\b|, received |Too (?:big|small)|Unrecognized|must match/;

const BAD: unknown[] = [
  ...[undefined, null, 5, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, true, false],
  ...["x", "", " ", "\u0000", "x".repeat(2_000), "2026-13-45", "ä".repeat(400)],
  ...[[], ["x"], [5], [null], Array.from({ length: 400 }, String), {}, { x: 1 }, [{}], [{ x: 5 }]],
];

/** Bad values of a field: of each kind, and good ones with one bad value inside. */
function badValues(schema: z.ZodType, depth = 0): unknown[] {
  const { shape, element, options } = definitionOf(schema);
  if (depth > 3) return BAD;
  if (shape !== undefined) {
    const good = (exampleOf(schema) ?? {}) as Record<string, unknown>;
    const inside = Object.entries(shape).flatMap(([field, inner]) =>
      badValues(inner, depth + 1).map((bad) => ({ ...good, [field]: bad })),
    );
    return [...BAD, ...inside, { ...good, surprise: 1 }];
  }
  if (element !== undefined) return [...BAD, ...badValues(element, depth + 1).map((bad) => [bad])];
  if (options !== undefined) return options.flatMap((option) => badValues(option, depth + 1));
  const inner = innerOf(schema);
  return inner === undefined ? BAD : badValues(inner, depth);
}

/** What an operation needs, by its own example. */
function goodInput({ input, example = {} }: Operation): Record<string, unknown> {
  const required = Object.entries(input.shape).filter(([, schema]) => !schema.safeParse(undefined).success);
  return Object.fromEntries(
    required.map(([field, schema]) => [field, example[field] ?? exampleOf(schema as z.ZodType) ?? "x"]),
  );
}

function refusalOf(operation: Operation, input: Record<string, unknown>): LetterslotError | undefined {
  try {
    checkInput(operation, input);
    return undefined;
  } catch (error) {
    if (error instanceof LetterslotError) return error;
    throw error;
  }
}

/** Operations with fields of which one goes without the others, and the field that is named then. */
const TOGETHER = new Map([["owners.confirm", "token"]]);

describe.each(all)("a bad input of %s", (name, operation) => {
  const good = goodInput(operation);
  const fields = Object.entries(operation.input.shape) as [string, z.ZodType][];

  test("is refused in our words, which name the field and what to send", () => {
    for (const [field, schema] of fields)
      for (const bad of badValues(schema)) {
        const refused = refusalOf(operation, { ...good, [field]: bad });
        if (refused === undefined) continue;
        const { code, message, fix, param = "" } = refused;
        const said = `${field} ${JSON.stringify(bad)?.slice(0, 100)}: ${code} ${message} ${fix}`;
        expect(isErrorCode(code), said).toBe(true);
        expect(message, said).not.toMatch(VALIDATOR);
        expect(fix, said).not.toMatch(VALIDATOR);
        expect([field, TOGETHER.get(name)], said).toContain(param.split(".")[0]);
        if (code !== "invalid_request") continue;
        expect(message.startsWith(`${param} is required`) || message.startsWith(`${param} must `), said).toBe(
          true,
        );
        expect(message, said).toMatch(/[^.]\.$/);
        expect(fix.startsWith(`Send ${param}`), said).toBe(true);
        const example = /, such as (.+?)\.(?: |$)/.exec(fix)?.[1];
        const at = schemaAt(operation.input, param.split("."));
        if (example !== undefined && at !== undefined)
          expect(at.safeParse(JSON.parse(example)).success, said).toBe(true);
      }
  });

  test("with a name that it doesn't have suggests the one that is meant", () => {
    for (const [field] of fields.filter(([name]) => name.length > 3)) {
      const slip = `${field.slice(0, -2)}${field.at(-1)}${field.at(-2)}x`;
      const refused = refusalOf(operation, { ...good, [slip]: 1 });
      expect(refused).toMatchObject({ code: "unknown_parameter", param: slip });
      expect(refused?.fix).toMatch(/^Did you mean [a-z0-9_]+\?/);
    }
  });
});

/** Each error of the contract's examples, by the operation, its input and the words. */
const EXAMPLES: [name: string, input: Record<string, unknown>, message: string, fix: string][] = [
  ["tasks.update", {}, "status is required: one of pending, in_progress, done.", 'Send status, such as "'],
  [
    "tasks.update",
    { status: 5 },
    "status must be one of pending, in_progress, done, not a number.",
    "Send status",
  ],
  [
    "tasks.update",
    { status: "open" },
    "status must be one of pending, in_progress, done.",
    'Send status, such as "',
  ],
  ["messages.send", { text: 5 }, "text must be a text, not a number.", "Send text, such as "],
  ["messages.send", { attachments: "a" }, "attachments must be a list, not a text.", "Send attachments"],
  [
    "messages.send",
    { attachments: [{ filename: "" }] },
    "attachments.0.filename must not be empty.",
    'Send attachments.0.filename, such as "',
  ],
  ["inboxes.createBatch", { count: 1.5 }, "count must be a whole number, not 1.5.", "Send count, such as "],
  ["inboxes.createBatch", { count: 101 }, "count must be at most 100.", "Send count, such as "],
  [
    "inboxes.create",
    { display_name: "x".repeat(201) },
    "display_name must have at most 200 characters.",
    "Send display_name, such as ",
  ],
  [
    "keys.create",
    { name: "x", expires_at: "tomorrow" },
    "expires_at must be a time with its offset from UTC, such as 2026-11-20T08:00:00Z.",
    "Send expires_at, such as ",
  ],
];

test.each(EXAMPLES)("%s with %j: %s", (name, given, message, fix) => {
  const operation = all.find(([own]) => own === name)?.[1] as Operation;
  const required = Object.fromEntries(
    Object.entries(goodInput(operation)).filter(([field]) => field.endsWith("_id")),
  );
  const to = name === "messages.send" ? { to: ["ada@example.com"] } : {};
  const refused = refusalOf(operation, { ...required, ...to, ...given });
  expect(refused).toMatchObject({ code: "invalid_request", message });
  expect(refused?.fix).toContain(fix);
});

test.each([
  ["messages.send", "bodytext", "Leave it out. These are taken: inbox_id, "],
  ["messages.send", "subjct", "Did you mean subject?"],
  ["messages.send", "inReplyTo", "Did you mean in_reply_to?"],
  ["inboxes.list", "limt", "Did you mean limit?"],
])("an unknown name: %s %s", (name, field, fix) => {
  const operation = all.find(([own]) => own === name)?.[1] as Operation;
  const refused = refusalOf(operation, { ...goodInput(operation), [field]: 1 });
  expect(refused?.message).toBe(`There is no parameter "${field}".`);
  expect(refused?.fix).toContain(fix);
});
