export { entriesFor, isAllowlisted, normalizeEntry } from "./rules.ts";
