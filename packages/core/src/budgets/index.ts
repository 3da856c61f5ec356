export { type BudgetChanger, checkMayChangeBudget } from "./rules.ts";
export {
  type Asker,
  askerOf,
  budgetLeft,
  checkBudget,
  lineageOf,
  spendBudget,
  storedAsker,
} from "./spend.ts";
