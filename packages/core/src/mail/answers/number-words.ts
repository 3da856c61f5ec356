import { inEachLanguage } from "../words/index.ts";

/**
 * The value of each number word. Articles that are also numbers ("un", "uma", "ein") count only when the
 * whole answer is read.
 */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  inEachLanguage("numbers").flatMap(({ words: { units = "", tens = "", others = {} } }) =>
    [
      ...units.split(" ").map((word, value): [string, number] => [word, value]),
      ...tens.split(" ").map((word, index): [string, number] => [word, 30 + index * 10]),
      ...Object.entries(others),
    ].filter(([word]) => word !== "-" && word !== ""),
  ),
);

const HAN_DIGITS = new Map([..."〇一二三四五六七八九"].map((digit, value) => [digit, value]));
HAN_DIGITS.set("零", 0).set("两", 2).set("兩", 2);
const HAN_PLACES = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
  ["万", 10_000],
  ["萬", 10_000],
]);

/** The value of a Chinese or Japanese numeral up to 99,999, or undefined. */
export function hanNumber(word: string): number | undefined {
  if (!/^[〇零一二三四五六七八九两兩十百千万萬]{1,10}$/u.test(word)) return undefined;
  let sum = 0;
  let section = 0;
  let digit: number | undefined;
  for (const character of word) {
    const place = HAN_PLACES.get(character);
    if (place === undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = HAN_DIGITS.get(character);
      continue;
    }
    if (place === 10_000) {
      sum += (section + (digit ?? 0)) * place;
      section = 0;
    } else section += (digit ?? 1) * place;
    digit = undefined;
  }
  return sum + section + (digit ?? 0);
}
