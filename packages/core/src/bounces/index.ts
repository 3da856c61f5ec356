export { type ReturnPlace, reportedMessage, returnPlaceOf } from "./match-report.ts";
export { recordAttempt } from "./record-attempt.ts";
export { recordReport } from "./record-report.ts";
export { returnPathOf } from "./verp.ts";
