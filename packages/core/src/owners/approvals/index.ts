export { askAboutChange, askAboutDraft, askAnew } from "./ask.ts";
export { type CleanedDraft, cleanDraft } from "./clean-draft.ts";
export { recordDecision } from "./decide.ts";
export { digestOfDraft } from "./digest-of-draft.ts";
export { expireApproval, voidApprovals } from "./end.ts";
export { approvalByToken } from "./find.ts";
export { type ApprovalReply, actOnReply, matchApprovalReply } from "./match-approval-reply.ts";
export { isApproved, mailDigest } from "./rules.ts";
