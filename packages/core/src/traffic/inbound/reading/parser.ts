import { readMail } from "../../../mail/read-mail.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { MailParser } from "../../../ports/mail-parser.ts";

/** Parses mail on the calling thread: the default, for embedders with trusted or little mail. */
export function inlineParser(clock: Clock): MailParser {
  return { parse: (raw, options) => readMail(raw, options, () => clock.now().getTime()) };
}
