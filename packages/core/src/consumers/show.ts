import type { Consumer, ConsumerRecord } from "../model/consumers.ts";

/** A consumer as it is shown. */
export function showConsumer({
  id,
  client_id,
  types,
  inbox_id,
  position,
  created_at,
  committed_at,
}: ConsumerRecord): Consumer {
  return {
    object: "event_consumer",
    id,
    client_id,
    types,
    inbox_id,
    cursor: String(position),
    idempotent: false,
    created_at,
    committed_at,
  };
}
