/** Every kind of job. Each needs a handler in `work.ts`. */
export const JOB_KINDS = [
  "message.send",
  "webhook.deliver",
  "blobs.collect",
  "inbox.purge",
  "workspace.purge",
  "account.erase",
  "draft.send",
  "approval.expire",
  "approval.ask",
  "task.lease",
  "digest.send",
  "question.expire",
  "lifecycle.notes",
  "session.letter",
  "recovery.letter",
  "recovery.notice",
  "authority.notice",
  "account.export",
  "domain.check",
  "domain.letter",
] as const;
export type JobKind = (typeof JOB_KINDS)[number];
