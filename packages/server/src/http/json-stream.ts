import { isLongJson, jsonTexts } from "@letterslot/core/internal";

/** Answers with more characters are written over several turns of the event loop. */
const MAX_CHARS_AT_ONCE = 256 * 1024;
/** Characters in a piece, at least, but for the last. */
const PIECE_CHARS = 128 * 1024;

/** Whether a JSON value is too long to be encoded in one turn of the event loop. */
export const isLong = (body: object): boolean => isLongJson(body, MAX_CHARS_AT_ONCE);

/**
 * Encodes a long JSON value (RFC 8259, UTF-8) as it is read, a piece in each turn of the event loop: others have
 * their turns between, and only as much is in memory as the reader takes.
 */
export function jsonStream(body: object): ReadableStream<Uint8Array> {
  const texts = jsonTexts(body);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        const piece = nextPiece(texts);
        if (piece === "") controller.close();
        else controller.enqueue(Buffer.from(piece));
      },
    },
    { highWaterMark: 0 },
  );
}

/** The next texts together; empty at the end. */
function nextPiece(texts: Iterator<string, undefined>): string {
  let piece = "";
  while (piece.length < PIECE_CHARS) {
    const { done, value } = texts.next();
    if (done === true) break;
    piece += value;
  }
  return piece;
}
