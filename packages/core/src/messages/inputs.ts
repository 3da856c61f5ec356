import { z } from "zod";
import { InboxId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { Base64, ClientId, Line, Mailbox, MailboxOrNumber, withFewKeys } from "../model/fields.ts";
import type { Names } from "../model/mailbox.ts";

/**
 * An address that a caller gives, alone or after a display name: never one in the form of a letter's reply
 * address, which is a secret.
 */
export const Correspondent = Mailbox.refine(isNoReplyAddress, { error: "invalid_address" });
type Correspondent = z.output<typeof Correspondent>;

function isNoReplyAddress({ address }: { address: string }): boolean {
  return !/^"?r\+[a-z2-7]{26}"?@/i.test(address);
}

/** The addresses of one field. */
export const Recipients = z.array(Correspondent).max(LIMITS.recipients, { error: "too_many_recipients" });

/** The addresses in To of a mail, or the number that a text or call goes to. */
export const RecipientsOrNumber = z
  .array(MailboxOrNumber.refine(isNoReplyAddress, { error: "invalid_address" }))
  .max(LIMITS.recipients, { error: "too_many_recipients" });

/** An attachment as a caller sends it. */
export const AttachmentInput = z.strictObject({
  filename: z.string().min(1).max(255).describe("The name of the file, 1 to 255 characters."),
  content_base64: Base64("invalid_attachment").describe("The bytes of the file in Base64."),
  content_type: z
    .string()
    .max(255)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+="?[\w.-]+"?)*$/, { error: "invalid_attachment" })
    .optional()
    .describe("The media type, such as `application/pdf`; `application/octet-stream` by default."),
  content_id: z
    .string()
    .max(255)
    .regex(/^<?[^\s<>]+>?$/, { error: "invalid_attachment" })
    .optional()
    .describe("An id by which an HTML body can show it as `cid:…`."),
});
export type AttachmentInput = z.output<typeof AttachmentInput>;

/** Headers that a sender may set: `X-*`, one line each. */
export const CustomHeaders = withFewKeys(
  z
    .record(
      z.string().regex(/^x-[a-z0-9-]{1,70}$/i, { error: "invalid_header" }),
      Line(LIMITS.custom_header_chars),
    )
    .refine((headers) => Object.keys(headers).length <= LIMITS.custom_headers, { error: "invalid_header" }),
  "invalid_header",
);

/** A text or HTML body: nobody reads a longer one, and a file holds it. */
export const Body = z.string().max(LIMITS.body_chars, { error: "message_too_large" });

/** The input fields that all sending operations share. */
export const SendFields = {
  inbox_id: InboxId,
  text: Body.optional().describe(`The text part of the mail, at most ${LIMITS.body_chars} characters.`),
  html: Body.optional().describe(`The HTML part of the mail, at most ${LIMITS.body_chars} characters.`),
  attachments: z
    .array(AttachmentInput)
    .max(LIMITS.attachments, { error: "invalid_attachment" })
    .optional()
    .describe(`Files to attach, at most ${LIMITS.attachments}; the whole mail may have 25 MB.`),
  labels: z
    .array(z.string())
    .max(LIMITS.labels, { error: "invalid_label" })
    .optional()
    .describe(`Your own labels for the message, at most ${LIMITS.labels}.`),
  client_id: ClientId.optional(),
};

/** A subject: one line. */
export const Subject = Line(LIMITS.subject_chars);

/** Whether a list or a wait returns whole messages or summaries. */
export const View = z
  .enum(["full", "summary"])
  .default("full")
  .describe("`full` returns whole messages, `summary` leaves the long fields out.");

/** Labels to add or remove; `rules.ts` decides which ones a caller may set. */
export const LabelsInput = z.array(z.string()).max(LIMITS.labels, { error: "invalid_label" }).default([]);

/** Message ids without duplicates. */
export const MessageIds = (max: number) =>
  z
    .array(z.string().max(320), { error: "missing_message_ids" })
    .min(1, { error: "missing_message_ids" })
    .max(max, { error: "too_many_ids" })
    .refine((ids) => new Set(ids).size === ids.length, { error: "duplicate_message_ids" });

/** The address fields of a call, as far as it has them. */
interface AddressFields {
  to?: Correspondent[] | undefined;
  cc?: Correspondent[] | undefined;
  bcc?: Correspondent[] | undefined;
  reply_to?: Correspondent | null | undefined;
}

/** The same fields as addresses. */
type Addresses<T> = { [F in keyof T]: F extends keyof AddressFields ? Shape<T[F]> : T[F] };
type Shape<V> = V extends Correspondent[] ? string[] : V extends Correspondent ? string : V;

/** The fields of a call with the addresses alone in its address fields, and their display names beside them. */
export function withNames<T extends AddressFields>(fields: T): Addresses<T> & { names: Names } {
  const { to = [], cc = [], bcc = [], reply_to } = fields;
  const named = [...to, ...cc, ...bcc, ...(reply_to == null ? [] : [reply_to])];
  const addresses = Object.fromEntries(
    (["to", "cc", "bcc"] as const).flatMap((field) => {
      const list = fields[field];
      return list === undefined ? [] : [[field, list.map(({ address }) => address)]];
    }),
  );
  return {
    ...fields,
    ...addresses,
    ...(reply_to == null ? {} : { reply_to: reply_to.address }),
    names: Object.fromEntries(named.flatMap(({ address, name }) => (name === null ? [] : [[address, name]]))),
  } as Addresses<T> & { names: Names };
}
