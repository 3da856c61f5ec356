export { ownerByToken } from "./choose-style.ts";
export { hasVerifiedOwner, ownerByConfirmationToken } from "./confirm.ts";
export { closeInvitations, inviteOwner } from "./invite.ts";
export { matchUnsubscribe } from "./match-unsubscribe.ts";
export { removeOwner } from "./remove.ts";
export { effectiveStyle } from "./rules.ts";
export { leaveUpdates } from "./unsubscribe.ts";
