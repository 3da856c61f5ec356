export { endInbox } from "./close.ts";
export { insertInbox } from "./create.ts";
export { applyGuards } from "./guards/change.ts";
export { needsApprovalToEnd } from "./held-deletion.ts";
export { purgeInbox } from "./purge.ts";
export { dropTrashedInboxes, trashInbox } from "./trash.ts";
