import { describe, expect, test } from "vitest";
import { checkReachable, isAreaCode } from "./rules.ts";

describe("whom a text or a call may go to", () => {
  test.for<[number: string, refusal: string | null, why: string]>([
    ["+14155550123", null, "a number of California"],
    ["+16045550123", null, "a number of British Columbia"],
    ["+18005550199", null, "a toll-free number"],
    ["4155550123", "invalid_e164", "without the country code"],
    ["+1 415 555 0123", "invalid_e164", "with spaces"],
    ["+1415555012", "invalid_e164", "a digit short"],
    ["+141555501234", "invalid_e164", "a digit long"],
    ["+1911", "invalid_e164", "an emergency number"],
    ["+10005550123", "invalid_e164", "an area code that doesn't exist"],
    ["+14155550123;ext=1", "invalid_e164", "with an extension"],
    ["tel:+14155550123", "invalid_e164", "as a URI"],
    ["", "invalid_e164", "nothing"],
    ["+442071838750", "international_not_allowed", "London"],
    ["+17872345678", "international_not_allowed", "Puerto Rico, a US territory"],
    ["+13406422345", "international_not_allowed", "the US Virgin Islands"],
    ["+16712345678", "international_not_allowed", "Guam"],
    ["+18765551234", "international_not_allowed", "Jamaica, with +1"],
    ["+12423456789", "international_not_allowed", "the Bahamas, with +1"],
    ["+19002345678", "premium_rate_blocked", "area code 900"],
    ["+14159761234", "premium_rate_blocked", "exchange 976"],
    ["+14159111234", "invalid_e164", "exchange 911"],
    ["+12124110000", "invalid_e164", "exchange 411"],
    ["+16042110100", "invalid_e164", "exchange 211 in Canada"],
    ["+19115550100", "invalid_e164", "area code 911"],
    ["+14155110123", "invalid_e164", "exchange 511"],
    ["+14159120123", null, "exchange 912"],
    ["+14155550911", null, "911 at the end"],
  ])("%s: %s (%s)", async ([number, refusal]) => {
    const outcome = await checkReachable(number).then(
      () => null,
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(refusal);
  });

  test.for([
    ["415", true],
    ["604", true],
    ["787", false],
    ["876", false],
    ["900", false],
    ["800", false],
    ["000", false],
    ["911", false],
    ["411", false],
    ["41", false],
    ["4155", false],
    ["abc", false],
  ] as const)("area code %s: %s", async ([digits, known]) => {
    expect(await isAreaCode(digits)).toBe(known);
  });
});
