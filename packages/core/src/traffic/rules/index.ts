export { sendAutoReply } from "./auto-reply.ts";
export { carryOutRules, holdsByRule, NO_RULES, planFor, type RuledMail, rulesOf, tryRules } from "./meet.ts";
export { conditionResults, foldFacts, matches, type RuleFacts } from "./rules.ts";
