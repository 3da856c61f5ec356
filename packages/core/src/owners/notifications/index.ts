export { approvalLetters, draftAsked } from "./approval.ts";
export { canaryLetter } from "./canary.ts";
export { domainDegradedLetter, domainReceivesLetter, postmasterLetter } from "./domain.ts";
export { escapeHtml } from "./layout.ts";
export { isAboutOwnLetter, logOwnLetterReport } from "./own-letters.ts";
export { pairedLetter } from "./paired.ts";
export { keyRecoveredLetter, recoveryLetter } from "./recovery.ts";
export { answeredMessageId, signaturesOf } from "./reply.ts";
export { signInLetter } from "./sign-in.ts";
