import type { PhoneNumber } from "libphonenumber-js/max";
import { fail } from "../catalogue/errors.ts";

const E164 = /^\+[1-9]\d{6,14}$/;
/** Services that cost extra have this exchange in every area code (North American Numbering Plan). */
const PREMIUM_EXCHANGE = /^\+1\d{3}976/;

/**
 * Fails with `invalid_e164`, `international_not_allowed` or `premium_rate_blocked` unless a text or a call may go to
 * this number. US territories and the Caribbean countries of +1 count as international.
 */
export async function checkReachable(to: string): Promise<void> {
  const number = await parse(to);
  if (number?.isValid() !== true) throw fail("invalid_e164", { param: "to" });
  if (number.country !== "US" && number.country !== "CA")
    throw fail("international_not_allowed", { param: "to" });
  if (number.getType() === "PREMIUM_RATE" || PREMIUM_EXCHANGE.test(number.number))
    throw fail("premium_rate_blocked", { param: "to" });
}

/** Whether these three digits are an area code of the US or Canada whose numbers cost no extra. */
export async function isAreaCode(digits: string): Promise<boolean> {
  if (!/^[2-9]\d\d$/.test(digits)) return false;
  const number = await parse(`+1${digits}5550100`);
  return (
    number?.isValid() === true &&
    (number.country === "US" || number.country === "CA") &&
    number.getType() === "FIXED_LINE_OR_MOBILE"
  );
}

/** A number in E.164, whatever its country; undefined if it isn't a valid one. */
export async function asE164(text: string): Promise<string | undefined> {
  const number = await parse(text);
  return number?.isValid() === true ? number.number : undefined;
}

/** The library's tables take tens of milliseconds to load, which is for those who use a phone to wait for. */
async function parse(text: string): Promise<PhoneNumber | undefined> {
  if (!E164.test(text)) return undefined;
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/max");
  return parsePhoneNumberFromString(text, { extract: false });
}
