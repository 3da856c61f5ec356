export { checkSuppressions, isSuppressed, suppressAfter } from "./suppress.ts";
