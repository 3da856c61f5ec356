export { entriesFor, isAllowlisted, normalEntry } from "./rules.ts";
