/** One server-sent event (HTML standard, section 9.2). */
export interface ServerSentEvent {
  id: string | undefined;
  event: string;
  /** Null if only an id was sent, which is a position to resume from rather than an event. */
  data: string | null;
}

/** Parses a text/event-stream body. Calls `onBytes` whenever anything arrives, comments included. */
export async function* parseServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).replace(/\r\n/g, "\n").split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseEvent(block: string): ServerSentEvent | undefined {
  const event: ServerSentEvent = { id: undefined, event: "message", data: null };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") event.id = value;
    if (field === "event") event.event = value;
    if (field === "data") data.push(value);
  }
  if (data.length > 0) return { ...event, data: data.join("\n") };
  return event.id === undefined ? undefined : event;
}
