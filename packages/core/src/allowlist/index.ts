export { entriesFor, isAllowlisted, isPhoneNumber, normalizeEntry } from "./rules.ts";
