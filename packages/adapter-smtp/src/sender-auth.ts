import { hostname } from "node:os";
import type { Dns, SenderAuth } from "@letterslot/core";
import { createCachedDns } from "./cached-dns.ts";
import { checkSender } from "./check-sender.ts";
import type { MailThreads } from "./mail-threads.ts";

const DEFAULT_TIMEOUT_MS = 3_000;

/** How to check senders. */
export interface SenderAuthOptions {
  dns: Dns;
  /** For one look-up; all of a mail together take at most four times as long. */
  timeout_ms?: number;
  /** Where mail is checked that the calling thread has no time for; on the calling thread when absent. */
  threads?: MailThreads;
  /** This host's name, for SPF macros. */
  name?: string;
}

/**
 * Checks where mail comes from with SPF, DKIM, ARC and DMARC, each strictly by its RFC. A name that can't be
 * looked up is `temperror`; it fails only as a thread does that reads mail. Answers of the DNS are remembered
 * for minutes.
 */
export function createSenderAuth(options: SenderAuthOptions): SenderAuth {
  const timeout_ms = options.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const settings = {
    dns: createCachedDns({ dns: options.dns, timeout_ms }),
    timeout_ms,
    name: options.name ?? hostname(),
  };
  return { check: (mail) => options.threads?.check(mail, settings) ?? checkSender(mail, settings) };
}
