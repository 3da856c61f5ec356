import type { z } from "zod";
import { takesBytes } from "../../model/fields.ts";
import { definitionOf, innerOf } from "./schema-parts.ts";

/**
 * The fields of an input that are bytes in Base64, by the names that lead to them: `attachments.content_base64` is that
 * field of each item.
 */
export function fileFields(schema: z.ZodType, path: readonly string[] = []): string[] {
  if (takesBytes(schema)) return [path.join(".")];
  const { shape, element } = definitionOf(schema);
  if (shape !== undefined)
    return Object.entries(shape).flatMap(([name, field]) => fileFields(field, [...path, name]));
  const inner = element ?? innerOf(schema);
  return inner === undefined ? [] : fileFields(inner, path);
}
