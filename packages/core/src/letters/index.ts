export { type Asked, approvalLetters, askedAgain, changeAsked, mailAsked } from "./approval.ts";
export { confirmationLetters } from "./confirmation.ts";
export { digestLetters } from "./digest.ts";
export { headlineOf, shownValue, subjectOf } from "./headline.ts";
export { escapeHtml } from "./layout.ts";
export { ownerPageUrls, unsubscribeHeaders } from "./owner-pages.ts";
export { askedAgainLetters } from "./question.ts";
export { updateLetters } from "./update.ts";
export { updatesEndedLetters } from "./updates-ended.ts";
