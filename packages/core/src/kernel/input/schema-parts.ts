import type { z } from "zod";

/** Zod keeps what is inside a schema in its definition. */
interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
  entries?: Record<string, string | number>;
  values?: unknown[];
  defaultValue?: unknown;
}

/** A schema's definition. */
export const definitionOf = (schema: z.ZodType): Definition => schema.def;

/** The schema inside an optional, default, nullable, read-only, piped or preprocessed one. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const { innerType, in: input, out } = definitionOf(schema);
  return innerType ?? (input !== undefined && definitionOf(input).type === "transform" ? out : input);
}

/** The schema of what a value has at a path; undefined where the path leads nowhere. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const { shape, element, valueType, options } = definitionOf(schema);
  if (options !== undefined)
    return options.map((option) => schemaAt(option, path)).find((found) => found !== undefined);
  const next = shape === undefined ? (element ?? valueType) : shape[String(key)];
  if (next !== undefined) return schemaAt(next, rest);
  const inner = shape === undefined ? innerOf(schema) : undefined;
  return inner === undefined ? undefined : schemaAt(inner, path);
}

/** The names of the fields that an object may have at a path. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const found = schemaAt(schema, path);
  if (found === undefined) return [];
  const { shape, options } = definitionOf(found);
  if (shape !== undefined) return Object.keys(shape);
  if (options !== undefined) return options.flatMap((option) => fieldsAt(option, []));
  const inner = innerOf(found);
  return inner === undefined ? [] : fieldsAt(inner, []);
}

/** The sentence that describes a schema, also one that stands inside it. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const inner = innerOf(schema);
  return inner === undefined ? undefined : descriptionOf(inner);
}
