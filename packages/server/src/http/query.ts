import type { z } from "zod";

/** The type that a query field is converted to. */
type FieldType = "text" | "number" | "boolean" | "list";

const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** The types of a schema's fields, since everything in a query string is text. */
export function fieldTypesOf(input: z.ZodObject): Map<string, FieldType> {
  return new Map(
    Object.entries(input.shape).map(([field, schema]) => [field, fieldTypeOf(schema as z.ZodType)]),
  );
}

/**
 * Parses a query string (without its question mark) into the types that the schema expects. A repeated field becomes an
 * array, and an invalid number NaN, which the schema rejects with its own error code.
 */
export function queryFields(search: string, types: Map<string, FieldType>): Record<string, unknown> {
  if (search === "") return {};
  const query = new URLSearchParams(search);
  const names = [...new Set(query.keys())];
  return Object.fromEntries(names.map((name) => [name, read(query.getAll(name), types.get(name) ?? "text")]));
}

function read(values: string[], type: FieldType): unknown {
  if (type === "list") return values;
  if (values.length > 1) return values;
  const [value = ""] = values;
  if (type === "number") return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (type === "boolean") return BOOLEANS.get(value) ?? value;
  return value;
}

function fieldTypeOf(schema: z.ZodType): FieldType {
  const { type } = schema.def;
  if (type === "array") return "list";
  if (type === "number" || type === "int") return "number";
  if (type === "boolean") return "boolean";
  const inner = innerOf(schema);
  return inner === undefined ? "text" : fieldTypeOf(inner);
}

/** The schema inside an optional, default, nullable or piped one; of a union its array, if any. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; options?: z.ZodType[] };
  return def.innerType ?? def.in ?? def.options?.find((option) => fieldTypeOf(option) === "list");
}
