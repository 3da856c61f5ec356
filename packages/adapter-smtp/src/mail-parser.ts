import type { MailParser } from "@letterslot/core";
import { extract, looksCostly, looksLong, parseMail } from "@letterslot/core/worker";
import { createMailWorkers, type MailWorkers } from "./mail-workers.ts";

/** A parser and the threads it uses. */
export interface ThreadedMailParser extends Required<MailParser> {
  /** The same threads, for checking costly senders. */
  workers: MailWorkers;
  close(): Promise<void>;
}

/**
 * Reads ordinary mail here and costly mail in a worker, which is killed at `deadline_ms`: then the mail fails with
 * `mail_too_complex`, and everything else goes on.
 */
export function createMailParser(options: { threads?: number; deadline_ms?: number } = {}): ThreadedMailParser {
  const workers = createMailWorkers(options);
  return {
    workers,
    parse: (raw) => (looksCostly(raw) ? workers.parse(raw) : parseMail(raw)),
    extract: async (mail) => (looksLong(mail) ? workers.extract(mail) : extract(mail)),
    close: () => workers.close(),
  };
}
