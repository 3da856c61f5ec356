export { beginErasing, type Deleted } from "./begin.ts";
export { endAccess } from "./end-access.ts";
export { eraseAccount } from "./erase-account.ts";
export { eraseSomeRecords } from "./erase-records.ts";
