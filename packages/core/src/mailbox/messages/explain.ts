import { z } from "zod";
import type { EventRecord } from "../../model/feed.ts";
import { Timestamp } from "../../model/fields.ts";
import type { Decisions, MessageAuth } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { DeliveryRecord } from "../../model/webhooks.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** One step in the history of a message. */
const Step = z.object({
  step: z
    .enum([
      "received",
      "lists",
      "sender_authentication",
      "screening",
      "owner_word",
      "rules",
      "forwarding",
      "task",
      "released",
      "gate",
      "queued",
      "delivery",
      "event",
      "webhook",
    ])
    .describe("Which stage of its way it is about."),
  outcome: z.string().describe("What came of it, in a word."),
  details: z.array(z.string()).describe("Why, in sentences; nothing of the mail is quoted."),
  subject_id: z
    .string()
    .nullable()
    .default(null)
    .describe("The task, event or webhook delivery that the step created; null if none."),
  created_at: Timestamp.describe("When it happened (ISO 8601, UTC)."),
});
type Step = z.input<typeof Step>;

/** The timeline of a message, oldest first: decisions with their reasons, events and webhook deliveries. */
export const Explanation = z.object({
  object: z.literal("message_explanation").default("message_explanation"),
  message_id: z.string().describe("The message's id."),
  inbox_id: z.string().describe("The inbox that it is in."),
  data: z.array(Step).describe("The steps, oldest first."),
});
export type Explanation = z.infer<typeof Explanation>;

const MAX_RECORDS_READ = 1_000;

/**
 * Builds the timeline from the decisions stored with the message, its events (kept 30 days) and their webhook
 * deliveries (kept 7 days). It contains nothing of the mail's content.
 */
export async function explain(
  storage: StorageReader,
  message: MessageRecord,
): Promise<z.input<typeof Explanation>> {
  const { created_at } = message;
  const body = await storage.get("message_bodies", message.id);
  const made =
    message.direction === "inbound" ? inboundSteps(message, body?.decisions ?? null) : outboundSteps(message);
  const delivered = message.delivery_events.map(({ type, recipient, detail, created_at: at }) => ({
    step: "delivery" as const,
    outcome: type,
    details: [recipient, detail].filter((word) => word !== ""),
    created_at: at,
  }));
  const times = [...new Set([...made, ...delivered].map(({ created_at: at }) => at).concat(created_at))];
  const events = await eventsOf(storage, message, times);
  const steps: Step[] = [
    ...made,
    ...delivered,
    ...events.map(eventStep),
    ...(await deliveriesOf(storage, events)).map(webhookStep),
  ];
  const data = steps.toSorted((a, b) =>
    a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at),
  );
  return { message_id: message.id, inbox_id: message.inbox_id, data };
}

/** A message's events were written in the same transactions as its steps, so they have the same times. */
async function eventsOf(
  storage: StorageReader,
  message: MessageRecord,
  times: string[],
): Promise<EventRecord[]> {
  const found = await storage.find("events", {
    where: { created_at: { in: times } },
    limit: MAX_RECORDS_READ,
  });
  return found
    .filter((event) => event.inbox_id === message.inbox_id && concernsMessage(event, message.id))
    .toSorted((a, b) => a.sequence - b.sequence);
}

async function deliveriesOf(
  storage: StorageReader,
  events: readonly EventRecord[],
): Promise<DeliveryRecord[]> {
  if (events.length === 0) return [];
  const ids = new Set(events.map(({ id }) => id));
  const times = [...new Set(events.map(({ created_at }) => created_at))];
  const found = await storage.find("deliveries", {
    where: { created_at: { in: times } },
    limit: MAX_RECORDS_READ,
  });
  return found.filter(({ event_id }) => ids.has(event_id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function concernsMessage(event: EventRecord, message_id: string): boolean {
  return event.message_id === message_id || event.data["message_id"] === message_id;
}

function inboundSteps(
  { authenticated, auth, safety, created_at }: MessageRecord,
  decisions: Decisions | null,
): Step[] {
  if (decisions === null) return [];
  if (decisions.origin === "console") return consoleSteps(decisions, created_at);
  const automatic = decisions.automatic.strong ?? decisions.automatic.weak;
  const { released_at = null } = decisions;
  const task: Step = {
    step: "task",
    outcome: decisions.task.made ? "made" : "not_made",
    details: [decisions.task.reason],
    subject_id: decisions.task.task_id,
    created_at: released_at ?? created_at,
  };
  return [
    {
      step: "received",
      outcome: decisions.origin,
      details: automatic === null ? [] : [`Automatic mail: ${automatic}.`],
      created_at,
    },
    { step: "lists", outcome: "passed", details: ["No list blocked the sender."], created_at },
    {
      step: "sender_authentication",
      outcome: authenticationOutcome(authenticated, auth, decisions),
      details: [...(auth === null ? [] : [describeAuth(auth)]), ...decisions.authentication],
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
    ...(decisions.word === undefined
      ? []
      : [
          {
            step: "owner_word" as const,
            outcome: decisions.word.missing === null ? "counts" : "does_not_count",
            details: decisions.word.missing === null ? [] : [decisions.word.missing],
            created_at,
          },
        ]),
    ...(decisions.rules ?? []).map(({ rule_id, name, actions, skipped }) => ({
      step: "rules" as const,
      outcome: "matched",
      details: [
        `The rule ${JSON.stringify(name)} matched.`,
        ...(actions.length === 0 ? [] : [`Done: ${actions.join(", ")}.`]),
        ...skipped.map(({ action, reason }) => `Not done: ${action} (${reason}).`),
      ],
      subject_id: rule_id,
      created_at,
    })),
    ...(decisions.forwarded_to ?? []).map(({ forwarding_id, outcome, reason, message_id }) => ({
      step: "forwarding" as const,
      outcome,
      details: [reason === null ? `Forwarded as ${message_id ?? ""}.` : `Not forwarded: ${reason}.`],
      subject_id: forwarding_id,
      created_at: released_at ?? created_at,
    })),
    ...(released_at === null
      ? []
      : [{ step: "released" as const, outcome: "released", details: [], created_at: released_at }]),
    task,
  ];
}

/** A message of a person who was signed in: no list, screening or rule acts on it. */
const consoleSteps = ({ authentication, task }: Decisions, created_at: string): Step[] => [
  { step: "received", outcome: "console", details: [], created_at },
  { step: "sender_authentication", outcome: "signed_in", details: authentication, created_at },
  { step: "owner_word", outcome: "counts", details: [], created_at },
  {
    ...{ step: "task", outcome: task.made ? "made" : "not_made", details: [task.reason] },
    ...{ subject_id: task.task_id, created_at },
  },
];

function describeAuth({ spf, dkim, dmarc, arc, smime, imported }: MessageAuth): string {
  const signed = smime === undefined ? "" : " It is signed with S/MIME, which isn't checked.";
  const results = `SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}${arc === undefined ? "" : `, ARC ${arc}`}.${signed}`;
  return imported === true
    ? `The mail was imported: nothing of this was checked here, and it counts for nothing. ${results}`
    : results;
}

const outboundSteps = ({ status, created_at, outbound_findings }: MessageRecord): Step[] => [
  { step: "lists", outcome: "passed", details: ["No list or suppression blocked a recipient."], created_at },
  ...(outbound_findings === null
    ? []
    : [
        {
          step: "gate" as const,
          outcome: outbound_findings.length === 0 ? "nothing_found" : "found",
          details: outbound_findings.map(({ code, detail }) => `${code}: ${detail}.`),
          created_at,
        },
      ]),
  { step: "queued", outcome: status, details: [], created_at },
];

const eventStep = ({ id, type, sequence, created_at }: EventRecord): Step => ({
  step: "event",
  outcome: type,
  details: [`Sequence ${sequence}.`],
  subject_id: id,
  created_at,
});

function webhookStep(delivery: DeliveryRecord): Step {
  const {
    id,
    webhook_id,
    event_type,
    status,
    attempts,
    last_status_code,
    last_error,
    created_at,
    last_attempt_at,
  } = delivery;
  const answer = last_status_code === null ? last_error : `answered ${last_status_code}`;
  const details = [
    `${event_type} to ${webhook_id}.`,
    `Attempts: ${attempts}.`,
    ...(answer === null ? [] : [`The last one: ${answer}.`]),
  ];
  return {
    step: "webhook",
    outcome: status,
    details,
    subject_id: id,
    created_at: last_attempt_at ?? created_at,
  };
}

function authenticationOutcome(
  authenticated: boolean,
  auth: MessageAuth | null,
  { forwarded_by }: Decisions,
): string {
  if (authenticated) return "passed";
  return forwarded_by === undefined || auth?.imported === true ? "not_passed" : "vouched_for";
}
