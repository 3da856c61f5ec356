import { hostname } from "node:os";
import type { Dns, SenderAuth, SenderFacts } from "@letterslot/core/ports";
import { createCachedDns } from "./cached-dns.ts";
import type { CheckedMail, CheckSettings } from "./check-sender.ts";

const DEFAULT_TIMEOUT_MS = 3_000;

/** Checks senders on worker threads. */
export interface SenderCheckWorkers {
  check(mail: CheckedMail, settings: CheckSettings): Promise<SenderFacts>;
}

/** Options for checking senders. */
export interface SenderAuthOptions {
  dns: Dns;
  /** Per lookup; all lookups of a message together take at most four times as long. */
  timeoutMs?: number;
  /** The threads on which senders are checked. Default: the calling thread. */
  workers?: SenderCheckWorkers;
  /** This host's name, for SPF macros. */
  name?: string;
}

/**
 * Checks where mail comes from with SPF, DKIM, ARC and DMARC, each strictly by its RFC. A failed lookup is
 * `temperror`; rejects only if a worker thread fails. DNS answers are cached for minutes.
 */
export function createSenderAuth(options: SenderAuthOptions): SenderAuth {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const settings = {
    dns: createCachedDns({ dns: options.dns, timeoutMs }),
    timeoutMs,
    name: options.name ?? hostname(),
  };
  const { workers } = options;
  return { check: (mail) => workers?.check(mail, settings) ?? checkHere(mail, settings) };
}

let checks: Promise<typeof import("./check-sender.ts")> | undefined;

async function checkHere(mail: CheckedMail, settings: CheckSettings): Promise<SenderFacts> {
  // mailauth loads slowly, so only with the first message.
  checks ??= import("./check-sender.ts");
  return (await checks).checkSender(mail, settings);
}
