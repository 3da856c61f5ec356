/** A client's preference for a type: its quality, and the specificity of the match. */
interface Wish {
  quality: number;
  /** 2: the type itself, 1: its family such as text/*, 0: any type. */
  closeness: number;
}

const MAX_HEADER_CHARS = 1_000;
const UNWANTED: Wish = { quality: 0, closeness: -1 };

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) wants HTML or JSON; `either` when it makes no difference, as
 * without one. Of two equally wanted types, the more specifically named one wins.
 */
export function preferredType(accept: string | undefined): "html" | "json" | "either" {
  const ranges = (accept || "*/*").slice(0, MAX_HEADER_CHARS).toLowerCase().split(",").map(readRange);
  const html = wishFor("text/html", ranges);
  const json = wishFor("application/json", ranges);
  const difference = html.quality - json.quality || html.closeness - json.closeness;
  if (difference === 0) return "either";
  return difference > 0 ? "html" : "json";
}

function readRange(item: string): { range: string; quality: number } {
  const [range = "", ...parameters] = item.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return { range, quality: Number(quality) || 0 };
}

function wishFor(type: string, ranges: readonly { range: string; quality: number }[]): Wish {
  const names = ["*/*", `${type.split("/")[0]}/*`, type];
  const wishes = ranges.map(({ range, quality }) => ({ quality, closeness: names.indexOf(range) }));
  return wishes.reduce((best, wish) => (wish.closeness > best.closeness ? wish : best), UNWANTED);
}
