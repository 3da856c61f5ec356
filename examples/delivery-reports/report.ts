// Passes reports of a relay on to the service. LETTERSLOT_URL is the service's BASE_URL.
import { timingSafeEqual } from "node:crypto";

/** What became of a mail at one address; the mail is named by its Message-ID or by the relay's own id. */
export interface Report {
  message_id?: string;
  provider_id?: string;
  recipient: string;
  type: "delivered" | "bounced" | "deferred" | "complained";
  permanent?: boolean;
  detail?: string;
  at: string;
}

const MAX_DETAIL_CHARS = 2_000;

/** Passes reports on. Throws when the relay should send them again. */
export async function report(reports: readonly Report[]): Promise<void> {
  if (reports.length === 0) return;
  const { LETTERSLOT_URL = "", REPORTS_SECRET = "" } = process.env;
  const short = reports.map((each) => ({ ...each, detail: (each.detail ?? "").slice(0, MAX_DETAIL_CHARS) }));
  const response = await fetch(`${LETTERSLOT_URL}/api/v1/internal/delivery-reports`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${REPORTS_SECRET}` },
    body: JSON.stringify({ reports: short }),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
}

/** Whether two secrets or signatures are the same, in constant time. */
export const isSame = (given: Uint8Array, wanted: Uint8Array): boolean =>
  given.length === wanted.length && timingSafeEqual(given, wanted);

/** Whether a time in seconds is at most five minutes away: an older request may be a recorded one. */
export const isNow = (seconds: number): boolean => Math.abs(Date.now() / 1_000 - seconds) < 300;

/** The time of seconds since 1970. */
export const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

export const done = (): Response => new Response(null, { status: 200 });
export const refused = (why: string): Response => new Response(why, { status: 401 });
