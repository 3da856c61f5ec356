import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { SAFETY_HEADERS } from "../../mail/attachments.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import type { StreamedDownload } from "../../model/attachments.ts";
import { nameOf } from "../../model/mailbox.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { StreamedBlob } from "../../ports/blobs.ts";
import { findBody } from "./find.ts";
import type { SealedLetter } from "./outgoing/send-letter.ts";
import { isHeld } from "./show.ts";

/**
 * Composes an outbound message as RFC 5322 bytes. The same message always gives the same bytes, so they are
 * not stored. Bcc recipients do not appear. `sealed` replaces the shown body of a letter with the real one.
 */
export async function composeMessage(
  { blobs, contentWorker }: Pick<Services, "blobs" | "contentWorker">,
  message: MessageRecord,
  body: MessageBodyRecord,
  sealed?: SealedLetter,
): Promise<Uint8Array> {
  const attachments = await Promise.all(
    message.attachments.map(async ({ hash, filename, content_type, parameters, content_id, disposition }) => {
      const bytes = await blobs.get(hash);
      if (bytes === undefined)
        throw fail("attachment_not_found", { message: `The bytes of ${filename} are missing.` });
      return { filename, content_type, parameters, content_id, disposition, bytes };
    }),
  );
  const named = (address: string) => ({ address, name: nameOf(address, message.names) ?? "" });
  return workOnContent(contentWorker, "composeMail", {
    from: { address: message.from, name: message.from_name ?? "" },
    to: message.to.map(named),
    cc: message.cc.map(named),
    reply_to: [sealed?.reply_to ?? message.reply_to].filter((address) => address != null).map(named),
    subject: sealed?.subject ?? message.subject,
    text: sealed?.text ?? textToSend(message, body),
    html: sealed?.html ?? body.html,
    headers: sealed?.headers ?? body.headers,
    attachments,
    message_id: message.message_id ?? "",
    in_reply_to: message.in_reply_to,
    references: message.references,
    date: message.created_at,
  });
}

/** A mail written only in HTML gets a plain-text alternative. */
function textToSend(message: MessageRecord, body: MessageBodyRecord): string {
  return body.text === null || body.text === "" ? message.extracted_text : body.text;
}

/**
 * The bytes of a received mail with a `Delivered-To` line on top: the address that it came to, which the mail itself may
 * not name. An injected mail was not delivered, and keeps the lines that it has.
 */
function withDeliveredTo(
  raw: StreamedBlob,
  { envelope_to, labels }: Pick<MessageRecord, "envelope_to" | "labels">,
): StreamedBlob {
  if (envelope_to === null || labels.includes("injected")) return raw;
  const line = Buffer.from(`Delivered-To: ${envelope_to}\r\n`);
  return { size_bytes: line.length + raw.size_bytes, bytes: joined(line, raw.bytes) };
}

async function* joined(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

const NEVER_A_MAIL = {
  message: "A person who was signed in wrote this message on a page or in an app: it never was a mail.",
  fix: "Read it with GET message, which shows all there is of it, and answer it as any mail.",
};

/** Fails with `not_a_mail` or `message_held` where a message has no raw form, or its form is withheld. */
export function checkHasRaw(message: Pick<MessageRecord, "channel" | "labels">): void {
  if (message.channel === "console") throw fail("not_a_mail", NEVER_A_MAIL);
  if (message.channel !== "email") throw fail("not_a_mail");
  if (isHeld(message)) throw fail("message_held");
}

/** The raw form of a message as a download. Fails as `checkHasRaw` does. */
export async function rawMail(
  services: Pick<Services, "blobs" | "contentWorker" | "storage">,
  message: MessageRecord,
): Promise<StreamedDownload> {
  checkHasRaw(message);
  const stored = message.raw_hash === null ? undefined : await services.blobs.getStream(message.raw_hash);
  const { size_bytes, bytes } =
    stored === undefined ? await composed(services, message) : withDeliveredTo(stored, message);
  const headers = {
    "Content-Type": "message/rfc822",
    "Content-Length": String(size_bytes),
    "Content-Disposition": `attachment; filename="${message.id}.eml"`,
    ...SAFETY_HEADERS,
    ...(message.redacted ? { "x-svc-redacted": "1" } : {}),
  };
  return { stream: bytes, headers };
}

/** Written anew from its parts, which are in memory for that. */
async function composed(
  services: Pick<Services, "blobs" | "contentWorker" | "storage">,
  message: MessageRecord,
): Promise<StreamedBlob> {
  const bytes = await composeMessage(services, message, await findBody(services.storage, message));
  return { size_bytes: bytes.length, bytes: atOnce(bytes) };
}

async function* atOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
