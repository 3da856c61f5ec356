import type { z } from "zod";
import type { DeletedMessage, MessageSnapshot } from "../../model/events.ts";
import type { MessageRecord, MessageSummary } from "../../model/messages.ts";
import type { Safety } from "../../model/screening.ts";
import { type LinkOptions, showInEvent } from "./show.ts";

/** Takes a snapshot of a message's mutable fields. */
export const snapshotOf = ({
  thread_id,
  labels,
  status,
  provider,
  delivery_events,
  safety,
  phone,
}: MessageRecord): MessageSnapshot => ({
  thread_id,
  labels,
  status,
  provider,
  delivery_events,
  feedback: safety?.feedback ?? null,
  ...(phone === null ? {} : { duration_seconds: phone.duration_seconds }),
});

/** A message as events carry it, as it was when the snapshot was taken. */
export function showSnapshot(
  { feedback, duration_seconds = null, ...snapshot }: MessageSnapshot,
  message: MessageRecord,
  options: LinkOptions,
): z.output<typeof MessageSummary> {
  return showInEvent(
    {
      ...{ ...message, ...snapshot },
      safety: message.safety && withFeedback(message.safety, feedback),
      phone: message.phone && { ...message.phone, duration_seconds },
    },
    options,
  );
}

/** A message that was deleted since the event, as events carry it: its ids and status, without content. */
export function showDeleted(
  snapshot: MessageSnapshot,
  { id, inbox_id }: Pick<DeletedMessage, "id" | "inbox_id">,
): DeletedMessage {
  const { feedback: _feedback, ...kept } = snapshot;
  const withheld = { from: null, subject: null, extracted_text: null, preview: null };
  return { object: "message", id, inbox_id, ...kept, ...withheld, deleted: true };
}

function withFeedback(safety: Safety, feedback: MessageSnapshot["feedback"]): Safety {
  const { feedback: _later, ...before } = safety;
  return feedback === null ? before : { ...before, feedback };
}
