import { type Clock, limits, type StreamItem } from "@letterslot/core";

/** Where a stream is written to. */
export interface Sink {
  /** Resolves when there is room for more; rejects when the reader is gone. */
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/**
 * Writes what an operation streams as text/event-stream (decisions, section 9), with a comment every 10
 * seconds so that both sides know the connection is alive, and a last `event: end` with the cursor to go on
 * from. Items are asked for only as fast as the reader takes them. Never rejects: `failed` hears what went
 * wrong before the reader was gone.
 */
export async function writeEvents(
  clock: Clock,
  items: AsyncIterable<StreamItem>,
  sink: Sink,
  { gone, failed }: { gone: AbortSignal; failed: (error: unknown) => void },
): Promise<void> {
  let cancelComment = () => {};
  const comment = () => {
    sink.write(": still here\n\n").catch(() => {});
    cancelComment = clock.after(limits.stream_comment_ms, comment);
  };
  cancelComment = clock.after(limits.stream_comment_ms, comment);
  let cursor: string | null = null;
  try {
    for await (const item of items) {
      cursor = item.id;
      await sink.write(item.event === "open" ? opening(cursor) : frame(item));
    }
  } catch (error) {
    if (!gone.aborted) failed(error);
  }
  cancelComment();
  await sink
    .write(frame({ id: cursor, event: "end", data: { cursor, reason: "timeout" } }))
    .then(() => sink.end())
    .catch(() => {});
}

/**
 * Tells where the stream begins: an id without data sets a reader's Last-Event-ID and is no event (HTML
 * standard, section 9.2.6).
 */
const opening = (cursor: string): string => `: open\nid: ${cursor}\n\n`;

/** One item on the wire; JSON holds no line break, so nothing in the data can end it. */
function frame({ id, event, data }: { id: string | null; event: string; data: unknown }): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
