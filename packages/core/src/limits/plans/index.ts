export {
  type AccountDetails,
  type AccountSummary,
  listAccounts,
  setPlan,
  setSuspended,
  showAccount,
} from "./manage.ts";
export { checkPlan, giveBackMinutes, giveBackToPlan, takeFromPlan } from "./take.ts";
export { checkStorage, planUsage } from "./usage.ts";
