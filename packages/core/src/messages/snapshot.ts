import type { z } from "zod";
import type { MessageRecord, MessageSummary } from "../model/messages.ts";
import type { Safety } from "../model/screening.ts";
import { type LinkOptions, showInEvent } from "./show.ts";

/** What an event keeps of its message: all that may change after it. The rest stands in the message. */
export type MessageSnapshot = Pick<
  MessageRecord,
  "thread_id" | "labels" | "status" | "provider" | "delivery_events"
> & {
  feedback: Safety["feedback"] | null;
};

/** What of a message is as it is at this moment. */
export const snapshotOf = ({
  thread_id,
  labels,
  status,
  provider,
  delivery_events,
  safety,
}: MessageRecord): MessageSnapshot => ({
  thread_id,
  labels,
  status,
  provider,
  delivery_events,
  feedback: safety?.feedback ?? null,
});

/** A message as events carry it, as it was at that moment. */
export function showSnapshot(
  { feedback, ...moment }: MessageSnapshot,
  message: MessageRecord,
  options: LinkOptions,
): z.output<typeof MessageSummary> {
  return showInEvent(
    { ...message, ...moment, safety: message.safety && judged(message.safety, feedback) },
    options,
  );
}

/**
 * What an event says of a message that was deleted since: its ids and what became of it, and none of its
 * words.
 */
export function showDeleted(
  moment: MessageSnapshot,
  { id, inbox_id }: { id: string; inbox_id: string | null },
) {
  const { feedback: _feedback, ...kept } = moment;
  const withheld = { from: null, subject: null, extracted_text: null, preview: null };
  return { object: "message", id, inbox_id, ...kept, ...withheld, deleted: true };
}

function judged(safety: Safety, feedback: MessageSnapshot["feedback"]): Safety {
  const { feedback: _later, ...before } = safety;
  return feedback === null ? before : { ...before, feedback };
}
