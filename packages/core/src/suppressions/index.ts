export { checkSuppressions, isSuppressed, suppressBecauseOf } from "./suppress.ts";
