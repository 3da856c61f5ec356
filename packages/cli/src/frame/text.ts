import { styleText } from "node:util";

/** Characters that a terminal obeys rather than shows, and those that change the direction of the surrounding text. */
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const UNSHOWN_BUT_LINES = new RegExp(
  UNSHOWN.source.replace("\\u0000-\\u001f", "\\u0000-\\u0008\\u000b-\\u001f"),
  "g",
);
/** The same characters, except those that JSON escapes. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A stranger's text on one line, without anything that a terminal would obey. */
export const oneLine = (text: string): string => text.replace(UNSHOWN, " ").replace(/ {2,}/g, " ").trim();

/** A stranger's text with its lines, without anything else that a terminal would obey. */
export const lines = (text: string): string => text.replace(/\r\n?/g, "\n").replace(UNSHOWN_BUT_LINES, " ");

/** JSON on one line, safe to show on a terminal. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(UNESCAPED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of terminal columns that a character takes. */
function widthOfCharacter(character: string): number {
  if (character >= " " && character <= "~") return 1;
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Returns the number of terminal columns that a line takes. */
export function widthOf(line: string): number {
  let width = 0;
  for (const character of line) width += widthOfCharacter(character);
  return width;
}

/** Cuts a line to so many columns, the last of which says that it was cut. */
export function fitted(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let width = 0;
  let kept = "";
  for (const character of line) {
    width += widthOfCharacter(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Fills a line with spaces to so many columns. */
export const padded = (line: string, columns: number): string =>
  line + " ".repeat(Math.max(0, columns - widthOf(line)));

/**
 * Replaces the escape character in our own text until it is printed: it can't be guessed, so no other text contains it.
 */
const OUR_ESCAPE = `\ufdd0${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex")}`;

/**
 * Makes text safe to print: all output to standard output and standard error passes this function. It keeps lines, tabs
 * and our own styles, and replaces anything else that a terminal would obey by a space.
 */
export const printable = (text: string): string => lines(text).replaceAll(OUR_ESCAPE, "\u001b");

type Style = Parameters<typeof styleText>[0];

/** Styles text for `printable`, or returns it as it is. */
export type Styler = (style: Style, text: string) => string;

/** A styler for a stream: colours only on a terminal, and never with NO_COLOR. */
export function stylerFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Styler {
  const coloured = stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return (style, text) =>
    coloured
      ? styleText(style, lines(text), { validateStream: false }).replaceAll("\u001b", OUR_ESCAPE)
      : text;
}

/**
 * A sentence of this program with its commands as whoever started it can type them: for those who run it with npx, nothing is
 * called `letterslot`.
 */
export const asTyped = (text: string, env: NodeJS.ProcessEnv): string =>
  env["npm_lifecycle_event"] === "npx"
    ? text.replace(/(?<![\w@/.-])letterslot(?= [a-z]+)/g, "npx -y @letterslot/cli")
    : text;
