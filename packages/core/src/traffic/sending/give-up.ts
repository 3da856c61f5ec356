import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { attemptIsUnknown, attentionOf, readProgress, snapshotOf } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import { completeDraft } from "./drafts/send-draft.ts";

/**
 * Ends the sending of a mail or text that can't leave: each recipient that it is still for gets a delivery event, the
 * message fails with `message.failed` unless somebody got it, and an approved draft is kept.
 */
export async function giveUpMessage(
  services: Services,
  job: JobRecord,
  reason: string,
): Promise<string | undefined> {
  const now = services.clock.now();
  const message = await services.storage.get("messages", job.subject_id);
  if (message === undefined) {
    await endJob(services.storage, job);
    return undefined;
  }
  await unitOfWork(services, message.account_id, now, async (work) => {
    await endJob(work, job);
    const current = await work.get("messages", message.id);
    if (current === undefined) return;
    const progress = readProgress(job, current);
    const event = (type: DeliveryEvent["type"], recipient: string): DeliveryEvent => ({
      ...{ type, recipient, created_at: iso(now) },
      detail: `It could not be sent: ${reason}`.slice(0, MAX_DETAIL_CHARS),
    });
    const happened = progress.pending.map((recipient) => event("failed", recipient));
    if (attemptIsUnknown(progress)) happened.unshift(event("possibly_sent", ""));
    const status = current.status === "sent" ? "sent" : "failed";
    const delivery_events = [...current.delivery_events, ...happened];
    const attention = attentionOf({ ...current, status, delivery_events });
    const [updated = current] = await work.update(
      "messages",
      { id: current.id },
      { status, delivery_events, attention },
    );
    await completeDraft(work, job.payload["draft_id"], status, reason, now);
    if (status === "sent") return;
    const { inbox_id, id: message_id } = current;
    const data = { message: snapshotOf(updated), reason };
    work.publish({ type: "message.failed", inbox_id, message_id, data });
  });
  return message.account_id;
}

const MAX_DETAIL_CHARS = 500;
