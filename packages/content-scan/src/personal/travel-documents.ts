import type { Found } from "../found.ts";

const WEIGHTS = [7, 3, 1];
/** The second line of a passport's machine-readable zone, and of an identity card's (ICAO 9303). */
const PASSPORT = /^([A-Z0-9<]{9})(\d)([A-Z<]{3})(\d{6})(\d)([MFX<])(\d{6})(\d)([A-Z0-9<]{14})([\d<])(\d)$/;
const LINE = /(?<![A-Z0-9<])[A-Z0-9<]{44}(?![A-Z0-9<])/g;

/** The machine-readable lines of passports, by their check digits: they need no word that names them. */
export function findTravelDocuments(text: string): Found[] {
  return [...text.matchAll(LINE)].flatMap(({ 0: value, index: start }) =>
    isPassportLine(value)
      ? [{ code: "personal_data" as const, kind: "passport", start, end: start + value.length, value }]
      : [],
  );
}

function isPassportLine(line: string): boolean {
  const [, number = "", numberCheck, , born = "", bornCheck, , ends = "", endsCheck, own = "", , check] =
    PASSPORT.exec(line) ?? [];
  if (check === undefined) return false;
  const all = line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43);
  return (
    checkDigit(number) === Number(numberCheck) &&
    checkDigit(born) === Number(bornCheck) &&
    checkDigit(ends) === Number(endsCheck) &&
    checkDigit(all) === Number(check) &&
    own.length > 0
  );
}

function checkDigit(field: string): number {
  return (
    [...field].reduce((sum, character, index) => {
      const value = character === "<" ? 0 : Number.parseInt(character, 36);
      return sum + value * (WEIGHTS[index % WEIGHTS.length] ?? 0);
    }, 0) % 10
  );
}
