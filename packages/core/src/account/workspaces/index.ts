export { callerWithin, ownerWithin } from "./act-within.ts";
export { purgeWorkspace } from "./close.ts";
