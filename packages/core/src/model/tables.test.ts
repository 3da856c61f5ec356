import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { tables } from "./tables.ts";

/** Returns the description of a field, or of the schema inside its null or default. */
function descriptionOf(field: z.ZodType): string | undefined {
  const { innerType } = field.def as { innerType?: z.ZodType };
  return field.description ?? (innerType === undefined ? undefined : descriptionOf(innerType));
}

describe.each(Object.entries(tables))("the table %s", (_name, { record }) => {
  test.each(Object.entries<z.ZodType>(record.shape))("says what its column %s is", (column, field) => {
    const words = descriptionOf(field) ?? "";
    expect(words).toMatch(/^[A-Z`].* .*\.$/);
    expect(words.toLowerCase().replace(/[^a-z]/g, "")).not.toBe(column.replace(/_/g, ""));
  });
});
