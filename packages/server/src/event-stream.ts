import { type Clock, limits, type StreamItem } from "@letterslot/core";

/**
 * Writes what an operation streams as text/event-stream (decisions, section 9), with a comment every 10 seconds so that both sides
 * know the connection is alive, and a last `event: end` with the cursor to go on from. Items are asked for only as fast as the
 * caller takes them. `failed` hears what ended a stream early; `over` is called once when it is over, whoever ended it.
 */
export function eventStream(
  clock: Clock,
  items: AsyncIterator<StreamItem>,
  { failed, over }: { failed: (error: unknown) => void; over: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cancelComment = () => {};
  let cursor: string | null = null;
  let ended = false;
  const end = () => {
    ended = true;
    cancelComment();
    over();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = () => {
        controller.enqueue(encoder.encode(": still here\n\n"));
        cancelComment = clock.after(limits.stream_comment_ms, comment);
      };
      cancelComment = clock.after(limits.stream_comment_ms, comment);
    },
    async pull(controller) {
      const next = await items.next().catch(failed);
      if (ended) return;
      if (next === undefined || next.done) {
        controller.enqueue(encoder.encode(frame({ id: cursor, event: "end", data: { cursor, reason: "timeout" } })));
        end();
        return controller.close();
      }
      cursor = next.value.id;
      controller.enqueue(encoder.encode(next.value.event === "open" ? opening(cursor) : frame(next.value)));
    },
    cancel: end,
  });
}

/** Tells where the stream begins: an id without data sets a reader's Last-Event-ID and is no event (HTML standard, section 9.2.6). */
const opening = (cursor: string): string => `: open\nid: ${cursor}\n\n`;

/** One item on the wire; JSON holds no line break, so nothing in the data can end it. */
function frame({ id, event, data }: { id: string | null; event: string; data: unknown }): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
