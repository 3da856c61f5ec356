import { type Clock, limits, type StreamItem } from "@letterslot/core";

/**
 * Writes what an operation streams as text/event-stream (decisions, section 9), with a comment every 10 seconds so that both sides
 * know the connection is alive. Items are asked for only as fast as the caller takes them. `failed` hears what ended a stream
 * early; `over` is called once when it is over, whoever ended it.
 */
export function eventStream(
  clock: Clock,
  items: AsyncIterator<StreamItem>,
  { failed, over }: { failed: (error: unknown) => void; over: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cancelComment = () => {};
  let ended = false;
  const end = () => {
    ended = true;
    cancelComment();
    over();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = (text: string) => {
        controller.enqueue(encoder.encode(`: ${text}\n\n`));
        cancelComment = clock.after(limits.stream_comment_ms, () => comment("still here"));
      };
      comment("open");
    },
    async pull(controller) {
      const next = await items.next().catch(failed);
      if (ended) return;
      if (next === undefined || next.done) {
        end();
        return controller.close();
      }
      controller.enqueue(encoder.encode(frame(next.value)));
    },
    cancel: end,
  });
}

/** One item on the wire; JSON holds no line break, so nothing in the data can end it. */
function frame({ id, event, data }: StreamItem): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
