/** The stretches of a text that are one word for all rules, in order: for each its start, its end, and 1 for an address. */
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
  const found: [start: number, end: number][] = [];
  const note = (pattern: RegExp) => {
    for (const { index, 0: stretch } of text.matchAll(pattern)) found.push([index, index + stretch.length]);
  };
  if (text.includes("@") || text.includes("://") || text.includes("www.")) note(ADDRESS);
  if (HOST_HINT.test(text)) note(HOST);
  if (names !== null) note(names);
  const flat: number[] = [];
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    const last = flat.length - CELLS;
    if (start < (flat[last + 1] ?? 0)) flat[last + 1] = Math.max(flat[last + 1] ?? 0, end);
    else flat.push(start, end, text.slice(start, end).includes("@") ? 1 : 0);
  }
  return flat;
}
