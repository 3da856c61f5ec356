import { limits } from "../catalogue/limits.ts";

const dayMs = 24 * 3600_000;

/** How mail fared: recipients that it was sent to, that it bounced at, and that complained. */
export interface SendingCounts {
  sent: number;
  bounced: number;
  complained: number;
}

/** What is worth saying about it. */
export interface SendingHealth extends SendingCounts {
  state: "good" | "warning" | "paused";
  /** Shares of what was sent, from 0 to 1; 0 when nothing was. */
  bounce_rate: number;
  complaint_rate: number;
}

/** The name of a moment's UTC day. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The days whose counts decide: today and the six before. */
export function healthDays(now: Date): string[] {
  return Array.from({ length: limits.health_days }, (_, back) =>
    dayOf(new Date(now.getTime() - back * dayMs)),
  );
}

/**
 * Judges how an account's mail fared over the days that count (decisions, section 11): over 50 sends, a tenth
 * bounced or one in two hundred complained about pauses sending until the rates fall; half of that is worth a
 * warning.
 */
export function judgeHealth(days: readonly SendingCounts[]): SendingHealth {
  const sum = (count: keyof SendingCounts) => days.reduce((total, day) => total + day[count], 0);
  const counts = { sent: sum("sent"), bounced: sum("bounced"), complained: sum("complained") };
  const share = (count: number) => (counts.sent === 0 ? 0 : count / counts.sent);
  const bounce_rate = share(counts.bounced);
  const complaint_rate = share(counts.complained);
  const worst = Math.max(
    bounce_rate / limits.health_bounce_rate,
    complaint_rate / limits.health_complaint_rate,
  );
  const judged = { ...counts, bounce_rate, complaint_rate };
  if (counts.sent <= limits.health_sends || worst < limits.health_warning_share)
    return { ...judged, state: "good" };
  return { ...judged, state: worst >= 1 ? "paused" : "warning" };
}

/** The sentence that says how much of the mail bounced or was complained about. */
export function describeHealth({ sent, bounced, complained, state }: SendingHealth): string {
  const facts = `Of ${sent} recipients in ${limits.health_days} days, ${bounced} bounced and ${complained} complained.`;
  const bounds = `${limits.health_bounce_rate * 100} % bounces or ${limits.health_complaint_rate * 100} % complaints`;
  return state === "paused"
    ? `${facts} Sending is paused from ${bounds} until the rates fall.`
    : `${facts} Sending is paused from ${bounds}.`;
}
