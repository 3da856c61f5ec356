export { blockedSender, checkSendLists } from "./check.ts";
