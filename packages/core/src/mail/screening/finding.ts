import { SIGNALS, type SignalType } from "../../catalogue/signals.ts";
import type { Finding } from "../../model/screening.ts";

/** A sentence of a finding is never longer than this, in UTF-16 units. */
export const MAX_DETAIL_CHARS = 200;

/** A value quoted from the mail is cut here: a sender chooses it, and it is read by agents. */
export const MAX_QUOTED_CHARS = 60;

/**
 * Says a signal in one sentence. `what` (a host, an address, a file name) is stripped of everything but
 * letters, digits and the marks of such names, so that a hostile value can neither pose as markup nor run on
 * as a sentence of its own.
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
