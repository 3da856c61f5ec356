export { type EntryProof, entriesFor, letsIn, normalizeEntry } from "./rules.ts";
