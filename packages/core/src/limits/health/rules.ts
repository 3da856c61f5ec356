import { LIMITS } from "../../catalogue/limits.ts";

const DAY_MS = 24 * 3600_000;

/** Counts of recipients: sent to, bounced, complained. */
export interface SendingCounts {
  sent: number;
  bounced: number;
  complained: number;
}

/** The counts with their rates and the resulting state. */
export interface SendingHealth extends SendingCounts {
  state: "good" | "warning" | "paused";
  /** Shares of `sent`, from 0 to 1; 0 when nothing was sent. */
  bounce_rate: number;
  complaint_rate: number;
}

/** The UTC day of a time, as `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The days that count: today and the six before. */
export function healthDays(now: Date): string[] {
  return Array.from({ length: LIMITS.health_days }, (_, back) =>
    dayOf(new Date(now.getTime() - back * DAY_MS)),
  );
}

/** Sums the counts of several days and their rates, the shares of `sent`. */
export function sendingRates(days: readonly SendingCounts[]): Omit<SendingHealth, "state"> {
  const sum = (count: keyof SendingCounts) => days.reduce((total, day) => total + day[count], 0);
  const counts = { sent: sum("sent"), bounced: sum("bounced"), complained: sum("complained") };
  const share = (count: number) => (counts.sent === 0 ? 0 : count / counts.sent);
  return { ...counts, bounce_rate: share(counts.bounced), complaint_rate: share(counts.complained) };
}

/** The organisational domains of proven reports, one for each day and organisation that there is one of. */
export interface ProvenReports {
  hard: readonly string[];
  complaints: readonly string[];
}

/**
 * The sending health: above 50 sends, 10 % bounces or 0.5 % complaints pause sending until the rates fall, once five
 * proven hard bounces or three proven complaints, of two organisations, are among them; half of either rate is a
 * warning. `beyond` says that a rate is reached, whatever is proven.
 */
export function judgeHealth(
  days: readonly SendingCounts[],
  { hard, complaints }: ProvenReports,
): SendingHealth & { beyond: boolean } {
  const rates = sendingRates(days);
  const { bounce_rate, complaint_rate } = rates;
  const bounces = bounce_rate / LIMITS.health_bounce_rate;
  const complained = complaint_rate / LIMITS.health_complaint_rate;
  const worst = Math.max(bounces, complained);
  if (rates.sent <= LIMITS.health_sends || worst < LIMITS.health_warning_share)
    return { ...rates, state: "good", beyond: false };
  const paused =
    (bounces >= 1 && isEnough(hard, LIMITS.health_hard_bounces)) ||
    (complained >= 1 && isEnough(complaints, LIMITS.health_complaints));
  return { ...rates, state: paused ? "paused" : "warning", beyond: worst >= 1 };
}

const isEnough = (domains: readonly string[], least: number): boolean =>
  domains.length >= least && new Set(domains).size >= LIMITS.health_organisations;

/** Describes the bounces and complaints, and the rates from which sending is paused. */
export function describeHealth({ sent, bounced, complained, state }: SendingHealth): string {
  const facts = `Of ${sent} recipients in ${LIMITS.health_days} days, ${bounced} bounced and ${complained} complained.`;
  const bounds = `${LIMITS.health_bounce_rate * 100} % bounces or ${LIMITS.health_complaint_rate * 100} % complaints (at least ${LIMITS.health_hard_bounces} hard bounces or ${LIMITS.health_complaints} complaints, of ${LIMITS.health_organisations} organisations)`;
  return state === "paused"
    ? `${facts} Sending is paused at ${bounds} until the rates fall.`
    : `${facts} Sending is paused at ${bounds}.`;
}
