export { askAboutChange, askAboutDraft, askAnew } from "./ask.ts";
export { type CleanedDraft, cleanDraft } from "./clean-draft.ts";
export { mailDigest, senderOf } from "./content.ts";
export { recordDecision } from "./decide.ts";
export { expireApproval, voidApprovals, withdrawApprovals } from "./end.ts";
export { approvalByToken } from "./find.ts";
export { type ApprovalReply, actOnReply, matchApprovalReply } from "./match-approval-reply.ts";
export { approvalFor, readsAs, reasonsFor } from "./reasons.ts";
export { asksForPasskey, isApproved } from "./rules.ts";
