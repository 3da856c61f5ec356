import { z } from "zod";

/** A JSON Schema (2020-12), as far as tools have it. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  format?: string;
}

/** The schema of an object. */
export type ObjectSchema = JsonSchema & { type: "object" };

const inputs = new WeakMap<z.ZodType, JsonSchema>();

/** Returns an operation's input as JSON Schema. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  const known = inputs.get(schema) ?? jsonSchemaOf(schema, "input");
  inputs.set(schema, known);
  return known;
}

/** Returns the JSON Schema of a zod schema: of its input or its output. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as JsonSchema;
}

/** Reduces a schema to the parts that help a model to write a value: the service checks the value anyway. */
export function trimmed(schema: JsonSchema): JsonSchema {
  const { type, description, items, anyOf, format, default: fallback } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(anyOf === undefined ? {} : oneOfKinds(anyOf.map(trimmed))),
    ...(description === undefined ? {} : { description }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(items === undefined ? {} : { items: trimmed(items) }),
    ...(schema.properties === undefined ? {} : { properties: trimmedFields(schema.properties) }),
    ...(schema.required === undefined || schema.required.length === 0 ? {} : { required: schema.required }),
    ...(format === "date-time" || format === "date" ? { format } : {}),
    ...(isToldDefault(fallback) ? { default: fallback } : {}),
    ...boundsOf(schema),
  };
}

function trimmedFields(fields: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, trimmed(field)]));
}

/** Several kinds as one schema, if they differ by their type alone, or one of them is null. */
function oneOfKinds(kinds: JsonSchema[]): JsonSchema {
  const types = kinds.map(({ type }) => type);
  const told = kinds.filter(({ type, ...rest }) => type !== "null" && Object.keys(rest).length > 0);
  if (!types.every((type) => typeof type === "string") || told.length > 1) return { anyOf: kinds };
  return { ...told[0], type: types };
}

const isToldDefault = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && typeof value !== "object";

/** Bounds of numbers; those of safe integers and of counting go without saying. */
function boundsOf({ minimum, maximum }: JsonSchema): JsonSchema {
  return {
    ...(minimum === undefined || minimum <= 1 ? {} : { minimum }),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}
