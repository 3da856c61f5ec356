/** The stretches of a text that are one word for all rules, in order: for each its start, its end, and 1 for an address. */
export type Stretches = readonly number[];

/** The part of an address before its @, from its end; in Latin letters, as no space may follow them in other scripts. */
const BEFORE_AT = /[a-z0-9._%+-]/;
const MAX_LOCAL_CHARS = 64;
const AFTER_AT = /(?:[a-z0-9-]{1,63}\.){0,6}[a-z0-9-]{1,63}/y;
const URL_SIGNS = ["://", "www."];
const SCHEMES = ["https", "http"];
const URL_REST = /[^\s<>"']{1,2000}/y;
/** The ending of a host without a scheme: only those that no word after a full stop is mistaken for. */
const HOST_ENDING = /\.(?:com|net|org|edu|gov|biz|info|dev|app|test)(?![a-z0-9-])/g;
const IN_LABEL = /[a-z0-9-]/;
const MAX_LABELS = 6;
const MAX_HOST_CHARS = MAX_LABELS * 64;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;

/** A text with none of these has no address, URL or host. */
export const NAME_SIGNS: ReadonlySet<string> = new Set([
  "@",
  ...URL_SIGNS,
  ...["com", "net", "org", "edu", "gov", "biz", "info", "dev", "app", "test"].map((ending) => `.${ending}`),
]);

/** The numbers of a stretch. */
export const CELLS = 3;

/** The most recipients whose names are looked at, and the length of each name. */
const MAX_NAMES = 8;
const MAX_NAME_CHARS = 60;

/**
 * Returns a pattern for the words in the names of a mail's recipients that are also words for a machine: "assistant" in
 * a greeting to assistant@ is no talk to one. Only such words: its sender writes the names, and could otherwise have any
 * word of a command overlooked. Null without any.
 */
export function namesPattern(
  recipients: readonly { address: string; name: string }[],
  machine_words: ReadonlySet<string>,
): RegExp | null {
  const words = recipients
    .slice(0, MAX_NAMES)
    .flatMap(({ address, name }) => [address.split("@")[0] ?? "", name])
    .flatMap((name) =>
      name
        .slice(0, MAX_NAME_CHARS)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((word) => machine_words.has(word));
  if (words.length === 0) return null;
  return new RegExp(`(?<![a-z0-9\\p{M}])(?:${[...new Set(words)].join("|")})(?![a-z0-9\\p{M}])`, "gu");
}

/** Finds addresses, URLs, hosts and the given names in a folded text; linear. */
export function stretchesIn(text: string, names: RegExp | null): Stretches {
  const found: [start: number, end: number][] = [...addressesIn(text), ...urlsIn(text), ...hostsIn(text)];
  if (names !== null)
    for (const { index, 0: stretch } of text.matchAll(names)) found.push([index, index + stretch.length]);
  if (found.length === 0) return NONE;
  const flat: number[] = [];
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    const last = flat.length - CELLS;
    if (start < (flat[last + 1] ?? 0)) flat[last + 1] = Math.max(flat[last + 1] ?? 0, end);
    else flat.push(start, end, text.slice(start, end).includes("@") ? 1 : 0);
  }
  return flat;
}

const NONE: Stretches = [];

function* addressesIn(text: string): Generator<[start: number, end: number]> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && at - start < MAX_LOCAL_CHARS && BEFORE_AT.test(text.charAt(start - 1))) start -= 1;
    while (start < at && !/[a-z0-9]/.test(text.charAt(start))) start += 1;
    const end = endOf(AFTER_AT, text, at + 1);
    if (start < at && end > at + 1) yield [start, end];
  }
}

function* urlsIn(text: string): Generator<[start: number, end: number]> {
  for (const sign of URL_SIGNS)
    for (let at = text.indexOf(sign), end = 0; at >= 0; at = text.indexOf(sign, Math.max(end, at + 1))) {
      const scheme = sign === "www." ? "" : SCHEMES.find((each) => text.endsWith(each, at));
      end = scheme === undefined ? 0 : endOf(URL_REST, text, at + sign.length);
      if (scheme !== undefined && end > at + sign.length) yield [at - scheme.length, end];
    }
}

function* hostsIn(text: string): Generator<[start: number, end: number]> {
  for (const { index, 0: ending } of text.matchAll(HOST_ENDING)) {
    const start = startOfHost(text, index);
    if (start >= 0) yield [start, index + ending.length];
  }
}

/** Where a host begins whose last label is behind this full stop; -1 if no host ends there. */
function startOfHost(text: string, stop: number): number {
  let start = stop;
  for (let labels = 1; start > 0; start -= 1) {
    const before = text.charAt(start - 1);
    if (before === ".") {
      labels += 1;
      if (text.charAt(start) === "." || labels > MAX_LABELS) return -1;
    } else if (!IN_LABEL.test(before)) break;
    if (stop - start > MAX_HOST_CHARS) return -1;
  }
  const is_host =
    start < stop && text.charAt(start) !== "." && !LETTER_OR_NUMBER.test(text.charAt(start - 1));
  return is_host ? start : -1;
}

/** Where what a sticky pattern finds at a place ends; 0 if it finds nothing there. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
