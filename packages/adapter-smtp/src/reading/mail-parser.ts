import type { MailParser, ReadingOptions, ReadMail } from "@letterslot/core";
import { looksLong, parseMail, readContent } from "@letterslot/core/mail";
import { createMailWorkers, type MailWorkers, type MailWorkersOptions } from "./choose-reader.ts";

/** A parser and the worker threads it uses. */
export interface ThreadedMailParser extends MailParser {
  /** The worker threads, which can check senders too. */
  workers: MailWorkers;
  close(): Promise<void>;
}

/**
 * Reads mail on the calling thread or a worker thread, as `createMailWorkers` decides. Mail that takes too
 * long fails like in `createIsolatedWorkers`, without delaying other mail.
 */
export function createMailParser(options: MailWorkersOptions = {}): ThreadedMailParser {
  const workers = createMailWorkers(options);

  async function readHere(raw: Uint8Array, how: ReadingOptions): Promise<ReadMail> {
    const mail = await parseMail(raw);
    return looksLong(mail)
      ? workers.readLong(raw, how)
      : readContent(mail, how, () => performance.now(), raw);
  }

  return {
    workers,
    parse: (raw, how) => workers.read(raw, how) ?? readHere(raw, how),
    close: () => workers.close(),
  };
}
