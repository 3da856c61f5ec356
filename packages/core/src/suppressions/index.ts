export {
  checkNumberSuppressed,
  checkSuppressions,
  isSuppressed,
  suppressBecauseOf,
  suppressNumber,
  unsuppressNumber,
} from "./suppress.ts";
