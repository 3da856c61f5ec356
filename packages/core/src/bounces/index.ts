export { findReportedMessage, findReturnTarget, type ReturnTarget } from "./match-report.ts";
export { isAboutOwnLetter, logOwnLetterReport, ownLetterIds } from "./own-letters.ts";
export { recordAttempt } from "./record-attempt.ts";
export { recordReport } from "./record-report.ts";
export { returnPathOf } from "./verp.ts";
