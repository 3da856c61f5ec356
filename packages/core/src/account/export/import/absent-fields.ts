import { z } from "zod";

/** Adds what is missing to a value, and changes nothing else. */
type Fill = (value: unknown) => unknown;

/**
 * Fills a value for a shape: keys of nullable fields that it lacks become null, at any depth, because a field that
 * came after an export was made is one that its records don't have. Everything else stays as it is, so that the shape
 * still decides what is valid.
 */
export function fillerOf(shape: z.ZodType): Fill {
  return partsOf(shape) ?? ((value) => value);
}

function partsOf(shape: z.ZodType): Fill | undefined {
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional || shape instanceof z.ZodDefault)
    return partsOf(shape.unwrap() as z.ZodType);
  if (shape instanceof z.ZodArray) {
    const each = partsOf(shape.element as z.ZodType);
    return each && ((value) => (Array.isArray(value) ? value.map(each) : value));
  }
  if (!(shape instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(shape.shape);
  const nullable = fields.filter(([, field]) => field instanceof z.ZodNullable).map(([name]) => name);
  const nested = fields.flatMap(([name, field]) => {
    const fill = partsOf(field);
    return fill === undefined ? [] : [{ name, fill }];
  });
  if (nullable.length + nested.length === 0) return undefined;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const filled: Record<string, unknown> = { ...value };
    for (const name of nullable) filled[name] ??= null;
    for (const { name, fill } of nested) if (Object.hasOwn(filled, name)) filled[name] = fill(filled[name]);
    return filled;
  };
}
