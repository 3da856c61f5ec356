export { closeInbox, endInbox } from "./close.ts";
export { insertInbox } from "./create.ts";
export { inboxesAtServiceAddresses, isPersonsAddress, isServiceAddress } from "./free-address.ts";
export { checkMayEnd, needsApprovalToEnd } from "./held-deletion.ts";
export { eraseClosedInbox, eraseRecords, purgeInbox } from "./purge.ts";
