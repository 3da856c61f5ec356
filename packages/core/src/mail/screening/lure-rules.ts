import { LURE_WORDS } from "./lure-words.ts";
import { ruleBook } from "./phrase-rules.ts";

/** Which combinations of meanings are a false notice, or an offer from nobody one knows. */
export const LURE_RULES = ruleBook(LURE_WORDS, [
  { signal: "plan_ended", near: ["plan", "ended"], within: 6 },
  { signal: "lure_household", near: ["household", "bargain"], within: 10, across: true },
  { signal: "lure_payout", near: ["coin", "payout"], within: 8, across: true },
  { signal: "stranger_fortune", near: ["stranger", "fortune"], within: 30, across: true },
  { signal: "stranger_fortune", near: ["fortune", "answer", "stranger"], within: 60, across: true },
]);
