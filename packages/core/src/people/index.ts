export { endAuthority, giveAuthority } from "./authority.ts";
export { ownerCaller, type Person, type Place, personCaller } from "./caller.ts";
export { hasLiveCode, voidLiveCode } from "./live-codes.ts";
export { sendSignInLetter } from "./send-sign-in-letter.ts";
export { findSession } from "./session.ts";
export { type StartRequest, startSession } from "./start-session.ts";
