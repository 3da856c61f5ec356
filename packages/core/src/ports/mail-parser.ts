import type { ReadingOptions, ReadMail } from "../model/read-mail.ts";

/**
 * Reads a raw mail and everything its content tells. The default is core's `readMail` on the calling thread;
 * an adapter may use a worker thread with a deadline. Fails with `mail_unreadable` or `mail_too_complex`;
 * never hangs.
 */
export interface MailParser {
  parse(raw: Uint8Array, options: ReadingOptions): Promise<ReadMail>;
}
