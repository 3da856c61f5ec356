import type { ReadingOptions, ReadMail } from "../model/read-mail.ts";

/**
 * Reads a raw mail, with all that its content says. The default does so on the calling thread, as core's
 * `readMail`; an adapter may have a thread do it, and end that at a deadline. Fails with the codes
 * `mail_unreadable` and `mail_too_complex`, never hangs.
 */
export interface MailParser {
  parse(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
}
