import type { PhoneNumber } from "libphonenumber-js/max";
import { fail } from "../../catalogue/errors.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";

const E164 = /^\+[1-9]\d{6,14}$/;
/** Services that cost extra have this exchange in every area code (North American Numbering Plan). */
const PREMIUM_EXCHANGE = /^\+1\d{3}976/;

/** Codes for services, such as 911 for help: neither an area code nor an exchange has this form. */
const SERVICE_CODE = /^\+1(?:\d{3})?[2-9]11/;

/**
 * Fails with `invalid_e164`, `international_not_allowed` or `premium_rate_blocked` unless a text or a call may go to
 * this number. US territories and the Caribbean countries of +1 count as international. `param` is the field at fault.
 */
export async function checkReachable(to: string, param = "to"): Promise<void> {
  const number = await parse(to);
  if (number?.isValid() !== true || SERVICE_CODE.test(number.number)) throw fail("invalid_e164", { param });
  if (number.country !== "US" && number.country !== "CA") throw fail("international_not_allowed", { param });
  if (number.getType() === "PREMIUM_RATE" || PREMIUM_EXCHANGE.test(number.number))
    throw fail("premium_rate_blocked", { param });
}

/** Whether these three digits are an area code of the US or Canada whose numbers cost no extra. */
export async function isAreaCode(digits: string): Promise<boolean> {
  if (!/^[2-9]\d\d$/.test(digits) || digits.endsWith("11")) return false;
  const number = await parse(`+1${digits}5550100`);
  return (
    number?.isValid() === true &&
    (number.country === "US" || number.country === "CA") &&
    number.getType() === "FIXED_LINE_OR_MOBILE"
  );
}

/** The library's tables take tens of milliseconds to load; only callers that use a phone wait for them. */
async function parse(text: string): Promise<PhoneNumber | undefined> {
  if (!E164.test(text)) return undefined;
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/max");
  return parsePhoneNumberFromString(text, { extract: false });
}

/** The requested number: this one, one in this area code, or any. */
export interface Wanted {
  phone_number?: string | undefined;
  area_code?: string | undefined;
}

/** Returns the request in one word, by which a retry is recognised. */
export const wantedOf = ({ phone_number, area_code }: Wanted): string =>
  phone_number ?? (area_code === undefined ? "any" : `area_code:${area_code}`);

/** Whether a number answers the same request made again: either it was requested this way, or by its digits. */
export const asksForSame = (
  { wanted, e164 }: Pick<PhoneNumberRecord, "wanted" | "e164">,
  asked: Wanted,
): boolean => wanted === wantedOf(asked) || asked.phone_number === e164;

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3600_000;

/**
 * Returns when a failed request to the provider is retried: after a minute, then twice as long each time, at most an
 * hour.
 */
export function retryAt({ attempts }: Pick<JobRecord, "attempts">, now: Date): Date {
  const wait_ms = FIRST_RETRY_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 10);
  return new Date(now.getTime() + Math.min(wait_ms, LONGEST_RETRY_MS));
}

/** The time during which the provider is asked to take a number back. */
const RELEASED_WITHIN_MS = 7 * 24 * 3600_000;

/** Whether a number that the provider doesn't take back is left to the operator. */
export const isReleaseGivenUp = ({ created_at }: Pick<JobRecord, "created_at">, now: Date): boolean =>
  now.getTime() - new Date(created_at).getTime() >= RELEASED_WITHIN_MS;
