import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";

/** The size of a field that has no limit of its own: only the body has one. */
const UNLIMITED_CHARS = 200_000;
const UNLIMITED_ITEMS = 5_000;
/** The characters that a key with a short value takes of a body. */
const CHARS_PER_KEY = 15;
/** A whole body without attachments has 1 MB. */
const MAX_FIELD_CHARS = 900_000;

type Schema = Record<string, unknown>;

/**
 * The inputs of an operation in which one field, each in turn, is as large as its schema allows; the others are those
 * of `valid`. `max_chars` bounds a field, as the place that it is sent in does.
 */
export function largestInputs(
  name: OperationName,
  valid: Record<string, unknown>,
  max_chars = MAX_FIELD_CHARS,
): Record<string, unknown>[] {
  const schema = operationNamed(name).input.toJSONSchema({ io: "input", unrepresentable: "any" }) as Schema;
  const fields = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  // A long wait only takes long.
  const sized = fields.filter(([field]) => field !== "wait");
  return sized.map(([field, of]) => ({ ...valid, [field]: largest(of, max_chars) ?? valid[field] }));
}

/** The largest value of a schema; undefined where all are small. */
function largest(schema: Schema, left: number): unknown {
  const options = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (options !== undefined)
    return options.map((option) => largest(option, left)).find((value) => value !== undefined);
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return undefined;
  switch (schema["type"]) {
    case "string":
      return "x".repeat(Math.min(left, Number(schema["maxLength"] ?? UNLIMITED_CHARS)));
    case "array":
      return largestArray(schema, left);
    case "object":
      return largestObject(schema, left);
    case "integer":
    case "number":
      return schema["maximum"];
  }
  return undefined;
}

function largestArray(schema: Schema, left: number): unknown[] {
  const item = largest((schema["items"] ?? {}) as Schema, left) ?? "x";
  const chars = JSON.stringify(item).length + 1;
  const count = Math.min(
    Number(schema["maxItems"] ?? UNLIMITED_ITEMS),
    Math.max(1, Math.floor(left / chars)),
  );
  return Array.from({ length: count }, () => item);
}

function largestObject(schema: Schema, left: number): Record<string, unknown> {
  const named = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const share = Math.floor(left / Math.max(1, named.length));
  if (named.length > 0)
    return Object.fromEntries(named.map(([name, of]) => [name, largest(of, share) ?? "x"]));
  const size = Math.floor(left / CHARS_PER_KEY);
  return Object.fromEntries(Array.from({ length: size }, (_, number) => [`x-${number}`, "1"]));
}
