import type { z } from "zod";

/** An escape, a class, the opening of a special group, or any other character of a regular expression's source. */
const TOKEN =
  /\\(?:[pPk][{<][^}>]*[}>]|u\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:<[A-Za-z_$][^>]*>|[ims-])?|[^]/g;
/** An entry of a class: a character or an escape, or a range of them. */
const ENTRY = /(\\[^]|[^\\])(?:-(\\[^]|[^\]\\]))?/g;
/** The inside of a class. */
const INSIDE = /(?<=^\[\^?)[^]*(?=\]$)/;
/** An escape that means the character itself. */
const LITERAL = /^\\[^A-Za-z0-9]$/;
/** An escape that matches the same in either case. */
const CASELESS = /^\\(?:[^A-Za-z0-9]|[bBdDsSwWtnrvf0])$/;
const MODIFIER = /^\(\?[ims-]/;

/**
 * Returns the source of a regular expression that matches the same without its flags, since a pattern of JSON Schema has
 * none: where case is ignored, each letter is written in both. Throws for flags and sources that can't be written so.
 */
export function flaglessPattern(expression: RegExp): string {
  const { source, flags } = expression;
  if (flags === "" || flags === "u") return source;
  if (flags !== "i") throw cannotBeWritten(expression);
  return source.replaceAll(TOKEN, (token) => {
    if (token.startsWith("[")) return token.replace(INSIDE, (inside) => inBothCases(inside, expression));
    if (MODIFIER.test(token)) throw cannotBeWritten(expression);
    if (token.startsWith("\\")) return checkedEscape(token, CASELESS, expression);
    if (token.length > 1) return token;
    const letter = checkedCharacter(token, expression);
    return /[a-z]/i.test(letter) ? `[${letter.toUpperCase()}${letter.toLowerCase()}]` : letter;
  });
}

/** The inside of a class, with the other case of its letters and of its ranges of letters. */
function inBothCases(inside: string, expression: RegExp): string {
  const others = [...inside.matchAll(ENTRY)].flatMap(([, from = "", to]) => {
    if (to === undefined && from.startsWith("\\")) {
      checkedEscape(from, CASELESS, expression);
      return [];
    }
    const first = endOfRange(from, expression);
    const last = endOfRange(to ?? from, expression);
    const upper = rangeWithin(first, last, "a", "z").toUpperCase();
    return [upper, rangeWithin(first, last, "A", "Z").toLowerCase()];
  });
  const missing = [...new Set(others)].filter((range) => !inside.includes(range)).join("");
  // At the end, where it means itself, a hyphen would make a range with what follows.
  return /(?:^|[^\\])-$/.test(inside) ? `${inside.slice(0, -1)}${missing}-` : `${inside}${missing}`;
}

const endOfRange = (text: string, expression: RegExp): string =>
  text.startsWith("\\")
    ? checkedEscape(text, LITERAL, expression).slice(1)
    : checkedCharacter(text, expression);

/** The part of a range that lies between two characters, as the text of a class; empty if there is none. */
function rangeWithin(first: string, last: string, from: string, to: string): string {
  const low = first < from ? from : first;
  const high = last > to ? to : last;
  if (low > high) return "";
  return low === high ? low : `${low}-${high}`;
}

function checkedEscape(escape: string, allowed: RegExp, expression: RegExp): string {
  if (!allowed.test(escape)) throw cannotBeWritten(expression);
  return escape;
}

/** Beyond ASCII, a letter may have more than two cases. */
function checkedCharacter(character: string, expression: RegExp): string {
  if (character > "\u007f") throw cannotBeWritten(expression);
  return character;
}

const cannotBeWritten = (expression: RegExp): Error =>
  new Error(`${String(expression)} has no form without flags, which JSON Schema needs: write both cases out`);

/** Returns the regular expressions that a schema itself checks texts by. */
export function patternsOf(schema: z.core.$ZodType): RegExp[] {
  const { def } = schema["_zod"];
  const checks = (def.checks ?? []).map((check): object => check["_zod"].def);
  return [def, ...checks].flatMap((each: { pattern?: unknown }) =>
    each.pattern instanceof RegExp ? [each.pattern] : [],
  );
}
