import type { SMTPServerDataStream } from "smtp-server";

/** The whole of a mail, and what gives its room back. */
export interface CollectedMail {
  raw: Uint8Array;
  release: () => void;
}

/**
 * Reads a mail to its end. Over its size, or when all mails together have no room, the rest is read and
 * thrown away, since the client can only be answered after its last line. `buffered` counts the bytes of all
 * mails that were not released.
 */
export async function collect(
  stream: SMTPServerDataStream,
  buffered: { bytes: number },
  max_buffered_bytes: number,
): Promise<CollectedMail | "too_large" | "no_room"> {
  let chunks: Buffer[] = [];
  let held = 0;
  let no_room = false;
  const release = () => {
    buffered.bytes -= held;
    held = 0;
    chunks = [];
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      no_room ||= buffered.bytes + chunk.length > max_buffered_bytes;
      if (no_room || stream.sizeExceeded) {
        release();
        continue;
      }
      chunks.push(chunk);
      held += chunk.length;
      buffered.bytes += chunk.length;
    }
  } catch (error) {
    release();
    throw error;
  }
  if (stream.sizeExceeded) {
    release();
    return "too_large";
  }
  return no_room ? "no_room" : { raw: Buffer.concat(chunks), release };
}
