import { SIGNALS, type SignalType } from "../../catalogue/signals.ts";
import type { Finding } from "../../model/screening.ts";

/** Maximum length of a finding's sentence, in UTF-16 units. */
export const MAX_DETAIL_CHARS = 200;

/** Maximum length of a value quoted from the mail: a sender chooses it, and agents read it. */
export const MAX_QUOTED_CHARS = 60;

/**
 * Describes a signal in one sentence. `what` (a host, an address, a file name) is reduced to letters, digits
 * and the punctuation of such names, so that a hostile value can't pose as markup or as a sentence of its
 * own.
 */
export function finding(type: SignalType, place: { where?: string; what?: string } = {}): Finding {
  const detail = SIGNALS[type].says
    .replace("{where}", () => place.where ?? "the mail")
    .replace("{what}", () => quotable(place.what ?? "an unnamed one"));
  return { type, detail: detail.slice(0, MAX_DETAIL_CHARS) };
}

function quotable(value: string): string {
  const safe = value
    .slice(0, 4 * MAX_QUOTED_CHARS)
    .replace(/[^\p{L}\p{N}.@_+:-]+/gu, " ")
    .trim();
  if (safe.length <= MAX_QUOTED_CHARS) return safe === "" ? "(unreadable)" : safe;
  return `${safe.slice(0, MAX_QUOTED_CHARS - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}
