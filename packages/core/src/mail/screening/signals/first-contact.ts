import type { SignalType } from "../../../catalogue/signals.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";
import { finding } from "./finding.ts";
import type { ScreenedSender } from "./sender-signals.ts";

/** Requests that a stranger has no business making in a first mail; each has a pair with `first_contact`. */
export const ASKED_AT_FIRST: ReadonlySet<SignalType> = new Set<SignalType>([
  "answer_dictated",
  "authority_claim",
  "coded_exchange",
  "content_request",
  "destructive_request",
  "dialogue",
  "encoded_text",
  "fiction_frame",
  "forward_request",
  "guarded_thing",
  "limits_lifted",
  "machine_parts",
  "model_addressed",
  "new_task",
  "override_vague",
  "pressed_machine",
  "prompt_question",
  "repeated_words",
  "reply_to_all_mail",
  "role_change",
  "role_label",
  "secret_question",
  "send_elsewhere",
  "session_reset",
  "settings_request",
  "split_command",
  "standing_order",
  "user_in_third_person",
]);

/** The maximum length of a mail that asks for little else. */
const SHORT_MAIL_CHARS = 600;
/** The factor for pages, which consist mostly of markup. */
const MARKUP_SHARE = 4;

/** Whether an authenticated sender's word for who they are is borne out by what the inbox has: any of these will do. */
const isFamiliar = ({ authenticated, known, organisation_known, trusted }: ScreenedSender): boolean =>
  authenticated && (known || organisation_known || trusted);

/**
 * Signals that the inbox has no authenticated history with the sender of a short mail that makes such a request. Alone
 * it weighs nothing: everybody writes for a first time.
 */
export function firstContactSignals(
  { text, html }: Pick<ParsedMail, "text" | "html">,
  sender: ScreenedSender,
  found: readonly Finding[],
): Finding[] {
  const short = Math.max(text.length, (html?.length ?? 0) / MARKUP_SHARE) <= SHORT_MAIL_CHARS;
  return short && !isFamiliar(sender) && found.some(({ type }) => ASKED_AT_FIRST.has(type))
    ? [finding("first_contact")]
    : [];
}
