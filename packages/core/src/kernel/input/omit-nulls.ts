import type { z } from "zod";
import { definitionOf, innerOf } from "./schema-parts.ts";

/** Changes a value, or returns the same one when there is nothing to change. */
type Change = (value: unknown) => unknown;

const changes = new WeakMap<z.ZodType, Change | null>();

/**
 * Omits each null field that is optional and to which the schema gives null no meaning, in nested objects too. Other
 * fields keep their null.
 */
export function omitNulls<T extends Record<string, unknown>>(schema: z.ZodType, value: T): T {
  return (changeFor(schema)?.(value) ?? value) as T;
}

/** Returns the change for a schema's values; null when they never change. */
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

/** Whether a field is optional and null means nothing in it. */
function isOmittedAsNull(schema: z.ZodType): boolean {
  return mayBeLeftOut(schema) && !takesNull(schema);
}

function mayBeLeftOut(schema: z.ZodType): boolean {
  const { type } = definitionOf(schema);
  if (type === "optional" || type === "default" || type === "prefault") return true;
  const inner = innerOf(schema);
  return inner !== undefined && mayBeLeftOut(inner);
}

/** Whether a schema gives null a meaning. */
export function takesNull(schema: z.ZodType): boolean {
  const { type, options } = definitionOf(schema);
  if (["nullable", "null", "any", "unknown"].includes(type)) return true;
  if (options !== undefined) return options.some(takesNull);
  const inner = innerOf(schema);
  return inner !== undefined && takesNull(inner);
}
