export { beginErasing } from "./begin.ts";
export { eraseAccount } from "./erase-account.ts";
