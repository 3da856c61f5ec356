import type { z } from "zod";

/** What a field of a query string is read as. */
type Reading = "text" | "number" | "boolean" | "texts";

/** How the fields of a schema are read from a query string, where everything is text. */
export function readingsOf(input: z.ZodObject): Map<string, Reading> {
  return new Map(
    Object.entries(input.shape).map(([field, schema]) => [field, readingOf(schema as z.ZodType)]),
  );
}

/**
 * The fields of a query string (what follows the question mark), read as the schema wants them: a repeated
 * field is an array, a number that is none is NaN, so that the schema refuses it with its own code.
 */
export function queryFields(search: string, readings: Map<string, Reading>): Record<string, unknown> {
  if (search === "") return {};
  const query = new URLSearchParams(search);
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => [name, read(query.getAll(name), readings.get(name) ?? "text")]),
  );
}

function read(values: string[], reading: Reading): unknown {
  if (reading === "texts") return values;
  if (values.length > 1) return values;
  const [value = ""] = values;
  if (reading === "number") return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (reading === "boolean") return booleans.get(value) ?? value;
  return value;
}

const booleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function readingOf(schema: z.ZodType): Reading {
  const { type } = schema.def;
  if (type === "array") return "texts";
  if (type === "number" || type === "int") return "number";
  if (type === "boolean") return "boolean";
  const inner = innerOf(schema);
  return inner === undefined ? "text" : readingOf(inner);
}

/** What optional, default, nullable and piped schemas wrap; of a union the array, if it has one. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; options?: z.ZodType[] };
  return def.innerType ?? def.in ?? def.options?.find((option) => readingOf(option) === "texts");
}
