import { SIGNALS, type SignalKind, type SignalType } from "../../../catalogue/signals.ts";
import type { Finding } from "../../../model/screening.ts";

/** Maximum length of a finding's sentence, in UTF-16 units. */
export const MAX_DETAIL_CHARS = 200;

/** Maximum length of a value quoted from the mail: a sender chooses it, and agents read it. */
export const MAX_QUOTED_CHARS = 60;

/**
 * Describes a signal in one sentence. `what` (a host, an address, a file name) is reduced to letters, digits
 * and the punctuation of such names, so that a hostile value can't pose as markup or as a sentence of its
 * own. `detail_if_held` is the sentence without it: of held mail only names of known brands are shown.
 */
export function finding(
  type: SignalType,
  place: { where?: string; what?: string; brand?: string } = {},
): Finding {
  const { says, says_of_held = says.replace(QUOTE, "") }: SignalKind = SIGNALS[type];
  const { where = "the mail", brand = "a brand", what = "an unnamed one" } = place;
  const fill = (sentence: string) =>
    sentence
      .replace("{where}", () => where)
      .replace("{brand}", () => brand)
      .replace("{what}", () => quotable(what))
      .slice(0, MAX_DETAIL_CHARS);
  return { type, detail: fill(says), detail_if_held: fill(says_of_held) };
}

/** `{what}` as it stands in most sentences: in brackets, or behind the noun that it names. */
const QUOTE = / \(\{what\}\)| \{what\}/;

function quotable(value: string): string {
  const safe = value
    .slice(0, 4 * MAX_QUOTED_CHARS)
    .replace(/[^\p{L}\p{N}.@_+:-]+/gu, " ")
    .trim();
  if (safe.length <= MAX_QUOTED_CHARS) return safe === "" ? "(unreadable)" : safe;
  return `${safe.slice(0, MAX_QUOTED_CHARS - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
