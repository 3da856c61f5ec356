import type { SignalType } from "../../catalogue/signals.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { Finding } from "../../model/screening.ts";
import { finding } from "./finding.ts";
import type { ScreenedSender } from "./sender-signals.ts";

/** What a stranger has no business asking for in a first mail; each has a pair with `first_contact`. */
const ASKED: ReadonlySet<SignalType> = new Set<SignalType>([
  "content_request",
  "destructive_request",
  "forward_request",
  "guarded_thing",
  "payment_order",
  "prompt_question",
  "reply_to_all_mail",
  "secret_question",
  "settings_request",
]);

/** A mail of this length asks for little else. */
const SHORT_MAIL_CHARS = 1_000;
/** Of a page, so much more is markup. */
const MARKUP_SHARE = 4;

/**
 * That the inbox has no authenticated history with the sender, where a short mail asks for something of the kind. By itself
 * it weighs nothing: everybody writes for a first time.
 */
export function firstContactSignals(
  { text, html }: Pick<ParsedMail, "text" | "html">,
  sender: ScreenedSender,
  found: readonly Finding[],
): Finding[] {
  const familiar = sender.authenticated && (sender.known || sender.trusted);
  const short = Math.max(text.length, (html?.length ?? 0) / MARKUP_SHARE) <= SHORT_MAIL_CHARS;
  return short && !familiar && found.some(({ type }) => ASKED.has(type)) ? [finding("first_contact")] : [];
}
