import { countrySpecs, isValidIBAN } from "ibantools";
import type { Found } from "../found.ts";
import { JOINED } from "./named-numbers.ts";
import { isNamed, wordFinder } from "./naming-words.ts";

/** Two letters, two digits and more; how much more depends on the country. Blanks may separate groups. */
const BEGINNING = new RegExp(
  `(?<!${JOINED}[-./+=_@]?)(?=([a-z]{2}\\d{2}(?:[ \\u00a0]?[a-z0-9]){11,32}))`,
  "giu",
);
const GOES_ON = new RegExp(`^[-./+=_@]?${JOINED}`, "u");
const wordsIn = wordFinder(["iban"]);

/** The IBANs in a text, by their country's form and their check digits; in lower case only near the word. */
export function findIbans(text: string): Found[] {
  const words = wordsIn(text);
  return [...text.matchAll(BEGINNING)].flatMap(({ 1: beginning = "", index: start }) => {
    const length = countrySpecs[beginning.slice(0, 2).toUpperCase()]?.chars ?? 0;
    const end = length === 0 ? undefined : endOf(beginning, length);
    if (end === undefined || GOES_ON.test(text.slice(start + end))) return [];
    const written = beginning.slice(0, end);
    const value = written.replace(/\s/g, "").toUpperCase();
    const span = { start, end: start + end };
    if (!isValidIBAN(value) || (/[a-z]/.test(written) && !isNamed(words, span))) return [];
    return [{ code: "personal_data" as const, kind: "iban", ...span, value }];
  });
}

/** The length of what has so many characters that aren't blanks; undefined if there are fewer. */
function endOf(text: string, characters: number): number | undefined {
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    if (!/\s/.test(text.charAt(at)) && ++seen === characters) return at + 1;
  }
  return undefined;
}
