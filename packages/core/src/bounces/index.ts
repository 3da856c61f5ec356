export { findReportedMessage, findReturnTarget, type ReturnTarget } from "./match-report.ts";
export { recordAttempt } from "./record-attempt.ts";
export { recordReport } from "./record-report.ts";
export { returnPathOf } from "./verp.ts";
