export { addVerifiedOwner } from "./add-verified.ts";
export { ownerByToken } from "./choose-style.ts";
export { ownerByConfirmationToken } from "./confirm.ts";
export { closeInvitations, inviteOwner } from "./invite.ts";
export { removeOwner } from "./remove.ts";
export { CODE_CAME_BACK } from "./rules.ts";
export { leaveUpdates, saysUnsubscribe } from "./unsubscribe.ts";
