export { closeInbox } from "./close.ts";
export { insertInbox } from "./create.ts";
export { inboxesAtServiceAddresses } from "./free-address.ts";
export { needsApprovalToEnd } from "./held-deletion.ts";
export { purgeInbox } from "./purge.ts";
