export { endAuthority, giveAuthority } from "./authority.ts";
export { ownerCaller, type Person, type Place, personCaller } from "./caller.ts";
export { type AccountChoice, type Choices, choicesOf } from "./choices.ts";
export { hasLiveCode, voidLiveCode } from "./live-codes.ts";
export { mailFromNoReply } from "./mail-from-no-reply.ts";
export { sendKeysLeft } from "./recovered-keys.ts";
export { sendSignInLetter } from "./send-sign-in-letter.ts";
export { findSession } from "./session.ts";
export { isKnownPlace, type StartRequest, startSession } from "./start-session.ts";
