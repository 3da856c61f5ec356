import type { EventType } from "@letterslot/core";
import { eventCatalogue } from "@letterslot/core/internal";
import { eventSample } from "./event-samples.ts";
import type { Components } from "./schemas.ts";

type Json = Record<string, unknown>;

const HEADERS: Record<string, string> = {
  "x-svc-event": "The type of the event.",
  "x-svc-delivery": "The id of the delivery; constant over its retries.",
  "x-svc-timestamp": "When it was signed, in Unix seconds.",
  "x-svc-signature": "`sha256=` and the hex HMAC-SHA256 of the raw body.",
  "x-svc-signature-v2": "`v1=` and the hex HMAC-SHA256 of the timestamp, a period and the raw body.",
  "webhook-id": "The id of the event (Standard Webhooks).",
  "webhook-timestamp": "When it was signed, in Unix seconds (Standard Webhooks).",
  "webhook-signature": "The signature of Standard Webhooks.",
};

/** The headers of a webhook request, as components of the OpenAPI document. */
export const WEBHOOK_PARAMETERS: Json = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [
    name,
    { name, in: "header", required: true, description, schema: { type: "string" } },
  ]),
);

/** The `webhooks` section of the OpenAPI document. `schemas` must hold a component for each type of event. */
export function webhooksSection(schemas: Components): Json {
  const entries = Object.entries(eventCatalogue) as [EventType, string][];
  return Object.fromEntries(
    entries.map(([type, summary]) => [type, { post: webhookRequest(type, summary, schemas) }]),
  );
}

function webhookRequest(type: EventType, summary: string, schemas: Components): Json {
  const $ref = `#/components/schemas/${componentOf(type, schemas)}`;
  return {
    operationId: type,
    summary,
    tags: ["webhooks"],
    security: [],
    parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref }, example: eventSample(type) } },
    },
    responses: { "2XX": { description: "Received. Any other status is retried or counts as a failure." } },
  };
}

function componentOf(type: EventType, schemas: Components): string {
  const found = Object.entries(schemas).find(([, { properties }]) => {
    return properties?.["object"]?.const === "event" && properties["type"]?.const === type;
  });
  if (found === undefined) throw new Error(`no component for the event ${type}`);
  return found[0];
}
