import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { ClientId, Line, Mailbox } from "../model/fields.ts";

/** An address that a caller gives: never one in the form of a letter's reply address, which is a secret. */
export const Correspondent = Mailbox.refine((address) => !/^"?r\+[a-z2-7]{26}"?@/i.test(address), {
  error: "invalid_address",
});

/** The addresses of one field. */
export const Recipients = z.array(Correspondent).max(LIMITS.recipients, { error: "too_many_recipients" });

/** An attachment as a caller sends it. */
export const AttachmentInput = z.strictObject({
  filename: z.string().min(1).max(255),
  content_base64: z.base64({ error: "invalid_attachment" }),
  content_type: z
    .string()
    .max(255)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w-]+="?[\w.-]+"?)*$/, { error: "invalid_attachment" })
    .optional(),
  content_id: z
    .string()
    .max(255)
    .regex(/^<?[^\s<>]+>?$/, { error: "invalid_attachment" })
    .optional(),
});
export type AttachmentInput = z.output<typeof AttachmentInput>;

/** Headers that a sender may set: `X-*`, one line each. */
export const CustomHeaders = z
  .record(
    z.string().regex(/^x-[a-z0-9-]{1,70}$/i, { error: "invalid_header" }),
    Line(LIMITS.custom_header_chars),
  )
  .refine((headers) => Object.keys(headers).length <= LIMITS.custom_headers, { error: "invalid_header" });

/** A text or HTML body. */
export const Body = z.string().max(LIMITS.message_bytes, { error: "message_too_large" });

/** The input fields that all sending operations share. */
export const SendFields = {
  inbox_id: IdInput,
  text: Body.optional(),
  html: Body.optional(),
  attachments: z.array(AttachmentInput).max(LIMITS.attachments, { error: "invalid_attachment" }).optional(),
  labels: z.array(z.string()).max(LIMITS.labels, { error: "invalid_label" }).optional(),
  client_id: ClientId.optional(),
};

/** A subject: one line. */
export const Subject = Line(LIMITS.subject_chars);

/** Whether a list or a wait returns whole messages or summaries. */
export const View = z.enum(["full", "summary"]).default("full");

/** Labels to add or remove; `rules.ts` decides which ones a caller may set. */
export const LabelsInput = z.array(z.string()).max(LIMITS.labels, { error: "invalid_label" }).default([]);

/** Message ids without duplicates. */
export const MessageIds = (max: number) =>
  z
    .array(z.string().max(320), { error: "missing_message_ids" })
    .min(1, { error: "missing_message_ids" })
    .max(max, { error: "too_many_ids" })
    .refine((ids) => new Set(ids).size === ids.length, { error: "duplicate_message_ids" });
