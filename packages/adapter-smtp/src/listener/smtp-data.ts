import { setImmediate } from "node:timers/promises";
import { freeBytes } from "@letterslot/node-kit";
import type { SMTPServerDataStream } from "smtp-server";

/** A whole message, and the call that frees its share of the buffer, and its bytes if it is large. */
export interface BufferedMessage {
  raw: Uint8Array;
  release: () => void;
}

/** Counts the bytes of the messages that are not yet released, in all and of one network. */
export interface BufferCount {
  /** Whether a message that has so many bytes may have so many more. */
  fits(bytes: number, message_bytes: number): boolean;
  /** A negative number releases bytes. */
  add(bytes: number): void;
}

/** The last eighth of the buffer is for messages of up to a megabyte. */
const KEPT_SHARE = 1 / 8;
const SMALL_MESSAGE_BYTES = 1024 * 1024;

/**
 * Counts buffered bytes up to `max_bytes` in all and `max_bytes_per_network`; returns the counter of a network.
 * Null, for local clients, counts only towards all. Large messages leave room for small ones.
 */
export function countBuffered(
  max_bytes: number,
  max_bytes_per_network: number,
): (network: string | null) => BufferCount {
  let all = 0;
  const by_network = new Map<string, number>();
  return (network) => {
    const own = () => (network === null ? 0 : (by_network.get(network) ?? 0));
    return {
      fits(bytes, message_bytes) {
        const is_small = message_bytes + bytes <= SMALL_MESSAGE_BYTES;
        const room = is_small ? max_bytes : max_bytes * (1 - KEPT_SHARE);
        return all + bytes <= room && own() + bytes <= max_bytes_per_network;
      },
      add(bytes) {
        all += bytes;
        if (network === null) return;
        const sum = own() + bytes;
        if (sum > 0) by_network.set(network, sum);
        else by_network.delete(network);
      },
    };
  };
}

/** Bytes that are copied in one turn of the event loop. */
const JOINED_AT_ONCE_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);
/**
 * Chunks below this size are copied together: each would otherwise take more memory than it has bytes. Not the first one,
 * since most mails have no other.
 */
const SMALL_CHUNK_BYTES = 4_096;
const BLOCK_BYTES = 65_536;
/**
 * Beyond this size, chunks are copied into large blocks, which the system gets back one by one as they are joined; those
 * of a socket would lie about in the heap.
 */
const LARGE_MESSAGE_BYTES = 1024 * 1024;
const LARGE_BLOCK_BYTES = 1024 * 1024;

/** Collects chunks with bounded overhead, however small they are. */
function createChunkList() {
  let chunks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let length = 0;
  const closeBlock = () => {
    if (used > 0) chunks.push(block.subarray(0, used));
    block = block.subarray(used);
    used = 0;
  };
  return {
    push(chunk: Buffer) {
      const is_large = length > LARGE_MESSAGE_BYTES;
      length += chunk.length;
      if (!is_large && (chunk.length >= SMALL_CHUNK_BYTES || (chunks.length === 0 && used === 0))) {
        closeBlock();
        chunks.push(chunk);
        return;
      }
      for (let at = 0; at < chunk.length; ) {
        if (used === block.length) {
          closeBlock();
          block = Buffer.allocUnsafeSlow(is_large ? LARGE_BLOCK_BYTES : BLOCK_BYTES);
        }
        const copied = chunk.copy(block, used, at);
        used += copied;
        at += copied;
      }
      if (is_large) freeBytes(chunk);
    },
    /** All chunks as one, copied in slices: the event loop is never held for long. */
    async join() {
      closeBlock();
      const whole = Buffer.allocUnsafeSlow(length);
      let at = 0;
      let copied = 0;
      for (const [index, chunk] of chunks.entries()) {
        at += chunk.copy(whole, at);
        freeBytes(chunk);
        chunks[index] = NOTHING;
        copied += chunk.length;
        if (copied < JOINED_AT_ONCE_BYTES) continue;
        copied = 0;
        await setImmediate();
      }
      return whole;
    },
    clear() {
      chunks = [];
      block = NOTHING;
      used = 0;
      length = 0;
    },
  };
}

/**
 * Reads a message to its end. If it is too large, or does not fit the buffer, the rest is read and discarded,
 * since SMTP allows a reply only after the last line.
 */
export async function readMessage(
  stream: SMTPServerDataStream,
  buffered: BufferCount,
): Promise<BufferedMessage | "too_large" | "buffer_full"> {
  const chunks = createChunkList();
  let held = 0;
  let buffer_full = false;
  const release = () => {
    buffered.add(-held);
    held = 0;
    chunks.clear();
  };
  const take = (chunk: Buffer) => {
    buffer_full ||= !buffered.fits(chunk.length, held);
    if (buffer_full || stream.sizeExceeded) return release();
    chunks.push(chunk);
    held += chunk.length;
    buffered.add(chunk.length);
  };
  try {
    await readToEnd(stream, take);
  } catch (error) {
    release();
    throw error;
  }
  if (stream.sizeExceeded) {
    release();
    return "too_large";
  }
  if (buffer_full) return "buffer_full";
  const raw = await chunks.join();
  chunks.clear();
  return {
    raw,
    release() {
      release();
      if (raw.length > LARGE_MESSAGE_BYTES) freeBytes(raw);
    },
  };
}

/**
 * Gives each chunk of a stream to `take`. Rejects when either fails, or the stream is closed before its end; after a failure
 * of `take` the rest is discarded. Iterating over it would cost a small mail more than all else that is done with its bytes.
 */
function readToEnd(stream: SMTPServerDataStream, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const takeNext = (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        stream.off("data", takeNext).resume();
        reject(error);
      }
    };
    stream.on("data", takeNext);
    stream.on("end", resolve);
    stream.on("error", reject);
    stream.on("close", () => reject(new Error("the connection was closed before the end of the mail")));
  });
}
