import type { MailParser, ReadingOptions, ReadMail } from "@letterslot/core";
import { looksLong, parseMail, readContent } from "@letterslot/core/worker";
import { createMailThreads, type MailThreads, type MailThreadsOptions } from "./mail-threads.ts";

/** A parser and the threads it uses. */
export interface ThreadedMailParser extends MailParser {
  /** The same threads, for checking senders. */
  threads: MailThreads;
  close(): Promise<void>;
}

/**
 * Reads mail here or in a thread, as `createMailThreads` shares it out. Mail that takes too long fails with
 * `mail_too_complex`, and everything else goes on.
 */
export function createMailParser(options: MailThreadsOptions = {}): ThreadedMailParser {
  const threads = createMailThreads(options);

  async function readHere(raw: Uint8Array, how: ReadingOptions): Promise<ReadMail> {
    const mail = await parseMail(raw);
    return looksLong(mail) ? threads.readLong(raw, how) : readContent(mail, how, () => performance.now());
  }

  return {
    threads,
    parse: (raw, how) => threads.read(raw, how) ?? readHere(raw, how),
    close: () => threads.close(),
  };
}
