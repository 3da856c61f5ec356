/** Every kind of job. Each needs a handler in `work.ts`. */
export const JOB_KINDS = [
  "message.send",
  "webhook.deliver",
  "blobs.collect",
  "inbox.purge",
  "draft.send",
  "approval.expire",
  "approval.ask",
  "task.lease",
  "digest.send",
  "question.expire",
  "lifecycle.notes",
  "session.letter",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];
