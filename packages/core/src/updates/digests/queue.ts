import type { Work } from "../../kernel/work.ts";

import { nextDigestTime } from "./rules.ts";

/**
 * Sees to it that an owner with queued updates gets a digest at the next 13:00 UTC. It is a job like any
 * other: one process does it, once, and after a downtime it is done late but done. A second job that races in
 * finds nothing queued and sends nothing.
 */
export async function queueDigest(work: Work, owner_id: string, now: Date): Promise<void> {
  const jobs = await work.find("jobs", { where: { subject_id: owner_id }, limit: 10 });
  if (jobs.some(({ kind }) => kind === "digest.send")) return;
  work.job({ kind: "digest.send", subject_id: owner_id, due_at: nextDigestTime(now) });
}
