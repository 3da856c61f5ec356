export { closeInbox } from "./close.ts";
export { insertInbox } from "./create.ts";
export { purgeInbox } from "./purge.ts";
