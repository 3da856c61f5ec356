export { type BudgetChanger, checkMayChangeBudget } from "./rules.ts";
export { askingKey, budgetLeft, checkBudget, lineageOf, rememberRecipients, spendBudget } from "./spend.ts";
