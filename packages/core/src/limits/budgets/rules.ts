import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { addressKey } from "../../model/address.ts";
import type { Budget, Hours } from "../../model/budgets.ts";
import { iso } from "../../model/fields.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** The number of openings after which the search for common hours of several keys gives up. */
const MAX_OPENINGS = 64;

/** A key whose budget counts. */
export interface Budgeted {
  id: string;
  budget: Budget;
}

/** The limits that are counted, each by the day. */
export type CountedLimit = "sends_per_day" | "new_recipients_per_day";

/** The recipients of a mail as they were given. */
export interface Recipients {
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
}

/** Whether a moment lies within the hours. */
export function isOpen(hours: Hours, at: Date): boolean {
  return isWithin(hours, minuteOfDay(hours.time_zone)(at));
}

function isWithin({ from, to }: Hours, minute: number): boolean {
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  return begins < ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
}

/** Returns the first full minute after `at` within the hours, following clock changes in between. */
export function nextOpening(hours: Hours, at: Date): Date {
  const minuteAt = minuteOfDay(hours.time_zone);
  const open = (time: number) => isWithin(hours, minuteAt(new Date(time)));
  let time = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  do {
    const ahead = (minutesOf(hours.from) - minuteAt(new Date(time)) + DAY_MINUTES) % DAY_MINUTES;
    time += (ahead === 0 ? DAY_MINUTES : ahead) * MINUTE_MS;
  } while (!open(time));
  // After a clock change forward, the hours began earlier.
  while (open(time - MINUTE_MS) && time - MINUTE_MS > at.getTime()) time -= MINUTE_MS;
  return new Date(time);
}

/** Returns the first moment from `from` on at which every budget's hours are open. */
export function allOpenFrom(budgeted: readonly Budgeted[], from: Date): Date {
  const all = budgeted.flatMap(({ budget }) => budget.hours ?? []);
  let at = from;
  for (let openings = 0; openings < MAX_OPENINGS; openings += 1) {
    const closed = all.find((hours) => !isOpen(hours, at));
    if (closed === undefined) return at;
    at = nextOpening(closed, at);
  }
  return at;
}

/** Fails with `recipient_outside_budget` when a recipient is at none of a budget's domains. */
export function checkDomains(budgeted: readonly Budgeted[], mail: Recipients): void {
  for (const { budget } of budgeted) {
    const domains = budget.recipient_domains;
    if (domains === undefined) continue;
    for (const param of ["to", "cc", "bcc"] as const) {
      const outside = mail[param].find((address) => !domains.includes(domainOf(address)));
      if (outside === undefined) continue;
      const message = `${outside} is outside the budget, which is for ${domains.join(", ")}.`;
      throw fail("recipient_outside_budget", { param, message });
    }
  }
}

/** Fails with `budget_exceeded` when a mail would leave outside a budget's hours. */
export function checkHours(budgeted: readonly Budgeted[], leaves_at: Date, now: Date): void {
  const closed = budgeted.find(
    ({ budget }) => budget.hours !== undefined && !isOpen(budget.hours, leaves_at),
  );
  const { from, to, time_zone } = closed?.budget.hours ?? {};
  if (closed === undefined) return;
  const message = `The budget of ${closed.id} allows sending from ${from} to ${to} (${time_zone}) only.`;
  throw exceeded("hours", allOpenFrom(budgeted, leaves_at), message, now);
}

/** Returns the error for a mail over a counted limit: it may be retried when the next day's hours are open. */
export function overLimit(
  budgeted: readonly Budgeted[],
  { id, budget }: Budgeted,
  limit: CountedLimit,
  now: Date,
): LetterslotError {
  const what = limit === "sends_per_day" ? "recipients" : "new recipients";
  const message = `With this mail the budget of ${id} would exceed ${budget[limit]} ${what} a day.`;
  return exceeded(limit, allOpenFrom(budgeted, endOfDay(now)), message, now);
}

/** Returns when a day's counts reset: the next midnight (UTC). */
export function endOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}

function exceeded(param: CountedLimit | "hours", resets: Date, message: string, now: Date): LetterslotError {
  const retry_after_seconds = Math.ceil((resets.getTime() - now.getTime()) / 1000);
  return fail("budget_exceeded", { param, message, resets_at: iso(resets), retry_after_seconds });
}

/** The requester of a change to a budget: `lineage` is the key itself and all of its ancestors. */
export type BudgetChanger =
  | { type: "key"; lineage: readonly { id: string; budget: Budget | null }[] }
  | { type: "owner"; account_owner: boolean }
  | { type: "app" };

/**
 * Checks that somebody may change a budget: an account owner, or a key that has no budget over it and neither is the
 * key in question nor descends from it. Fails with `permission_denied`.
 */
export function checkMayChangeBudget(caller: BudgetChanger, key_id: string): void {
  if (caller.type === "owner" && caller.account_owner) return;
  if (caller.type === "key") {
    const descends = caller.lineage.some(({ id }) => id === key_id);
    if (!descends && caller.lineage.every(({ budget }) => budget === null)) return;
  }
  throw fail("permission_denied", {
    message: "This caller may not change the key's budget.",
    fix: BUDGET_FIX,
  });
}

const BUDGET_FIX =
  "Let an account owner change it, or a key without a budget that neither is this key nor descends from it.";

const domainOf = (address: string): string => {
  const key = addressKey(address);
  return key.slice(key.lastIndexOf("@") + 1);
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Tells the minute of the day that clocks in the zone show. */
function minuteOfDay(time_zone: string): (at: Date) => number {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: time_zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at) => minutesOf(clock.format(at));
}
