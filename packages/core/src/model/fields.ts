import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { canonicalAddress } from "./address.ts";
import { DecodedBase64, decodeBase64 } from "./base64.ts";
import { readMailbox } from "./mailbox.ts";

/** A time on the wire and in storage: ISO 8601, UTC, milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 });

let last_time = Number.NaN;
let last_iso = "";

/** Formats a time for the wire. All times of one call or mail are the same, so the last result is cached. */
export function iso(time: Date): string {
  if (time.getTime() !== last_time) {
    last_iso = time.toISOString();
    last_time = time.getTime();
  }
  return last_iso;
}

/** One line of text for people: no control characters, so that it is safe in a header. */
export const Line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/[\u0000-\u001f\u007f\u2028\u2029]/.test(text), { error: "invalid_header" });

/**
 * A person's address as input, in its canonical form, for comparison and look-up. Anything else is `invalid_address`,
 * and so is a mailbox that can only be written in quotes.
 */
export const Email = addressInput((text) => {
  const address = canonicalAddress(text);
  return address?.startsWith('"') ? undefined : address;
}, 320);

/**
 * An address to send to, alone or after a display name (`Ada <ada@example.com>`), as it is shown and sent: the
 * local part as given; `invalid_address` otherwise.
 */
export const Mailbox = addressInput(readMailbox, LIMITS.mailbox_chars);

/** The same, or a phone number in E.164. */
export const MailboxOrNumber = addressInput(
  (text) => (/^\+[1-9]\d{6,14}$/.test(text) ? { address: text, name: null } : readMailbox(text)),
  LIMITS.mailbox_chars,
);

/** The address of an owner, also after a display name: as given, since it is shown and written to. */
export const OwnerAddress = Mailbox.transform(({ address }) => address);

function addressInput<T>(form: (text: string) => T | undefined, max: number) {
  return z
    .string({ error: "invalid_address" })
    .max(max, { error: "invalid_address" })
    .transform((text, ctx) => {
      const address = form(text);
      if (address !== undefined) return address;
      ctx.addIssue({ code: "custom", message: "invalid_address" });
      return z.NEVER;
    });
}

/** A field of a change that null clears, which then is `empty`. */
export const clearable = <T extends z.ZodType>(schema: T, empty: z.output<T>) =>
  schema.nullable().transform((value) => value ?? empty);

/** The caller's own id for what it creates: using it again returns the first object. */
export const ClientId = z
  .string()
  .min(1)
  .max(256)
  .describe("Your own id for what this creates: sent again, it returns the first one. 1 to 256 characters.");

/**
 * Returns the answer schema of a create: the record, or the list of them, and whether an earlier call created it. `title`
 * names the shape of a record.
 */
export function created<S extends z.ZodRawShape>(record: z.ZodObject<S>, title?: `Created${string}`) {
  const answer = record.extend({
    idempotent: z.boolean().default(false).describe("Whether this answer repeats an earlier call."),
  });
  return title === undefined ? answer : answer.meta({ title });
}

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item).describe("The items of this page."),
    has_more: z.boolean().describe("Whether there is another page."),
    next_cursor: z
      .string()
      .nullable()
      .describe("What to send as `cursor` for the next page; null on the last one."),
  });
}

/** A list that is always whole. */
export const wholeList = <T>(data: T[]) => ({
  object: "list" as const,
  data,
  has_more: false,
  next_cursor: null,
});

/**
 * The requested length of a list: a whole number from 1 to `max`, else `invalid_limit`. Query strings are
 * parsed as numbers.
 */
export const Limit = (fallback: number, max: number) =>
  z.coerce
    .number<number>({ error: "invalid_limit" })
    .int({ error: "invalid_limit" })
    .min(1, { error: "invalid_limit" })
    .max(max, { error: "invalid_limit" })
    .default(fallback)
    .describe(`How many to return at most, from 1 to ${max}; ${fallback} by default.`);

/** A waiting time in whole seconds, else `invalid_wait`. */
export const WaitSeconds = (fallback: number, max: number) =>
  z.coerce
    .number<number>({ error: "invalid_wait" })
    .int({ error: "invalid_wait" })
    .min(0, { error: "invalid_wait" })
    .max(max, { error: "invalid_wait" })
    .default(fallback)
    .describe(`How many seconds to wait if there is nothing yet, from 0 to ${max}; ${fallback} by default.`);

/** The response to a delete. */
export const Deleted = <N extends string>(object: N) =>
  z.object({
    id: z.string().describe("The id of what was deleted."),
    object: z.literal(object).default(object),
    deleted: z.literal(true).default(true).describe("Always true."),
  });

/**
 * Picks the fields of a record that a schema shows, in the schema's order. Nothing is validated: stored data
 * was validated when written, and validating each event again for each reader would be most of the cost of
 * showing it.
 */
export function shownBy<S extends z.ZodObject>(schema: S): (record: z.output<S>) => z.output<S> {
  const fields = Object.keys(schema.shape);
  return (record) => {
    const shown: Record<string, unknown> = {};
    for (const field of fields) if (record[field] !== undefined) shown[field] = record[field];
    return shown as z.output<S>;
  };
}

/** A cursor as input. */
export const CursorInput = z
  .string()
  .max(500, { error: "invalid_cursor" })
  .describe("The `next_cursor` of the page before; without it, the first page.");

/** Text in Base64 (RFC 4648, section 4, with padding); anything else is `error`. */
export const Base64 = (error: string) =>
  z
    .string()
    .refine((text) => decodeBase64(text) !== undefined, { error })
    .meta(IN_BASE64);

const IN_BASE64 = { format: "base64", contentEncoding: "base64" };

/** A text, also one that was decoded as it came. */
const TextToDecode = z.core.$constructor("TextToDecode", (text: z.ZodString, def: z.core.$ZodStringDef) => {
  z.ZodString.init(text, def);
  const { _zod: inside } = text;
  const { parse } = inside;
  inside.parse = (payload, ctx) =>
    (payload.value as unknown) instanceof DecodedBase64 ? payload : parse(payload, ctx);
});

/** Whether a schema is the text of `Base64Bytes`. */
export const takesBytes = (schema: z.ZodType): boolean => schema instanceof TextToDecode;

/**
 * Bytes that a caller sends in Base64 (RFC 4648, section 4, with padding); anything else is `error`.
 */
export const Base64Bytes = (error: string) =>
  new TextToDecode({ type: "string" })
    .transform((given: string | DecodedBase64, ctx): Uint8Array => {
      const bytes = given instanceof DecodedBase64 ? given.bytes : decodeBase64(given);
      if (bytes !== undefined) return bytes;
      ctx.addIssue({ code: "custom", message: error });
      return z.NEVER;
    })
    .meta(IN_BASE64);

/** Above the limit of every object whose keys a caller chooses, plus the keys that a change may remove. */
const MAX_CHOSEN_KEYS = 1_000;

/**
 * Wraps a record whose keys a caller chooses: one with far too many keys is `error` before each of them is examined.
 */
export function withFewKeys<T extends z.ZodType>(record: T, error: string): T {
  const checked = z.preprocess((value, ctx) => {
    if (typeof value !== "object" || value === null || Object.keys(value).length <= MAX_CHOSEN_KEYS)
      return value;
    ctx.addIssue({ code: "custom", message: error });
    return z.NEVER;
  }, record);
  // The wrapper's input and output are those of the record.
  return checked as unknown as T;
}
