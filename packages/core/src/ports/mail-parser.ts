import type { ExtractableMail, Extraction } from "../extraction/extract.ts";
import type { ParsedMail } from "../inbound/parsed-mail.ts";

/**
 * Reads a raw mail. The default parses on the calling thread; an adapter may move large or odd mail to a worker and end it at a
 * deadline. Fails with the codes `mail_unreadable` and `mail_too_complex`, never hangs.
 */
export interface MailParser {
  parse(raw: Uint8Array): Promise<ParsedMail>;
  /** Tells a mail's new words from what it quotes, as core's `extract` does, which is used on the calling thread where this is missing. */
  extract?(mail: ExtractableMail): Promise<Extraction>;
}
