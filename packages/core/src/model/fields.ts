import { z } from "zod";

/** A moment on the wire and in storage: ISO 8601, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/** A moment as a caller may write it, with any offset; read as UTC with milliseconds. */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString());

/** The wire form of a moment. */
export const iso = (time: Date): string => time.toISOString();

/** One line of text for people: no control characters, so that it can stand in a header. */
export const Line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text), { error: "invalid_header" });

/**
 * An e-mail address as an input: one plain address, lower-cased, at most 320 characters; another word is
 * `invalid_address`. So is one that begins an encoded word (RFC 2047), which mail programs would show as
 * another address.
 */
export const Email = z
  .string({ error: "invalid_address" })
  .max(320, { error: "invalid_address" })
  .transform((text) => text.trim().toLowerCase())
  .pipe(
    z.email({
      error: "invalid_address",
      pattern:
        /^(?!.*=\?)[^\s@<>()[\],;:"\\\u0000-\u001f\u007f-\u009f]{1,64}@(?=.{1,255}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u,
    }),
  );

/** A caller's own name for what it makes: the same one again answers the first object. */
export const ClientId = z.string().min(1).max(256);

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
}

/**
 * How long a list is asked to be: a whole number from 1 to `max`, else `invalid_limit`. Query strings are
 * read as numbers.
 */
export const Limit = (fallback: number, max: number) =>
  z.coerce
    .number({ error: "invalid_limit" })
    .int({ error: "invalid_limit" })
    .min(1, { error: "invalid_limit" })
    .max(max, { error: "invalid_limit" })
    .default(fallback);

/** How long to wait, in whole seconds, else `invalid_wait`. */
export const WaitSeconds = (fallback: number, max: number) =>
  z.coerce
    .number({ error: "invalid_wait" })
    .int({ error: "invalid_wait" })
    .min(0, { error: "invalid_wait" })
    .max(max, { error: "invalid_wait" })
    .default(fallback);

/** The answer to a delete (decisions, section 1). */
export const Deleted = (object: string) =>
  z.object({
    id: z.string(),
    object: z.literal(object).default(object),
    deleted: z.literal(true).default(true),
  });

/**
 * Leaves of a record what a schema shows of it, in the schema's order. Nothing is checked: what is stored was
 * checked when it was written, and checking each event again for each of its readers is most of what showing
 * it costs.
 */
export function shownBy<S extends z.ZodObject>(schema: S): (record: z.output<S>) => z.output<S> {
  const fields = Object.keys(schema.shape);
  return (record) => {
    const shown: Record<string, unknown> = {};
    for (const field of fields) if (record[field] !== undefined) shown[field] = record[field];
    return shown as z.output<S>;
  };
}

/** A cursor as an input. */
export const CursorInput = z.string().max(500, { error: "invalid_cursor" });
