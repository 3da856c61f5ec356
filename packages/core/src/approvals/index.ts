export { askAboutChange, askAboutDraft, decidersOf } from "./ask.ts";
export { voidApprovals } from "./end.ts";
export { expireApproval } from "./expire-job.ts";
export { type ApprovalReply, actOnReply, matchApprovalReply } from "./match-approval-reply.ts";
export { isApproved, mailDigest } from "./rules.ts";
