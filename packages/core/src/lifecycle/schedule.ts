import type { Services } from "../kernel/context.ts";
import { iso } from "../model/fields.ts";
import { nextNoteTime } from "./rules.ts";

/** There is one job for all accounts and processes, and this is its id. */
const jobId = "job_lifecycle_notes";

/**
 * Sees to it that the weekly notes have their job. It puts itself off from week to week, so it is made once.
 */
export async function scheduleNotes({ storage, clock }: Pick<Services, "storage" | "clock">): Promise<void> {
  const now = clock.now();
  await storage.insert("jobs", {
    id: jobId,
    kind: "lifecycle.notes",
    due_at: iso(nextNoteTime(now)),
    subject_id: jobId,
    payload: {},
    attempts: 0,
    lease: null,
    created_at: iso(now),
  });
}
