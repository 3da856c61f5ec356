import { recordAttempt, returnPathOf } from "../bounces/index.ts";
import type { Services } from "../kernel/context.ts";
import { type InboxDomain, inboxDomain } from "../kernel/inbox-domain.ts";
import { endJob, noteOnJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { retryWhileStorageIsDown } from "../kernel/jobs/retry-while-storage-is-down.ts";
import { isSuspended } from "../kernel/suspended.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import type { SealedLetter } from "../messages/index.ts";
import {
  afterAttempt,
  attemptIsUnknown,
  composeMessage,
  type SendProgress,
  snapshotOf,
} from "../messages/index.ts";
import { distinctAddresses } from "../model/address.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { DeliveryEvent, MessageRecord } from "../model/messages.ts";
import type { RecipientResult } from "../ports/transport.ts";
import { completeDraft } from "./drafts/send-draft.ts";
import { sendSlotsOf } from "./send-slots.ts";

const MAX_DETAIL_CHARS = 500;
const NO_SLOT_DELAY_MS = 1000;
/** How often mail of a suspended account is looked at again. */
const SUSPENDED_DELAY_MS = 10 * 60_000;

/**
 * Sends a queued message to its recipients without a final result, and records the result of each. If a
 * worker died after the other side accepted but before we recorded it, the message is sent again with the
 * same Message-ID, and a delivery event says so.
 */
export async function sendMessage(services: Services, job: JobRecord): Promise<void> {
  const message = await services.storage.get("messages", job.subject_id);
  const body = await services.storage.get("message_bodies", job.subject_id);
  const inbox = message === undefined ? undefined : await services.storage.get("inboxes", message.inbox_id);
  if (message === undefined || body === undefined || inbox === undefined)
    return endJob(services.storage, job);

  // A letter of the service itself leaves; what the agent wrote waits.
  const letter = typeof job.payload["sealed"] === "string";
  if (!letter && (await isSuspended(services.storage, message.account_id)))
    return postponeJob(services.storage, job, new Date(services.clock.now().getTime() + SUSPENDED_DELAY_MS));

  const slots = sendSlotsOf(services.transport);
  if (!(await slots.take())) return deferForLackOfSlot(services, job);
  const progress = readProgress(job, message);
  let results: RecipientResult[];
  try {
    const raw = await rawOf(services, job, message, body);
    // A worker that finds `begun` without a result knows that the mail may have been sent.
    await noteOnJob(services.storage, job, { ...job.payload, begun: progress.tried + 1 });
    // Asked just before: whoever else has proven the domain since has its key, which must not sign this.
    const domain = await inboxDomain(services, services.storage, inbox);
    const refused = refusalOf(domain, letter);
    results =
      refused === undefined
        ? await services.transport.send({
            message_id: message.message_id ?? "",
            from: message.from,
            envelope: { mail_from: returnPathOf(message.id, domain.bounces_to), rcpt_to: progress.pending },
            raw,
            letter,
          })
        : progress.pending.map((recipient) => ({ recipient, ...refused }));
  } finally {
    slots.give();
  }
  const repeated = attemptIsUnknown(progress);
  const now = services.clock.now();
  const next = afterAttempt(progress, results);

  const write = async (work: Work) => {
    const current = await work.get("messages", message.id);
    if (current === undefined) return endJob(work, job);
    const happened: DeliveryEvent[] = [
      ...(repeated ? [possiblyRepeated(now)] : []),
      ...results.map((result) => deliveryEvent(result, next.gave_up, now)),
    ];
    const wasSent = current.status === "sent";
    const status = next.accepted || wasSent ? "sent" : next.pending.length === 0 ? "failed" : "queued";
    const [updated] = await work.update(
      "messages",
      { id: message.id },
      {
        status,
        provider: services.transport.name,
        delivery_events: [...current.delivery_events, ...happened],
      },
    );
    await recordAttempt(services, work, message, results, now);
    const { inbox_id, id: message_id } = message;
    if (updated !== undefined && status === "sent" && !wasSent) {
      work.publish({ type: "message.sent", inbox_id, message_id, data: { message: snapshotOf(updated) } });
    }
    if (updated !== undefined && status === "failed") {
      const reason = results.at(-1)?.detail ?? "";
      work.publish({
        type: "message.failed",
        inbox_id,
        message_id,
        data: { message: snapshotOf(updated), reason },
      });
    }
    if (status !== "queued")
      await completeDraft(work, job.payload["draft_id"], status, results.at(-1)?.detail ?? "", now);
    if (next.pending.length === 0) return endJob(work, job);
    const due = new Date(now.getTime() + next.wait_ms);
    await postponeJob(work, job, due, {
      ...job.payload,
      pending: next.pending,
      tried: progress.tried + 1,
      begun: progress.tried + 1,
    });
  };
  await retryWhileStorageIsDown(services, () => unitOfWork(services, message.account_id, now, write));
}

/** Why the domain of an inbox lets no mail out; undefined when it does. */
function refusalOf(
  { held, sends }: InboxDomain,
  letter: boolean,
): Omit<RecipientResult, "recipient"> | undefined {
  if (!held)
    return {
      outcome: "permanent_failure",
      detail: "550 5.7.1 the inbox's domain isn't the account's any more",
    };
  if (!sends && !letter)
    return { outcome: "temporary_failure", detail: "451 4.7.1 the inbox's domain can't send mail now" };
  return undefined;
}

/** Postpones a mail for which no slot was free; this doesn't count as an attempt. */
async function deferForLackOfSlot(services: Services, job: JobRecord): Promise<void> {
  const until = new Date(services.clock.now().getTime() + NO_SLOT_DELAY_MS);
  await postponeJob(services.storage, job, until);
  await services.queue.send(until);
}

function readProgress(job: JobRecord, message: MessageRecord): SendProgress {
  const { pending, tried, begun } = job.payload;
  return {
    pending: Array.isArray(pending)
      ? (pending as string[])
      : distinctAddresses([...message.to, ...message.cc, ...message.bcc]),
    tried: typeof tried === "number" ? tried : 0,
    begun: typeof begun === "number" ? begun : 0,
  };
}

async function rawOf(
  services: Services,
  job: JobRecord,
  message: MessageRecord,
  body: Parameters<typeof composeMessage>[2],
): Promise<Uint8Array> {
  const { sealed } = job.payload;
  const letter =
    typeof sealed === "string" ? (JSON.parse(services.seal.open(sealed)) as SealedLetter) : undefined;
  return composeMessage(services, message, body, letter);
}

function deliveryEvent(
  { recipient, outcome, detail }: RecipientResult,
  gave_up: boolean,
  now: Date,
): DeliveryEvent {
  const type =
    outcome === "accepted" ? "sent" : outcome === "permanent_failure" || gave_up ? "failed" : "deferred";
  return { type, recipient, created_at: iso(now), detail: detail.slice(0, MAX_DETAIL_CHARS) };
}

function possiblyRepeated(now: Date): DeliveryEvent {
  return {
    type: "possibly_repeated",
    recipient: "",
    created_at: iso(now),
    detail:
      "An earlier attempt ended without a known result, so the mail may be delivered twice, with the same Message-ID.",
  };
}
