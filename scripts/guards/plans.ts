import { type Guard, guard } from "./guard.ts";

const plans = "packages/core/src/plans";
const tests = `${plans}/plans.test.ts`;
const suspension = `${plans}/suspension.test.ts`;

/** What a plan allows, and what a suspended account still does. */
export const plansOfAccounts: Guard[] = [
  guard(
    "no more is used than a plan allows",
    [
      `${plans}/take.ts`,
      "const room = limit === null ? {} : { used: { lte: limit - amount } };",
      "const room = {};",
    ],
    [tests, "of many calls for the last one"],
  ),
  guard(
    "what sub-accounts use counts for their parent",
    [`${plans}/take.ts`, "const account = own && (await rootOf(work, own));", "const account = own;"],
    [tests, "their inboxes count for the parent"],
  ),
  guard(
    "a suspended account's keys do nothing",
    [
      "packages/core/src/kernel/gate.ts",
      "if (endsWithSuspension(operation)) await checkNotSuspended(services, caller.account_id);",
    ],
    [suspension, "and nothing else"],
  ),
  guard(
    "a suspended account's queued mail waits",
    [
      "packages/core/src/sending/send-job.ts",
      "if (!letter && (await isSuspended(services.storage, message.account_id)))",
      "if (false)",
    ],
    [suspension, "queued and scheduled mail wait"],
  ),
  guard(
    "a suspended account's drafts wait",
    ["packages/core/src/sending/drafts/send-job.ts", "await checkNotSuspended(services, inbox.account_id);"],
    [suspension, "queued and scheduled mail wait"],
  ),
  guard(
    "mail to a suspended account is deferred, not lost",
    ["packages/core/src/inbound/destination.ts", "if (standsStill(account, parent))", "if (false)"],
    [suspension, "mail to it deferred"],
  ),
];
