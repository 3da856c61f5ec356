import type { MessageRecord } from "../model/messages.ts";

/** What the texts, calls and voicemails between two numbers are found by. No Message-ID is like it. */
export const phoneReference = (ours: string, theirs: string): string => `tel:${ours},${theirs}`;

/** What a message is found by when another one belongs to its thread; null where nothing can refer to it. */
export function referenceOf({
  channel,
  direction,
  from,
  to,
  message_id,
}: Pick<MessageRecord, "channel" | "direction" | "from" | "to" | "message_id">): string | null {
  if (channel === "email") return message_id;
  const other = to[0] ?? "";
  return direction === "outbound" ? phoneReference(from, other) : phoneReference(other, from);
}
