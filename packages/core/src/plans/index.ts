export {
  type AccountDetails,
  type AccountSummary,
  listAccounts,
  setPlan,
  setSuspended,
  showAccount,
} from "./manage.ts";
export { giveBackToPlan, takeFromPlan } from "./take.ts";
export { checkStorage, planUsage } from "./usage.ts";
