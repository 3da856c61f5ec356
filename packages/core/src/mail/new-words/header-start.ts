import { isNameShaped } from "./closing.ts";
import { kindsIn } from "./header-block.ts";
import { isBlank, type Line } from "./line.ts";

/**
 * Where the reply header that is found at `at` really begins: some lines above it belong to it that say
 * nothing by themselves. Yandex sets a rule, "Кому: …;" and "Тема: …;" there; a header that was wrapped
 * before its address leaves the name.
 */
export function headerStart(lines: readonly Line[], at: number): number {
  if (isNameAbove(lines, at)) return at - 1;
  let start = at;
  while (start > 0 && isListed(lines[start - 1] as Line)) start -= 1;
  return start < at && /^-{4,}$/.test(lines[start - 1]?.bare ?? "") ? start - 1 : at;
}

function isNameAbove(lines: readonly Line[], at: number): boolean {
  const above = lines[at - 1];
  if (!lines[at]?.bare.startsWith("<") || above === undefined || isBlank(above)) return false;
  return at > 1 && isBlank(lines[at - 2]) && isNameShaped({ ...above, text: above.text.replace(/"/g, "") });
}

function isListed(line: Line): boolean {
  return line.bare.endsWith(";") && kindsIn(line) !== undefined;
}
