import { withoutComments } from "../outgoing-html/style-sheets.ts";
import type { Pictures } from "./pictures.ts";

const SIGN = /["'\\]|url\(|(?:image-set|src)\(|@import|@font-face/gi;
/** A line break in CSS (CSS Syntax, 3.3): each may end a string, and none does after a backslash. */
const LINE_BREAK = /\r\n?|\f/g;
/** A letter that is written as its code point, or after a backslash: it means itself. */
const ESCAPED = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([g-z]))/iy;

/**
 * CSS that loads nothing: each `url()` becomes a picture that is shown, or none; `@import` and `@font-face` go, and
 * functions that take a URL as a string are unknown ones. The rest stays as it is. Linear.
 */
export function quietCss(css: string, pictures: Pictures): string {
  const source = plainLetters(withoutComments(css.replace(LINE_BREAK, "\n")));
  const kept: string[] = [];
  let copied = 0;
  const sign = new RegExp(SIGN);
  const replace = (from: number, to: number, by: string) => {
    kept.push(source.slice(copied, from), by);
    copied = to;
    sign.lastIndex = to;
  };
  for (let found = sign.exec(source); found !== null; found = sign.exec(source)) {
    const what = found[0].toLowerCase();
    const after = sign.lastIndex;
    if (what === "\\") sign.lastIndex = after + 1;
    else if (what === '"' || what === "'") sign.lastIndex = stringEnd(source, after, what);
    else if (what === "@import") replace(found.index, endAfter(source, after, ";"), "");
    else if (what === "image-set(" || what === "src(") replace(found.index, after, `no-${what}`);
    else if (what.startsWith("@")) replace(found.index, endAfter(source, after, "}"), "");
    else {
      const { url, end } = readUrl(source, after);
      const shown = pictures.show(url);
      replace(found.index, end, shown === undefined ? "none" : `url(${quoted(shown)})`);
    }
  }
  return kept.join("") + source.slice(copied);
}

/** CSS whose names are written without escapes, as far as letters go. */
function plainLetters(css: string): string {
  if (!css.includes("\\")) return css;
  const kept: string[] = [];
  let copied = 0;
  const sign = /["'\\]/g;
  for (let found = sign.exec(css); found !== null; found = sign.exec(css)) {
    const [what] = found;
    if (what !== "\\") {
      sign.lastIndex = stringEnd(css, sign.lastIndex, what);
      continue;
    }
    ESCAPED.lastIndex = found.index;
    const [escape = "", code, letter] = ESCAPED.exec(css) ?? [];
    const meant = code === undefined ? letter : letterOf(Number.parseInt(code, 16));
    sign.lastIndex = found.index + Math.max(escape.length, 2);
    if (meant === undefined) continue;
    kept.push(css.slice(copied, found.index), meant);
    copied = sign.lastIndex;
  }
  return kept.join("") + css.slice(copied);
}

const letterOf = (code: number): string | undefined =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? String.fromCharCode(code) : undefined;

/** In quotes of neither kind that the CSS may stand in, and without what ends a string. */
const quoted = (url: string): string =>
  `'${url.replace(/['"\\\n\r\f<]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;

function endAfter(source: string, from: number, sign: string): number {
  const at = source.indexOf(sign, from);
  return at < 0 ? source.length : at + 1;
}

/** The end of a string that began before `from`, after its quote; a line break ends it too. */
function stringEnd(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === "\\") at += 1;
    else if (character === quote || character === "\n") return at + 1;
  }
  return source.length;
}

/** The URL of a `url(` that ended before `from`, and the end of it. */
function readUrl(source: string, from: number): { url: string; end: number } {
  let start = from;
  while (/\s/.test(source.charAt(start))) start += 1;
  const quote = source.charAt(start);
  if (quote !== '"' && quote !== "'") {
    const end = endAfter(source, start, ")");
    return { url: source.slice(start, source.charAt(end - 1) === ")" ? end - 1 : end), end };
  }
  const end = stringEnd(source, start + 1, quote);
  return { url: source.slice(start + 1, end - 1), end: endAfter(source, end, ")") };
}
