export { assignByRule, checkThreadLease, endTaskLease, leaseForTask } from "./assign.ts";
