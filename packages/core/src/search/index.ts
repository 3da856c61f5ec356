export { findMatches, type Query, readQuery } from "./find-matches.ts";
export { parseQuery } from "./parse-query.ts";
export { showHit } from "./search-messages.ts";
