import type { SMTPServerDataStream } from "smtp-server";

/** A whole message, and the call that frees its share of the buffer. */
export interface BufferedMessage {
  raw: Uint8Array;
  release: () => void;
}

/**
 * Reads a message to its end. If it is too large, or all messages together exceed `max_buffered_bytes`, the
 * rest is read and discarded, since SMTP allows a reply only after the last line. `buffered` counts the bytes
 * of all messages not yet released.
 */
export async function readMessage(
  stream: SMTPServerDataStream,
  buffered: { bytes: number },
  max_buffered_bytes: number,
): Promise<BufferedMessage | "too_large" | "buffer_full"> {
  let chunks: Buffer[] = [];
  let held = 0;
  let buffer_full = false;
  const release = () => {
    buffered.bytes -= held;
    held = 0;
    chunks = [];
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      buffer_full ||= buffered.bytes + chunk.length > max_buffered_bytes;
      if (buffer_full || stream.sizeExceeded) {
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
  return buffer_full ? "buffer_full" : { raw: Buffer.concat(chunks), release };
}
