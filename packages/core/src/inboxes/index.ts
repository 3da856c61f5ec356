export { endInbox } from "./close.ts";
export { insertInbox } from "./create.ts";
export { inboxesAtServiceAddresses, isPersonsAddress, isServiceAddress } from "./free-address.ts";
export { checkMayEnd, needsApprovalToEnd } from "./held-deletion.ts";
export { eraseRecords, purgeInbox } from "./purge.ts";
