import { z } from "zod";
import { IdInput, InboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS, MESSAGE_SIZE } from "../../../catalogue/limits.ts";
import { typeByName } from "../../../mail/mime/media-types.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import { Base64Bytes, ClientId, Line, Mailbox, MailboxOrNumber, withFewKeys } from "../../../model/fields.ts";
import type { Names } from "../../../model/mailbox.ts";
import { parametersToSend, readMediaType } from "../../../model/media-type.ts";
import { isLetterAddress } from "../rules.ts";

const isNoReplyAddress = ({ address }: { address: string }): boolean => !isLetterAddress(address);

/**
 * An address that a caller gives, alone or after a display name: never one in the form of a letter's reply
 * address, which is a secret.
 */
export const Correspondent = Mailbox.refine(isNoReplyAddress, { error: "invalid_address" });
type Correspondent = z.output<typeof Correspondent>;

/** The addresses of one field. */
export const Recipients = z.array(Correspondent).max(LIMITS.recipients, { error: "too_many_recipients" });

/** The addresses in To of a mail, or the number that a text or call goes to. */
export const RecipientsOrNumber = z
  .array(MailboxOrNumber.refine(isNoReplyAddress, { error: "invalid_address" }))
  .max(LIMITS.recipients, { error: "too_many_recipients" });

const MAX_CONTENT_TYPE_CHARS = 1_000;

/** The name of a file as input. */
export const Filename = z.string().min(1).max(255).describe("The name of the file, 1 to 255 characters.");

/** The media type of a file as input. */
export const ContentType = z
  .string()
  .max(MAX_CONTENT_TYPE_CHARS, { error: "invalid_content_type" })
  .refine((text) => readMediaType(text) !== undefined, { error: "invalid_content_type" })
  .describe(
    "The media type, with parameters if it has any, such as `text/calendar; method=REQUEST`; by default what the name says, or `application/octet-stream`.",
  );

const ContentId = z
  .string()
  .max(255)
  .regex(/^<?[^\s<>]+>?$/, { error: "invalid_attachment" })
  .describe("An id by which an HTML body can show it as `cid:…`.");

/** An attachment whose bytes are in the call. */
export const InlineAttachment = z
  .strictObject({
    filename: Filename,
    content_base64: Base64Bytes("invalid_attachment").describe("The bytes of the file in Base64."),
    content_type: ContentType.optional(),
    content_id: ContentId.optional(),
  })
  .meta({ title: "InlineAttachment" });

/** An attachment as a caller sends it: its bytes, or where the service has or gets them. */
export const AttachmentInput = z
  .strictObject({
    upload_id: IdInput.optional().describe("A ready upload of this inbox: the way for files of any size."),
    attachment_id: IdInput.optional().describe(
      "An attachment of a message or draft of this inbox, which is copied.",
    ),
    url: z
      .string()
      .max(LIMITS.attachment_url_chars, { error: "attachment_url_refused" })
      .optional()
      .describe(
        "Where the file is fetched from, by https and without a query, before this call is answered. Only from where the operator allows it, only in inboxes that send at once whatever it is, and never for a dry run.",
      ),
    content_base64: Base64Bytes("invalid_attachment")
      .optional()
      .describe("The bytes of the file in Base64, for small files that a program sends."),
    filename: Filename.optional().describe(
      "The name of the file, 1 to 255 characters; by default the source's. Required with content_base64.",
    ),
    content_type: ContentType.optional().describe(
      "The media type, with parameters if it has any, such as `text/calendar; method=REQUEST`; by default the source's, what the name says, or `application/octet-stream`.",
    ),
    content_id: ContentId.optional(),
  })
  .meta({ title: "AttachmentInput" });
export type AttachmentInput = z.output<typeof AttachmentInput>;

/** A file that is in the call. */
export interface GivenFile {
  filename: string;
  bytes: Uint8Array;
  content_type?: string | undefined;
  content_id?: string | undefined;
}

/** An attachment as a mail is sent with it: its bytes, or that they are stored. */
export type GivenAttachment = GivenFile | StoredAttachment;

/** Whether its bytes are in the call. */
export const isInline = (given: GivenAttachment): given is GivenFile => "bytes" in given;

/** Whether its bytes are stored already. */
export const isStored = (given: GivenAttachment): given is StoredAttachment => !isInline(given);

/** The media type of an upload and the parameters with which it is sent, as an attachment has them. */
export function mediaTypeOf(
  { filename, content_type }: Pick<GivenFile, "filename" | "content_type">,
  bytes: Uint8Array,
): Pick<StoredAttachment, "content_type" | "parameters"> {
  const stated = content_type === undefined ? undefined : readMediaType(content_type);
  const type = typeByName(filename) ?? "application/octet-stream";
  const media_type = stated ?? { type, parameters: {} };
  const parameters = parametersToSend(media_type, bytes);
  return { content_type: media_type.type, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
}

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

/** Labels as input; `rules.ts` decides which ones a caller may set. */
export const LabelList = z.array(z.string()).max(LIMITS.labels, { error: "invalid_label" });

/** Files to attach. */
export const Attachments = z
  .array(AttachmentInput)
  .max(LIMITS.attachments, { error: "too_many_attachments" });

/** The input fields that all sending operations share. */
export const SendFields = {
  inbox_id: InboxId,
  text: Body.optional().describe(`The text part of the mail, at most ${LIMITS.body_chars} characters.`),
  html: Body.optional().describe(`The HTML part of the mail, at most ${LIMITS.body_chars} characters.`),
  attachments: Attachments.optional().describe(
    `Files to attach, at most ${LIMITS.attachments}. ${MESSAGE_SIZE}`,
  ),
  labels: LabelList.optional().describe(`Your own labels for the message, at most ${LIMITS.labels}.`),
  client_id: ClientId.optional(),
};

/** A subject: one line. */
export const Subject = Line(LIMITS.subject_chars);

/** Whether a list or a wait returns whole messages or summaries. */
export const View = z
  .enum(["full", "summary"])
  .default("full")
  .describe("`full` returns whole messages, `summary` leaves the long fields out.");

/** Labels to add or remove. */
export const LabelsInput = LabelList.default([]);

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
