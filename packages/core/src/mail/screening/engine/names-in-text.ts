/**
 * The stretches of a text that are one word for all rules, in order: for each its start, its end, and 1 if it is the
 * address of somebody else than the recipients, otherwise 0.
 */
export type Stretches = readonly number[];

/** In Latin letters, as no space may follow them in other scripts. */
const ADDRESS =
  /[a-z0-9][a-z0-9._%+-]{0,63}@(?:[a-z0-9-]{1,63}\.){0,6}[a-z0-9-]{1,63}|(?:https?:\/\/|www\.)[^\s<>"']{1,2000}/g;
/** A host without a scheme: only under endings that no word after a full stop is mistaken for. */
const HOST =
  /(?<![\p{L}\p{N}.-])(?:[a-z0-9-]{1,63}\.){1,6}(?:com|net|org|edu|gov|biz|info|dev|app|test)(?![a-z0-9-])/gu;
const HOST_HINT = /\.(?:com|net|org|edu|gov|biz|info|dev|app|test)/;

/** The numbers of a stretch. */
export const CELLS = 3;

/** Shorter names are words of their own too often. */
const LEAST_NAME_CHARS = 3;
/** The most names of recipients that are looked for, and the length of each. */
const MAX_NAMES = 8;
const MAX_NAME_CHARS = 60;

/**
 * Returns a pattern for the names by which a mail speaks to its recipients: "assistant" in a greeting to assistant@ is
 * no talk to a machine. Null without names.
 */
export function namesPattern(recipients: readonly { address: string; name: string }[]): RegExp | null {
  const names = recipients
    .slice(0, MAX_NAMES)
    .flatMap(({ address, name }) => [address, address.split("@")[0] ?? "", name])
    .map((name) => name.trim().toLowerCase().slice(0, MAX_NAME_CHARS))
    .filter((name) => name.length >= LEAST_NAME_CHARS);
  if (names.length === 0) return null;
  const forms = [...new Set(names)]
    .toSorted((one, other) => other.length - one.length)
    .map((name) =>
      name
        .split(/[\s._+-]+/u)
        .map((part) => part.replace(/[\\^$*?()[\]{}|/]/g, "\\$&"))
        .join("[\\s._+-]"),
    );
  return new RegExp(`(?<![a-z0-9\\p{M}])(?:${forms.join("|")})(?![a-z0-9\\p{M}])`, "gu");
}

/** Finds addresses, URLs, hosts and the given names in a folded text; linear. */
export function stretchesIn(text: string, names: RegExp | null): Stretches {
  const found: [start: number, end: number, is_own: boolean][] = [];
  const note = (pattern: RegExp, is_own: boolean) => {
    for (const { index, 0: stretch } of text.matchAll(pattern))
      found.push([index, index + stretch.length, is_own]);
  };
  if (text.includes("@") || text.includes("://") || text.includes("www.")) note(ADDRESS, false);
  if (HOST_HINT.test(text)) note(HOST, false);
  if (names !== null) note(names, true);
  const flat: number[] = [];
  for (const [start, end, is_own] of found.toSorted(([one], [other]) => one - other)) {
    const last = flat.length - CELLS;
    if (start < (flat[last + 1] ?? 0)) {
      if (is_own && flat[last] === start && end >= (flat[last + 1] ?? 0)) flat[last + 2] = 0;
      flat[last + 1] = Math.max(flat[last + 1] ?? 0, end);
    } else flat.push(start, end, !is_own && text.slice(start, end).includes("@") ? 1 : 0);
  }
  return flat;
}
