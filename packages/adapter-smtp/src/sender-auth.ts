import { hostname } from "node:os";
import type { Dns, SenderAuth, SenderFacts } from "@letterslot/core";
import { hasCostlyHeader } from "@letterslot/core/worker";
import { createCachedDns } from "./cached-dns.ts";
import { createCheckResolver } from "./check-dns.ts";
import type { AuthorPolicy } from "./dmarc-facts.ts";
import type { MailWorkers } from "./mail-workers.ts";
import type { SignatureFacts } from "./signature-facts.ts";
import { uncheckedSignature } from "./unchecked.ts";

/** A body longer than this is hashed in a worker: a megabyte takes some 25 ms. */
export const INLINE_BODY_BYTES = 524_288;
const DEFAULT_TIMEOUT_MS = 3_000;
/** When the last look-up of a mail may begin, in multiples of what one may take: with that one, all take four times as long. */
const BEGIN_WITHIN_TIMEOUTS = 3;

/** How to check senders. */
export interface SenderAuthOptions {
  dns: Dns;
  /** For one look-up; all of a mail together take at most four times as long. */
  timeout_ms?: number;
  /** Where costly mail is checked; on the calling thread when absent. */
  workers?: MailWorkers;
  /** This host's name, for SPF macros. */
  name?: string;
}

/**
 * Checks where mail comes from with SPF, DKIM, ARC and DMARC, each strictly by its RFC. Never throws: a name that can't be looked
 * up is `temperror`. Answers of the DNS are remembered for minutes.
 */
export function createSenderAuth(options: SenderAuthOptions): SenderAuth {
  const timeout_ms = options.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const dns = createCachedDns({ dns: options.dns, timeout_ms });
  let checks: Promise<Checks> | undefined;

  return {
    async check({ raw, envelope }) {
      checks ??= import("./checks.ts");
      const { readAuthorPolicy, readSignatureFacts, readSpfFacts, withDomainsApart } = await checks;
      const resolver = createCheckResolver(dns, timeout_ms * BEGIN_WITHIN_TIMEOUTS);
      const workers = hasCostlyHeader(raw) || raw.length > INLINE_BODY_BYTES ? options.workers : undefined;
      const [spf, signatures, policy] = await Promise.all([
        readSpfFacts(envelope, resolver, options.name ?? hostname()).catch(() => UNKNOWN_SPF),
        (workers?.readSignatureFacts ?? readSignatureFacts)(raw, resolver).catch(unknownSignatures),
        readAuthorPolicy(raw, resolver).catch(() => UNKNOWN_POLICY),
      ]);
      const passed = [spf, ...signatures.dkim].flatMap(({ result, domain }) => (result === "pass" && domain ? [domain] : []));
      return { spf, ...signatures, ...(await withDomainsApart(policy, passed, resolver)) };
    },
  };
}

type Checks = typeof import("./checks.ts");

const UNKNOWN_SPF: SenderFacts["spf"] = { result: "temperror", domain: null };
const UNKNOWN_POLICY: AuthorPolicy = { author: "", dmarc: null, dmarc_temperror: true };
const unknownSignatures = (): SignatureFacts => ({ dkim: [uncheckedSignature("temperror")], arc: null });
