import { type Guard, guard } from "./guard.ts";

const budgets = "packages/core/src/budgets";
const tests = `${budgets}/budgets.test.ts`;
const rules = `${budgets}/rules.test.ts`;

/** What a key may send at most. */
export const budgetsOfKeys: Guard[] = [
  guard(
    "a key's budget counts for what the keys below it send",
    [
      `${budgets}/spend.ts`,
      "for (let id = key_id; id !== null; id = lineage.at(-1)?.parent_key_id ?? null) {",
      "for (let id = key_id; id !== null; id = null) {",
    ],
    [tests, "counts for both"],
  ),
  guard(
    "no more is sent than a budget allows",
    [`${budgets}/spend.ts`, "if (!within) throw overLimit(budgeted, key, limit, now);"],
    [tests, "of many calls at once"],
  ),
  guard(
    "a budget's domains hold",
    [`${budgets}/rules.ts`, 'throw fail("recipient_outside_budget", { param, message });'],
    [tests, "recipients outside the domains"],
  ),
  guard(
    "a key doesn't lift its own budget",
    [
      `${budgets}/rules.ts`,
      "const descends = caller.lineage.some(({ id }) => id === key_id);",
      "const descends = false;",
    ],
    [rules, "may not be changed by the key itself"],
  ),
  guard(
    "a key with a budget lifts no other's",
    [
      `${budgets}/rules.ts`,
      "!descends && caller.lineage.every(({ budget }) => budget === null)",
      "!descends",
    ],
    [rules, "may not be changed by a key with a budget"],
  ),
  guard(
    "who changes a scheduled draft stands for it",
    ["packages/core/src/sending/drafts/change.ts", "      asked_by_key_id,\n"],
    [tests, "asked last"],
  ),
];
