export { addVerifiedOwner } from "./add-verified.ts";
export { ownerByToken } from "./choose-style.ts";
export { ownerByConfirmationToken } from "./confirm.ts";
export { closeInvitations, countConfirmationLetter, inviteOwner } from "./invite.ts";
export { hasLiveInvitation, voidInvitationCode } from "./live-codes.ts";
export { saysUnsubscribe } from "./match-unsubscribe.ts";
export { removeOwner } from "./remove.ts";
export { effectiveStyle } from "./rules.ts";
export { leaveUpdates } from "./unsubscribe.ts";
