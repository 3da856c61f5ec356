/** A stream of which the start was read. */
export interface Started {
  /** All of it, if it has fewer bytes than were asked for. */
  whole: Uint8Array | undefined;
  /** All of it in pieces, from the start; empty where `whole` has them. */
  pieces: AsyncIterable<Uint8Array>;
}

/** Reads a stream until it has this many bytes or ends. A stream that is given up is told so. */
export async function readStart(source: AsyncIterable<Uint8Array>, bytes: number): Promise<Started> {
  const stream = source[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  while (size < bytes) {
    const { done, value } = await stream.next();
    if (done === true) return { whole: Buffer.concat(read), pieces: from([], stream) };
    read.push(value);
    size += value.byteLength;
  }
  return { whole: undefined, pieces: from(read, stream) };
}

async function* from(
  start: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* start;
  yield* { [Symbol.asyncIterator]: () => rest };
}
