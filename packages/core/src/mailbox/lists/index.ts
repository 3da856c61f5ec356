export { blockedSender, checkSendLists, lookUpSenderLists } from "./check.ts";
export { checkEntry, ListReason } from "./rules.ts";
