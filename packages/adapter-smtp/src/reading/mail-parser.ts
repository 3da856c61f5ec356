import { looksLong, parseMail, readContent } from "@letterslot/core/mail";
import type { MailParser, ReadingOptions, ReadMail } from "@letterslot/core/ports";
import { MADE_UP_MAIL, MADE_UP_SETTINGS } from "../sender/made-up-mail.ts";
import { createMailWorkers, type MailWorkers, type MailWorkersOptions } from "./choose-reader.ts";

/** A parser and the worker threads it uses. */
export interface ThreadedMailParser extends MailParser {
  /** The worker threads, which can check senders too. */
  workers: MailWorkers;
  /** Reads a made-up mail on the calling thread, so that the first real one finds its code and tables there. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** A longer mail is searched for letters in a thread: the worst of this size takes about 20 ms. */
const SEARCHED_HERE_BYTES = 16_384;

/**
 * Reads mail on the calling thread or a worker thread, as `createMailWorkers` decides. Mail that takes too
 * long fails like in `createIsolatedWorkers`, without delaying other mail.
 */
export function createMailParser(options: MailWorkersOptions = {}): ThreadedMailParser {
  const workers = createMailWorkers(options);

  async function readHere(raw: Uint8Array, how: ReadingOptions): Promise<ReadMail> {
    if (how.searchLetters === true && raw.length > SEARCHED_HERE_BYTES) return workers.readLong(raw, how);
    const mail = await parseMail(raw);
    return looksLong(mail)
      ? workers.readLong(raw, how)
      : readContent(mail, how, () => performance.now(), raw);
  }

  return {
    workers,
    parse: (raw, how) => workers.read(raw, how) ?? readHere(raw, how),
    async warmUp() {
      await readHere(MADE_UP_MAIL.raw, { screeningTimeoutMs: MADE_UP_SETTINGS.timeoutMs });
    },
    close: () => workers.close(),
  };
}
