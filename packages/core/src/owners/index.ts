export { closeInvitations } from "./close-invitations.ts";
export { inviteOwner } from "./invite.ts";
export { leaveUpdates } from "./leave-updates.ts";
export { matchUnsubscribe } from "./match-unsubscribe.ts";
export { removeOwner } from "./remove.ts";
export { effectiveStyle } from "./rules.ts";
export { hasVerifiedOwner } from "./verified.ts";
