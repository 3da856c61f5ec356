import type { JobKind } from "../../../catalogue/jobs.ts";
import type { Work } from "../../../kernel/work.ts";

const MAX_JOBS = 1_000;
/** The jobs by which messages leave. */
export const SEND_JOBS: JobKind[] = ["message.send", "sms.send", "call.place"];

/** Marks a kept draft as failed, ready to be sent again. Does nothing when the draft is gone. */
export async function failDraft(work: Work, draft_id: string, reason: string): Promise<void> {
  // The failed message keeps the client_id: the next send is a new mail.
  await work.update(
    "drafts",
    { id: draft_id },
    { send_status: "failed", send_error: reason, message_id: null, client_id: null },
  );
}

/** Marks the drafts of messages that are deleted before they were sent as failed. */
export async function failDraftsOf(work: Work, message_ids: readonly string[]): Promise<void> {
  const where = { subject_id: { in: [...message_ids] }, kind: { in: SEND_JOBS } };
  const jobs = await work.find("jobs", { where, limit: MAX_JOBS });
  for (const { payload } of jobs)
    if (typeof payload["draft_id"] === "string")
      await failDraft(work, payload["draft_id"], "message_deleted");
}
