export { callerWithin, ownerWithin } from "./act-within.ts";
