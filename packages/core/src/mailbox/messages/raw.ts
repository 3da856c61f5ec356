import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { createTurns, inPieces } from "../../kernel/yield-to-event-loop.ts";
import { SAFETY_HEADERS } from "../../mail/attachments.ts";
import {
  type ComposedMail,
  composeInParts,
  type FileToCompose,
  whole,
} from "../../mail/mime/compose-in-parts.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import type { StoredAttachment, StreamedDownload } from "../../model/attachments.ts";
import { nameOf } from "../../model/mailbox.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { StreamedBlob } from "../../ports/blobs.ts";
import { findBody } from "./find.ts";
import type { SealedLetter } from "./outgoing/send-letter.ts";
import { isHeld } from "./show.ts";

type Composing = Pick<Services, "blobs" | "contentWorker" | "yieldToEventLoop">;

/**
 * Composes an outbound message as RFC 5322 bytes. The same message always gives the same bytes, so they are
 * not stored. Bcc recipients do not appear. `sealed` replaces the shown body of a letter with the real one.
 */
export const composeMessage = async (
  services: Composing,
  message: MessageRecord,
  body: MessageBodyRecord,
  sealed?: SealedLetter,
): Promise<Uint8Array> => whole(await composedMessage(services, message, body, sealed));

/** The same, written as it is read. */
async function composedMessage(
  services: Composing,
  message: MessageRecord,
  body: MessageBodyRecord,
  sealed?: SealedLetter,
): Promise<ComposedMail> {
  const inTurn = createTurns(services.yieldToEventLoop, KEPT_BYTES);
  const named = (address: string) => ({ address, name: nameOf(address, message.names) ?? "" });
  const mail = {
    from: { address: message.from, name: message.from_name ?? "" },
    to: message.to.map(named),
    cc: message.cc.map(named),
    reply_to: [sealed?.reply_to ?? message.reply_to].filter((address) => address != null).map(named),
    subject: sealed?.subject ?? message.subject,
    text: sealed?.text ?? textToSend(message, body),
    html: sealed?.html ?? body.html,
    headers: sealed?.headers ?? body.headers,
    attachments: await Promise.all(
      message.attachments.map((attachment) => fileOf(services, attachment, inTurn)),
    ),
    message_id: message.message_id ?? "",
    in_reply_to: message.in_reply_to,
    references: message.references,
    date: message.created_at,
  };
  return composeInParts(mail, (frame) => workOnContent(services.contentWorker, "composeMail", frame));
}

/** A larger attachment is read twice, rather than kept in memory. */
const KEPT_BYTES = 256 * 1024;

/** An attachment as it is composed. Fails with `attachment_not_found` if its bytes aren't there. */
async function fileOf(
  { blobs }: Composing,
  { hash, filename, content_type, parameters, content_id, disposition, size_bytes }: StoredAttachment,
  inTurn: (bytes: number) => Promise<void>,
): Promise<FileToCompose> {
  const gone = () => fail("attachment_not_found", { message: `The bytes of ${filename} are missing.` });
  const file = { filename, content_type, parameters, content_id, disposition };
  if (size_bytes <= KEPT_BYTES) {
    const bytes = await blobs.get(hash);
    if (bytes === undefined) throw gone();
    return { ...file, size_bytes: bytes.length, read: () => inPieces(bytes, KEPT_BYTES, inTurn) };
  }
  if (!(await blobs.has([hash])).has(hash)) throw gone();
  async function* read() {
    const stored = await blobs.getStream(hash);
    if (stored === undefined) throw gone();
    yield* stored.bytes;
  }
  return { ...file, size_bytes, read };
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
  services: Composing & Pick<Services, "storage">,
  message: MessageRecord,
): Promise<StreamedDownload> {
  checkHasRaw(message);
  const stored = message.raw_hash === null ? undefined : await services.blobs.getStream(message.raw_hash);
  const { size_bytes, bytes } =
    stored === undefined
      ? await composedMessage(services, message, await findBody(services.storage, message))
      : withDeliveredTo(stored, message);
  const headers = {
    "Content-Type": "message/rfc822",
    "Content-Length": String(size_bytes),
    "Content-Disposition": `attachment; filename="${message.id}.eml"`,
    ...SAFETY_HEADERS,
    ...(message.redacted ? { "x-svc-redacted": "1" } : {}),
  };
  return { stream: bytes, headers };
}
