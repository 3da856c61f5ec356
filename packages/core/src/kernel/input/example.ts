import type { z } from "zod";
import { definitionOf, innerOf } from "./schema-parts.ts";

/** Texts of which the first that a field takes is its example. */
const TEXTS = [
  "Ada",
  "ada@example.com",
  "example.com",
  "https://example.com/hook",
  "2026-11-20T08:00:00.000Z",
  "+14155550123",
  "415",
  "482913",
  "ada",
  "https://example.com",
  "<1@example.com>",
  "QWRh",
  "text/plain",
  "Please order paper.",
];
const NUMBERS = [1, 10, 0, 100];

/**
 * A value that a schema takes, for people to begin with; undefined if there is none to make up. Ids are not made up: they
 * would be copied.
 */
export function exampleOf(schema: z.ZodType, name = ""): unknown {
  if (/(?:^|_)(?:id|token|code)s?$/.test(name)) return undefined;
  const made = candidatesOf(schema, name).find(
    (value) => value !== undefined && schema.safeParse(value).success,
  );
  return made;
}

function candidatesOf(schema: z.ZodType, name: string): unknown[] {
  const { type, entries, values, element, options, shape, defaultValue } = definitionOf(schema);
  if (type === "string") return TEXTS;
  if (type === "number" || type === "int") return NUMBERS;
  if (type === "boolean") return [true, false];
  if (entries !== undefined) return Object.values(entries);
  if (values !== undefined) return values;
  if (options !== undefined) return options.map((option) => exampleOf(option, name));
  if (element !== undefined) {
    const one = exampleOf(element, name);
    return one === undefined ? [] : [[one]];
  }
  if (shape !== undefined) return [exampleOfShape(shape)];
  const inner = innerOf(schema);
  if (inner === undefined) return [];
  // A default says more than a made-up value, unless it is nothing.
  const own = defaultValue === null || Array.isArray(defaultValue) ? [] : [defaultValue];
  // Not the example of what is inside: a transformation may take less.
  return [...own, ...candidatesOf(inner, name)];
}

/** The required fields alone; undefined if one of them has no example. */
function exampleOfShape(shape: Record<string, z.ZodType>): Record<string, unknown> | undefined {
  const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
  const made = required.map(([field, schema]) => [field, exampleOf(schema, field)] as const);
  return made.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(made);
}
