import { z } from "zod";
import { InboxId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { Base64, ClientId, Line, Mailbox } from "../model/fields.ts";

/** An address that a caller gives: never one in the form of a letter's reply address, which is a secret. */
export const Correspondent = Mailbox.refine((address) => !/^"?r\+[a-z2-7]{26}"?@/i.test(address), {
  error: "invalid_address",
});

/** The addresses of one field. */
export const Recipients = z.array(Correspondent).max(LIMITS.recipients, { error: "too_many_recipients" });

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
export const CustomHeaders = z
  .record(
    z.string().regex(/^x-[a-z0-9-]{1,70}$/i, { error: "invalid_header" }),
    Line(LIMITS.custom_header_chars),
  )
  .refine((headers) => Object.keys(headers).length <= LIMITS.custom_headers, { error: "invalid_header" });

/** A text or HTML body: nobody reads a longer one, and a file holds it. */
export const Body = z.string().max(LIMITS.body_chars, { error: "message_too_large" });

/** The input fields that all sending operations share. */
export const SendFields = {
  inbox_id: InboxId,
  text: Body.optional().describe("The text part of the mail."),
  html: Body.optional().describe("The HTML part of the mail."),
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
