import type { EventType } from "@letterslot/core";
import { Event } from "@letterslot/core/internal";
import { PEOPLE, sampleOfSchema } from "./samples.ts";
import { plainSchema, type Schema } from "./schemas.ts";

const { AGENT, OWNER, TIME } = PEOPLE;

const OUTBOUND = {
  direction: "outbound",
  from: AGENT,
  from_name: null,
  to: [OWNER],
  labels: ["sent"],
  safety: null,
};

/** Values that depend on the type of the event. */
const VALUES_OF_TYPE: Partial<Record<EventType, Record<string, unknown>>> = {
  "message.held": {
    labels: ["received", "unread", "suspicious", "held"],
    extracted_text: null,
    preview: null,
  },
  "message.sent": { ...OUTBOUND, status: "sent" },
  "message.delivered": { ...OUTBOUND, status: "sent" },
  "message.failed": { ...OUTBOUND, status: "failed", reason: "550 5.1.1 No such user." },
  "message.blocked": { direction: "receive" },
  "message.bounced": { bounce_type: "hard" },
  "message.complained": { bounce_type: "abuse" },
  "task.received": { status: "pending", claim: null, answer: null, attempts: 0 },
  "task.updated": { status: "done", claim: null, answer: null, result: "Ordered." },
  "draft.created": { send_status: "draft" },
  "approval.requested": { status: "pending", decided_at: null, decided_by: null },
  "approval.decided": { status: "approved" },
  "inbox.security_changed": { screening: "off", previous: { screening: "hold" } },
  "owner.verified": { status: "verified" },
  "webhook.disabled": { consecutive_failures: 20, disabled_reason: "consecutive_failures" },
  "owner.unsubscribed": { status: "verified", unsubscribed_at: TIME },
};

let variants: Schema[] | undefined;

/** A sample of one type of event, generated from its schema. */
export function eventSample(type: EventType): Record<string, unknown> {
  variants ??= plainSchema(Event, "output").oneOf ?? [];
  const schema = variants.find(({ properties }) => properties?.["type"]?.const === type);
  if (schema === undefined) throw new Error(`no schema for ${type}`);
  return sampleOfSchema(schema, VALUES_OF_TYPE[type]) as Record<string, unknown>;
}
