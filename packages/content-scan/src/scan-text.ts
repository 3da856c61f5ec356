import type { Found } from "./found.ts";
import { findIbans } from "./personal/ibans.ts";
import { numberFinder } from "./personal/named-numbers.ts";
import { NATIONAL_NUMBERS } from "./personal/national-numbers.ts";
import { PAYMENT_CARDS } from "./personal/payment-cards.ts";
import { findTravelDocuments } from "./personal/travel-documents.ts";
import { findSecrets } from "./secrets.ts";

const findNumbers = numberFinder([PAYMENT_CARDS, ...NATIONAL_NUMBERS]);

/** Everything that a text holds of secrets and personal data, in the order of the text, each place once. */
export async function scanText(text: string): Promise<Found[]> {
  const plain = asciiDigits(text);
  const secrets = await findSecrets(text);
  const personal = /[0-9]/.test(plain)
    ? [...findIbans(plain), ...findTravelDocuments(plain), ...findNumbers(plain)]
    : [];
  const found: Found[] = [];
  for (const each of [...secrets, ...personal])
    if (!found.some(({ start, end }) => start < each.end && each.start < end)) found.push(each);
  return found.toSorted((one, other) => one.start - other.start);
}

/** The text with the digits of every script that are one character as 0 to 9, each in its place. */
function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    if (digit.length > 1) return digit;
    const code = digit.charCodeAt(0);
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}
