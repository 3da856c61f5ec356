import type { MailParser } from "@letterslot/core";
import { readMail } from "@letterslot/core/worker";
import { createMailThreads, type MailThreads, type MailThreadsOptions } from "./mail-threads.ts";

/** A parser and the threads it uses. */
export interface ThreadedMailParser extends MailParser {
  /** The same threads, for checking senders. */
  threads: MailThreads;
  close(): Promise<void>;
}

/**
 * Reads mail here or in a thread, as `createMailThreads` shares it out. Mail that takes too long fails with `mail_too_complex`, and
 * everything else goes on.
 */
export function createMailParser(options: MailThreadsOptions = {}): ThreadedMailParser {
  const threads = createMailThreads(options);
  return {
    threads,
    parse: (raw, how) => threads.read(raw, how) ?? readMail(raw, how, () => performance.now()),
    close: () => threads.close(),
  };
}
