import { randomBytes } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { loadOnce } from "../load-once.ts";
import { beginBoundary, type MailToCompose } from "./compose.ts";
import { type AttachmentToCompose, attachmentPart } from "./compose-attachment.ts";
import { base64Bytes } from "./composed-size.ts";

const loadBase64 = loadOnce(() => import("nodemailer/lib/base64"));

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** An attachment whose bytes are read as they are needed: more than once. */
export interface FileToCompose extends Omit<AttachmentToCompose, "bytes"> {
  size_bytes: number;
  read(): Pieces;
}

/** A mail whose attachments need not be in memory. */
interface MailOfFiles extends Omit<MailToCompose, "attachments" | "boundary"> {
  attachments: readonly FileToCompose[];
}

/** A composed mail that is written as it is read. */
export interface ComposedMail {
  size_bytes: number;
  bytes: AsyncGenerator<Uint8Array>;
}

/** Bytes that stand for a file: no mail has them by chance, and in Base64 they are whole, in one line. */
const MARK_BYTES = 24;

/**
 * Composes a mail to the same bytes as `compose` does with its attachments in memory, which makes its frame here. Only
 * nested mails are in memory: how they are written depends on all of them.
 */
export async function composeInParts(
  { attachments, ...words }: MailOfFiles,
  compose: (mail: MailToCompose) => Promise<Uint8Array>,
): Promise<ComposedMail> {
  const boundary = beginBoundary(words);
  const framed: AttachmentToCompose[] = [];
  const files: { mark: string; file: FileToCompose }[] = [];
  for (const file of attachments) {
    const { size_bytes, read, ...shown } = file;
    if (/^message\//i.test(shown.content_type) || size_bytes === 0) {
      const bytes = await whole({ size_bytes, bytes: read() });
      boundary.update(attachmentPart({ ...shown, bytes }).content);
      framed.push({ ...shown, bytes });
      continue;
    }
    for await (const piece of read()) boundary.update(piece);
    const mark = randomBytes(MARK_BYTES);
    framed.push({ ...shown, bytes: mark });
    files.push({ mark: mark.toString("base64"), file });
  }
  const composed = await compose({ ...words, attachments: framed, boundary: boundary.digest("hex") });
  const frame = Buffer.from(composed.buffer, composed.byteOffset, composed.byteLength);
  const places = files
    .map(({ mark, file }) => ({ file, at: frame.indexOf(mark), end: frame.indexOf(mark) + mark.length }))
    .sort((one, other) => one.at - other.at);
  const added = places.reduce((sum, { file, at, end }) => sum + base64Bytes(file.size_bytes) - (end - at), 0);
  return { size_bytes: frame.length + added, bytes: written(frame, places) };
}

async function* written(
  frame: Buffer,
  places: readonly { file: FileToCompose; at: number; end: number }[],
): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const { file, at, end } of places) {
    yield frame.subarray(from, at);
    yield* encoded(file.read());
    from = end;
  }
  yield frame.subarray(from);
}

/** Bytes in lines of Base64. */
async function* encoded(bytes: Pieces): AsyncGenerator<Uint8Array> {
  const { Encoder } = await loadBase64();
  const encoder = new Encoder();
  // Whoever reads the encoder gets the error.
  pipeline(Readable.from(bytes), encoder, () => undefined);
  yield* encoder as AsyncIterable<Buffer>;
}

/** All bytes of what is read piece by piece, without having them twice. */
export async function whole({
  size_bytes,
  bytes,
}: {
  size_bytes: number;
  bytes: Pieces;
}): Promise<Uint8Array> {
  const all = Buffer.allocUnsafeSlow(size_bytes);
  let at = 0;
  for await (const piece of bytes) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.subarray(0, at);
}
