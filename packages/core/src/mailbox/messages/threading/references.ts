import { isProviderId, providerReference, referencesNamedBy } from "../../../kernel/inbox/references.ts";
import { localPartOfId, messageIdKey } from "../../../model/message-id.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { phoneReference } from "./phone-reference.ts";

/** The ids by which relays know a message, from what they said when they took it. */
function providerIdsOf({
  message_id,
  delivery_events,
}: Pick<MessageRecord, "message_id" | "delivery_events">): string[] {
  const own = localPartOfId(message_id ?? "");
  const ids = delivery_events.flatMap(({ provider_id = "" }) => provider_id);
  return [...new Set(ids)].filter((id) => isProviderId(id) && id !== own);
}

/** Returns the references by which later messages of the thread find this one; none when nothing can refer to it. */
export function referencesOf(
  message: Pick<MessageRecord, "channel" | "direction" | "from" | "to" | "message_id" | "delivery_events">,
): string[] {
  const { channel, direction, from, to, message_id } = message;
  if (channel === "email" || channel === "console") {
    const renamed = providerIdsOf(message).map(providerReference);
    return message_id === null ? renamed : [messageIdKey(message_id), ...renamed];
  }
  const other = to[0] ?? "";
  return [direction === "outbound" ? phoneReference(from, other) : phoneReference(other, from)];
}

/** Whether a Message-ID in another mail refers to this message. */
export function isReferredTo(message: Parameters<typeof referencesOf>[0], message_id: string): boolean {
  const own = referencesOf(message);
  return referencesNamedBy(message_id).some((reference) => own.includes(reference));
}
