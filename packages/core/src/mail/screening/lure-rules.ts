import { LURE_WORDS } from "./lure-words.ts";
import { ruleBook } from "./phrase-rules.ts";

/** Which combinations of meanings are an offer from nobody one knows. */
export const LURE_RULES = ruleBook(LURE_WORDS, [
  { signal: "lure_household", near: ["household", "bargain"], within: 10, across: true },
  { signal: "lure_payout", near: ["coin", "payout"], within: 8, across: true },
]);
