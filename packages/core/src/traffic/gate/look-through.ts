import { createHash } from "node:crypto";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { createTurns, inPieces } from "../../kernel/yield-to-event-loop.ts";
import { findOwnWords } from "../../mail/find-own-words.ts";
import type { OwnWords } from "../../mail/own-words.ts";
import type { Leaving, Sender } from "./leaving.ts";

/** Bytes of a file in the call that are hashed in one turn of the event loop. */
const PIECE_BYTES = 512 * 1024;

/** What is in something that leaves, once it was looked through: our words, and the hashes of its uploads. */
export type LookedThrough = OwnWords & {
  hashes: string[];
  /** The bytes of its stored files, by their hash: of those that are too large to be opened, the beginning. */
  files: Map<string, Uint8Array>;
};

/** Looks through everything that readers would get. */
export async function lookThrough(
  services: Pick<Services, "blobs" | "contentWorker" | "yieldToEventLoop"> & Pick<Sender, "inbox">,
  leaving: Leaving,
): Promise<LookedThrough> {
  const { subject = "", text, html, headers = {}, names = {}, uploads = [], stored = [] } = leaving;
  const { inbox, contentWorker } = services;
  const texts = [
    ...[inbox.display_name ?? "", subject, text ?? "", html ?? ""],
    ...[...Object.entries(headers), ...Object.entries(names)].flat(),
    ...[...leaving.to, ...leaving.cc, ...leaving.bcc, leaving.reply_to ?? "", leaving.in_reply_to ?? ""],
    ...[...uploads, ...stored].flatMap(({ filename, content_id }) => [filename, content_id ?? ""]),
  ];
  const hashes: string[] = [];
  const files = new Map<string, Uint8Array>();
  const sizes = new Map(stored.map(({ hash, size_bytes }) => [hash, size_bytes]));
  const inTurn = createTurns(services.yieldToEventLoop, PIECE_BYTES);
  const words = await findOwnWords(contentWorker, texts, [
    ...uploads.map(({ bytes }) => hashed(inPieces(bytes, PIECE_BYTES, inTurn), hashes)),
    ...[...sizes].map(([hash, size_bytes]) => read(services, { hash, size_bytes }, files)),
  ]);
  return { ...words, hashes, files };
}

/** The bytes of a file in the call, in pieces; notes its hash. */
async function* hashed(pieces: AsyncIterable<Uint8Array>, hashes: string[]): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  hashes.push(hash.digest("hex"));
}

/** The bytes of a stored file; notes them, or as many as are needed. */
async function* read(
  { blobs }: Pick<Services, "blobs">,
  { hash, size_bytes }: { hash: string; size_bytes: number },
  files: Map<string, Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (size_bytes <= LIMITS.attachment_text_input_bytes) {
    const bytes = await blobs.get(hash);
    if (bytes === undefined) return;
    files.set(hash, bytes);
    yield bytes;
    return;
  }
  for await (const piece of (await blobs.getStream(hash))?.bytes ?? []) {
    // A copy: of a buffer, `slice` is a view, which keeps all of the piece.
    if (!files.has(hash)) files.set(hash, Uint8Array.from(piece.subarray(0, BEGINNING_BYTES)));
    yield piece;
  }
}

/** Enough to tell an archive. */
const BEGINNING_BYTES = 64;
