export { askAboutChange, askAboutDraft, decidersOf } from "./ask.ts";
export { voidApprovals } from "./end.ts";
export { expireApproval } from "./expire-job.ts";
export { actOnReply, type Heard, hearReply } from "./hear-reply.ts";
export { isApproved, mailDigest } from "./rules.ts";
