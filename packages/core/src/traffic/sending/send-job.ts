import { REPORT_HEADER } from "../../catalogue/letter-words.ts";
import { isSuspended } from "../../kernel/access/suspended.ts";
import { type InboxDomain, inboxDomain } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, noteOnJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { retryWhileStorageIsDown } from "../../kernel/jobs/retry-while-storage-is-down.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { SealedLetter } from "../../mailbox/messages/index.ts";
import {
  afterAttempt,
  attemptIsUnknown,
  attentionOf,
  composeMessage,
  noteSentInTrash,
  readProgress,
  referenceRecord,
  referencesOf,
  snapshotOf,
} from "../../mailbox/messages/index.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { looksAtMail } from "../../model/outbound.ts";
import { issueSentReceipt } from "../../owners/receipts/index.ts";
import type { RecipientResult } from "../../ports/transport.ts";
import { recordAttempt } from "../bounces/record-attempt.ts";
import { noteRelayIds } from "../bounces/relay-reports.ts";
import { reportHeaderOf, returnPathOf } from "../bounces/return-path.ts";
import { withoutReturnPaths } from "../bounces/without-return-paths.ts";
import { completeDraft } from "./drafts/send-draft.ts";
import { type SendSlots, sendSlotsOf } from "./send-slots.ts";

const MAX_DETAIL_CHARS = 500;
/** The interval at which mail of a suspended account is checked again. */
const SUSPENDED_DELAY_MS = 10 * 60_000;

/** Notes that mail left to these recipients, where their inbox looks at whom it writes to. */
async function noteLeft(
  work: Work,
  inbox: InboxRecord,
  results: readonly RecipientResult[],
  now: Date,
): Promise<void> {
  const left = results
    .filter(({ outcome }) => outcome === "accepted")
    .map(({ recipient }) => addressKey(recipient));
  if (left.length === 0 || !looksAtMail(inbox)) return;
  const where = { account_id: inbox.account_id, address: { in: left }, left_at: null };
  await work.update("recipients", where, { left_at: iso(now) });
}

/**
 * Sends a queued message to its recipients that have no final result yet, and records the result of each. If a worker
 * died after the other side accepted but before we recorded it, the message is sent again with the same Message-ID,
 * and a delivery event says so.
 */
export async function sendMessage(services: Services, job: JobRecord): Promise<void> {
  const message = await services.storage.get("messages", job.subject_id);
  const body = await services.storage.get("message_bodies", job.subject_id);
  const inbox = message === undefined ? undefined : await services.storage.get("inboxes", message.inbox_id);
  if (message === undefined || body === undefined || inbox === undefined)
    return endJob(services.storage, job);

  // A letter of the service itself is sent; mail written by the agent waits.
  const letter = typeof job.payload["sealed"] === "string";
  if (!letter && (await isSuspended(services.storage, message.account_id)))
    return postponeJob(services.storage, job, new Date(services.clock.now().getTime() + SUSPENDED_DELAY_MS));

  const slots = sendSlotsOf(services.transport, services.clock);
  // A letter to people doesn't queue behind what their agent sends.
  const sender = letter ? `letters of ${message.account_id}` : message.account_id;
  const slot = await slots.take(sender, job.id);
  if (slot !== true) {
    await postponeUntil(services, job, slot);
    slots.postponed(sender, job.id);
    return callBack(services, slots.callBack(sender));
  }
  try {
    await sendInSlot(services, { job, message, body, inbox, letter, slots, sender });
  } finally {
    // Only now: a crash between a mail's acceptance and its record would send it again.
    await callBack(services, slots.callBack(sender));
  }
}

interface Sending {
  job: JobRecord;
  message: MessageRecord;
  body: Parameters<typeof composeMessage>[2];
  inbox: InboxRecord;
  letter: boolean;
  slots: SendSlots;
  /** Whose slot it has, which is given back once the mail was handed over. */
  sender: string;
}

async function sendInSlot(
  services: Services,
  { job, message, body, inbox, letter, slots, sender }: Sending,
): Promise<void> {
  const taken_at = services.clock.now().getTime();
  const progress = readProgress(job, message);
  let results: RecipientResult[];
  let raw: Uint8Array;
  try {
    raw = await rawOf(services, job, message, body);
    // A worker that finds `begun` without a result knows that the mail may have been sent.
    await noteOnJob(services.storage, job, { ...job.payload, begun: progress.tried + 1 });
    // Read immediately before sending: if somebody else has proven the domain since, they have its key, which must
    // not sign this.
    const domain = await inboxDomain(services, services.storage, inbox);
    const refused = refusalOf(domain, letter);
    const sent =
      refused === undefined
        ? await services.transport.send({
            message_id: message.message_id ?? "",
            from: message.from,
            envelope: {
              mail_from: returnPathOf(services, message.id, domain.bounces_to),
              rcpt_to: progress.pending,
            },
            raw,
            outside_header: `${REPORT_HEADER}: ${reportHeaderOf(services, message.id)}\r\n`,
            letter,
            sent_by: letter ? undefined : { inbox_id: inbox.id, account_id: inbox.account_id },
          })
        : progress.pending.map((recipient) => ({ recipient, ...refused }));
    // The agent must not learn the return path from a server that quotes it.
    results = sent.map(withoutSecrets);
  } finally {
    slots.give(sender, services.clock.now().getTime() - taken_at);
  }
  const repeated = attemptIsUnknown(progress);
  const now = services.clock.now();
  const next = afterAttempt(progress, results);

  const write = async (work: Work) => {
    const current = await work.get("messages", message.id);
    const happened: DeliveryEvent[] = [
      ...(repeated ? [possiblyRepeated(now)] : []),
      ...results.map((result) => deliveryEvent(result, next.gave_up, now)),
    ];
    if (current === undefined) {
      const provider = services.transport.name;
      if (next.accepted) await noteSentInTrash(work, message.id, { provider, happened });
      // Nobody's any more: the job went with its message.
      await work.delete("jobs", { id: job.id });
      return;
    }
    const wasSent = current.status === "sent";
    const status = next.accepted || wasSent ? "sent" : next.pending.length === 0 ? "failed" : "queued";
    const delivery_events = [...current.delivery_events, ...happened];
    const [updated] = await work.update(
      "messages",
      { id: message.id },
      {
        status,
        provider: services.transport.name,
        delivery_events,
        attention: attentionOf({ ...current, status, delivery_events }),
      },
    );
    if (updated !== undefined) {
      noteReferences(work, current, updated);
      noteRelayIds(work, current, updated, now);
    }
    await noteLeft(work, inbox, results, now);
    await recordAttempt(services, work, updated ?? current, results, now);
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
    if (status === "sent" && !wasSent)
      await noteReceipt(services, work, { draft_id: job.payload["draft_id"], message_id, raw }, now);
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

/** Signs the receipt of an approved mail that left now. */
async function noteReceipt(
  services: Services,
  work: Work,
  { draft_id, ...sent }: { draft_id: unknown; message_id: string; raw: Uint8Array },
  now: Date,
): Promise<void> {
  const draft = typeof draft_id === "string" ? await work.get("drafts", draft_id) : undefined;
  const approval_id = draft?.approval_id ?? null;
  if (approval_id !== null && draft?.approval_status === "approved")
    await issueSentReceipt(services, work, { ...sent, approval_id }, now);
}

/** A result without the message's return path, which the server may quote. */
function withoutSecrets({ provider_id, ...result }: RecipientResult): RecipientResult {
  const is_clean = provider_id !== undefined && withoutReturnPaths(provider_id) === provider_id;
  return { ...result, detail: withoutReturnPaths(result.detail), ...(is_clean ? { provider_id } : {}) };
}

/** Notes the ids that relays gave a message, so that replies to it find it. */
function noteReferences(work: Work, before: MessageRecord, after: MessageRecord): void {
  const noted = referencesOf(before);
  const added = referencesOf(after).filter((reference) => !noted.includes(reference));
  work.append(
    "message_references",
    added.map((reference) => referenceRecord(after, reference)),
  );
}

/** Returns why the domain of an inbox must not send mail; undefined when it may. */
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
async function postponeUntil(services: Services, job: JobRecord, until: Date): Promise<void> {
  await postponeJob(services.storage, job, until);
  await services.queue.send(until);
}

/** Makes the jobs of postponed mails due. If that fails they are due later by themselves, so it never fails a send. */
async function callBack({ storage, queue, clock, log }: Services, job_ids: string[]): Promise<void> {
  if (job_ids.length === 0) return;
  const now = clock.now();
  try {
    const where = { id: { in: job_ids }, lease: null, due_at: { gt: iso(now) } };
    await storage.update("jobs", where, { due_at: iso(now) });
    await queue.send(now);
  } catch (error) {
    log.warn({ error }, "postponed mails wait until they are due");
  }
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
  { recipient, outcome, detail, provider_id }: RecipientResult,
  gave_up: boolean,
  now: Date,
): DeliveryEvent {
  const type =
    outcome === "accepted" ? "sent" : outcome === "permanent_failure" || gave_up ? "failed" : "deferred";
  const event = { type, recipient, created_at: iso(now), detail: detail.slice(0, MAX_DETAIL_CHARS) } as const;
  return provider_id === undefined || type !== "sent" ? event : { ...event, provider_id };
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
