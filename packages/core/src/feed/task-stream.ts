import { z } from "zod";
import { operation } from "../kernel/operation.ts";
import { EventStream, streamEvents } from "./stream.ts";

/** Following tasks as they come and move. */
export const taskStream = {
  stream: operation({
    summary: "Streams task events for 25 seconds, from now or from Last-Event-ID on.",
    scope: "filtered",
    allow: ["task_read"],
    answers: "stream",
    input: z.object({ last_event_id: z.string().max(100).optional() }),
    output: EventStream,
    run: (ctx, { last_event_id }) =>
      streamEvents(ctx, { types: ["task.received", "task.updated"], cursor: last_event_id }),
  }),
};
