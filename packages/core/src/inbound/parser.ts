import { readMail } from "../mail/read-mail.ts";
import type { Clock } from "../ports/clock.ts";
import type { MailParser } from "../ports/mail-parser.ts";

/** Reads mail on the calling thread: the default, for embedders whose mail is tame. */
export function inlineParser(clock: Clock): MailParser {
  return { parse: (raw, options) => readMail(raw, options, () => clock.now().getTime()) };
}
