import type { z } from "zod";

/** Changes a value, or returns the same one when there is nothing to change. */
type Change = (value: unknown) => unknown;

/** Zod keeps what is inside a schema in its definition. */
interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
}

const changes = new WeakMap<z.ZodType, Change | null>();

/**
 * Leaves out each field that is null, that may be left out, and to which the schema gives null no meaning; in
 * objects within it too. Other fields keep their null.
 */
export function omitNulls<T extends Record<string, unknown>>(schema: z.ZodType, value: T): T {
  return (changeFor(schema)?.(value) ?? value) as T;
}

/** What becomes of a schema's values; null when they never change. */
function changeFor(schema: z.ZodType): Change | null {
  const known = changes.get(schema);
  if (known !== undefined) return known;
  const change = newChange(schema);
  changes.set(schema, change);
  return change;
}

function newChange(schema: z.ZodType): Change | null {
  const { type, shape, element } = definitionOf(schema);
  if (type === "object" && shape !== undefined) return objectChange(shape);
  if (type === "array" && element !== undefined) return arrayChange(element);
  const inner = innerOf(schema);
  return inner === undefined ? null : changeFor(inner);
}

function objectChange(shape: Record<string, z.ZodType>): Change | null {
  const omitted = new Set(Object.keys(shape).filter((field) => isOmittedAsNull(shape[field] as z.ZodType)));
  const within = new Map<string, Change>();
  for (const [field, schema] of Object.entries(shape)) {
    const change = changeFor(schema);
    if (change !== null) within.set(field, change);
  }
  if (omitted.size === 0 && within.size === 0) return null;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = value as Record<string, unknown>;
    let changed: Record<string, unknown> | undefined;
    for (const field of Object.keys(given)) {
      const before = given[field];
      if (before === null && omitted.has(field)) {
        changed ??= { ...given };
        delete changed[field];
        continue;
      }
      const after = within.get(field)?.(before) ?? before;
      if (after === before) continue;
      changed ??= { ...given };
      changed[field] = after;
    }
    return changed ?? value;
  };
}

function arrayChange(element: z.ZodType): Change | null {
  const change = changeFor(element);
  if (change === null) return null;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const changed = value.map(change);
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  };
}

/** Whether a field may be left out, and null means nothing in it. */
function isOmittedAsNull(schema: z.ZodType): boolean {
  return mayBeLeftOut(schema) && !takesNull(schema);
}

function mayBeLeftOut(schema: z.ZodType): boolean {
  const { type } = definitionOf(schema);
  if (type === "optional" || type === "default" || type === "prefault") return true;
  const inner = innerOf(schema);
  return inner !== undefined && mayBeLeftOut(inner);
}

function takesNull(schema: z.ZodType): boolean {
  const { type, options } = definitionOf(schema);
  if (["nullable", "null", "any", "unknown"].includes(type)) return true;
  if (options !== undefined) return options.some(takesNull);
  const inner = innerOf(schema);
  return inner !== undefined && takesNull(inner);
}

/** The schema inside an optional, default, nullable, read-only or piped one. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const { innerType, in: input } = definitionOf(schema);
  return innerType ?? input;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def;
