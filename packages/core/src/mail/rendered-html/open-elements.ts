import { IMPLIED_END } from "../reply-extraction/html-parse.ts";
import { MAX_HTML_DEPTH } from "../reply-extraction/limits.ts";
import { FORMATTING, TABLE_PARTS } from "./elements.ts";

/** Formatting elements that may go on after what they began in has ended: browsers open each of them anew in all that follows. */
const MAX_GOING_ON = 20;

/** Elements that end with the next one of their kind, and what they stand in. */
const SERIES: readonly { names: ReadonlySet<string>; within: ReadonlySet<string> }[] = [
  { names: new Set(["td", "th"]), within: new Set(["tr", "table"]) },
  { names: new Set(["tr"]), within: new Set(["tbody", "thead", "tfoot", "table"]) },
  { names: new Set(["tbody", "thead", "tfoot"]), within: new Set(["table"]) },
  { names: new Set(["li"]), within: new Set(["ul", "ol", "menu", "dir", "td", "th", "table"]) },
  { names: new Set(["dt", "dd"]), within: new Set(["dl", "td", "th", "table"]) },
];

/** The elements that are open, as far as tags need them, so that what is written is never deep. */
export interface OpenElements {
  /** What to write before an element that begins; undefined for one that would stand too deep, which doesn't begin. */
  open(name: string): string | undefined;
  /** What to write to close an element; nothing if it isn't open. */
  close(name: string): string;
}

/** Follows tags as browsers do, roughly: at most MAX_HTML_DEPTH elements are open at once. Linear. */
export function followElements(): OpenElements {
  const stack: string[] = [];
  const dissolved = new Map<string, number>();
  const going_on = new Map<string, number>();
  let all_going_on = 0;

  /**
   * Ends the elements from a place of the stack on, for an element that ends or begins. The formatting ones among them go
   * on, if few do; none does beyond its cell.
   */
  const endFrom = (place: number, why: string): string => {
    let ended = "";
    const over = stack.splice(place);
    if (TABLE_PARTS.has(why)) return ended;
    for (const name of over.reverse()) {
      if (!FORMATTING.has(name)) continue;
      if (all_going_on >= MAX_GOING_ON) ended += `</${name}>`;
      else {
        all_going_on += 1;
        going_on.set(name, (going_on.get(name) ?? 0) + 1);
      }
    }
    return ended;
  };

  const take = (counts: Map<string, number>, name: string): boolean => {
    const count = counts.get(name) ?? 0;
    if (count > 0) counts.set(name, count - 1);
    return count > 0;
  };

  return {
    open(name) {
      const ended = endFrom(siblingOf(stack, name) ?? stack.length, name);
      while (IMPLIED_END.get(name)?.has(stack.at(-1) ?? "") === true) stack.pop();
      if (stack.length < MAX_HTML_DEPTH) {
        stack.push(name);
        return ended;
      }
      dissolved.set(name, (dissolved.get(name) ?? 0) + 1);
      return undefined;
    },
    close(name) {
      if (take(dissolved, name)) return "";
      const place = placeOf(stack, name);
      if (place === undefined) {
        if (!take(going_on, name)) return "";
        all_going_on -= 1;
        return `</${name}>`;
      }
      const ended = endFrom(place + 1, name);
      stack.pop();
      return `${ended}</${name}>`;
    },
  };
}

/** The place of the open element that a new one follows and ends. */
function siblingOf(stack: readonly string[], name: string): number | undefined {
  const series = SERIES.find(({ names }) => names.has(name));
  if (series === undefined) return undefined;
  const place = stack.findLastIndex((open) => series.names.has(open) || series.within.has(open));
  return series.names.has(stack[place] ?? "") ? place : undefined;
}

/** The place of the innermost open element of a name that a closing tag reaches. */
function placeOf(stack: readonly string[], name: string): number | undefined {
  const is_part = TABLE_PARTS.has(name);
  const ends = (open: string) => open === name || (is_part ? open === "table" : TABLE_PARTS.has(open));
  const place = stack.findLastIndex(ends);
  return stack[place] === name ? place : undefined;
}
