export { suppressedAmong } from "./check.ts";
export { liftSuppressions } from "./lift.ts";
export { checkNumberSuppressed, suppressBecauseOf, suppressNumber, unsuppressNumber } from "./suppress.ts";
