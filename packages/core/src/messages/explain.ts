import { z } from "zod";
import { Timestamp } from "../schema.ts";
import type { MessageRecord } from "./schema.ts";

/** One step in what became of a message. */
const Step = z.object({
  step: z.enum(["received", "sender_authentication", "screening", "task", "queued", "delivery"]),
  outcome: z.string(),
  details: z.array(z.string()),
  created_at: Timestamp,
});

/** The timeline of a message: what was decided about it and why, oldest first. */
export const Explanation = z.object({
  object: z.literal("message_explanation").default("message_explanation"),
  message_id: z.string(),
  inbox_id: z.string(),
  data: z.array(Step),
});

/** Reads the timeline from the decisions that were stored with the message. It says nothing of what the mail says. */
export function explain(message: MessageRecord): z.input<typeof Explanation> {
  const { created_at } = message;
  const steps =
    message.direction === "inbound"
      ? inboundSteps(message)
      : [{ step: "queued" as const, outcome: message.status, details: [], created_at }];
  const deliveries = message.delivery_events.map(({ type, recipient, detail, created_at: at }) => ({
    step: "delivery" as const,
    outcome: type,
    details: [recipient, detail].filter((word) => word !== ""),
    created_at: at,
  }));
  return { message_id: message.id, inbox_id: message.inbox_id, data: [...steps, ...deliveries] };
}

function inboundSteps({ decisions, auth, safety, created_at }: MessageRecord): z.input<typeof Step>[] {
  if (decisions === null) return [];
  const automatic = decisions.automatic.strong ?? decisions.automatic.weak;
  return [
    {
      step: "received",
      outcome: decisions.origin,
      details: automatic === null ? [] : [`Automatic mail: ${automatic}.`],
      created_at,
    },
    {
      step: "sender_authentication",
      outcome: decisions.authenticated ? "passed" : "not_passed",
      details: [`SPF ${auth?.spf}, DKIM ${auth?.dkim}, DMARC ${auth?.dmarc}.`, ...decisions.authentication],
      created_at,
    },
    {
      step: "screening",
      outcome: safety?.reason ?? safety?.verdict ?? "none",
      details: [
        `Score ${safety?.score ?? 0} in mode ${safety?.mode ?? "off"}.`,
        ...(safety?.signals ?? []).map(({ detail }) => detail),
      ],
      created_at,
    },
    { step: "task", outcome: decisions.task.made ? "made" : "not_made", details: [decisions.task.reason], created_at },
  ];
}
