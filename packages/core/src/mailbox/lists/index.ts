export { blockedSender, lookUpSenderLists, sendListFacts } from "./check.ts";
export { checkEntry, firstBlocked, type ListFacts, ListReason } from "./rules.ts";
