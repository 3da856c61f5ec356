export { type BudgetChanger, checkMayChangeBudget } from "./rules.ts";
export { askingKey, budgetLeft, checkBudget, lineageOf, spendBudget } from "./spend.ts";
