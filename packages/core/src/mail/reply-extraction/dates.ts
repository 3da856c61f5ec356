import { inEachLanguage } from "../words/index.ts";
import { MAX_RULE_CHARS } from "./limits.ts";

const CALENDARS = inEachLanguage("calendar").map(({ words }) => words);
const MONTHS = new Set(CALENDARS.flatMap(({ months }) => months.split(" ")));
const DAYS = new Set(CALENDARS.flatMap(({ days }) => days.split(" ")));
const NUMERIC =
  /(?<!\d)(?:\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{2}|\d{4})|\d{4}[./-] ?\d{1,2}[./-] ?\d{1,2})(?!\d)|\d{6} \d{1,2}:\d{2}|\d ?[月월]|tháng \d/u;
const TIME = /(?<!\d)\d{1,2} ?[:.h時时시点點] ?\d{2}(?!\d)/;
/** The words in a date besides numbers and names: of the day, the year, the time, the zone. */
const BESIDES = new Set(
  (
    "am pm a.m p.m a m p um uhr kl klo kello om op il em à às a o w в v le el la les las de d del dia di do du den der dnia dne dňa dana em en on at og " +
    "the of st nd rd th h г р года year utc gmt est edt cst cdt mst mdt pst pdt cet cest bst msk ist jst z " +
    "年 月 日 年月日 時 分 午前 午後 上午 下午 년 월 일 오전 오후 ngày tháng lúc năm"
  ).split(" "),
);
const WORDS = /[\p{L}\p{M}\u200c\u200d]+(?:\.[\p{L}]+)?|\d+/gu;
const NEAR = 2;

/** Whether a line in lower case names a day: in numbers, or a month and the number beside it, in sixty languages. */
export function namesDay(bare: string): boolean {
  if (!/\d/.test(bare)) return false;
  if (NUMERIC.test(bare)) return true;
  const words = wordsOf(bare);
  return words.some(
    (word, at) => isMonth(word) && words.slice(Math.max(0, at - NEAR), at + NEAR + 1).some(isDayNumber),
  );
}

/** Whether a line names a time of day. */
export const namesTime = (bare: string): boolean => TIME.test(bare);

/** Whether a word belongs to a date, such as a month, a weekday, a number or "pm". */
export const isDateWord = (word: string): boolean =>
  /^\d+(?:st|nd|rd|th|h|г|р)?$/.test(word) || isMonth(word) || DAYS.has(word) || BESIDES.has(word);

/** Returns the words and numbers of a line that rules examine. */
export const wordsOf = (bare: string): string[] => bare.slice(0, MAX_RULE_CHARS).match(WORDS) ?? [];

// In Hebrew, "in" is the first letter of the month.
const isMonth = (word: string): boolean =>
  MONTHS.has(word) || (word.startsWith("ב") && MONTHS.has(word.slice(1)));

const isDayNumber = (word: string): boolean =>
  /^\d{1,2}$/.test(word) && Number(word) > 0 && Number(word) < 32;
