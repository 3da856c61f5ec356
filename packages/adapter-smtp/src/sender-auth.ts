import { hostname } from "node:os";
import type { Dns, SenderAuth, SenderFacts } from "@letterslot/core";
import { hasCostlyHeader, parseMail } from "@letterslot/core/worker";
import { createCachedDns } from "./cached-dns.ts";
import { createCheckResolver } from "./check-dns.ts";
import { readDkimFacts, uncheckedSignature } from "./dkim-facts.ts";
import { readDmarcFacts } from "./dmarc-facts.ts";
import type { MailWorkers } from "./mail-workers.ts";
import { readSpfFacts } from "./spf-facts.ts";

/** A body longer than this is hashed in a worker: a megabyte takes some 25 ms. */
export const INLINE_BODY_BYTES = 524_288;
const DEFAULT_TIMEOUT_MS = 3_000;
/** All look-ups of one mail together, as multiples of one. */
const DEADLINE_TIMEOUTS = 4;
const HEAD_BYTES = 1_048_576;

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
 * Checks where mail comes from with SPF, DKIM and DMARC, each strictly by its RFC. Never throws: a name that can't be looked up is
 * `temperror`. Answers of the DNS are remembered for five minutes.
 */
export function createSenderAuth(options: SenderAuthOptions): SenderAuth {
  const timeout_ms = options.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const dns = createCachedDns({ dns: options.dns, timeout_ms });

  return {
    async check({ raw, envelope }) {
      const resolver = createCheckResolver(dns, timeout_ms * DEADLINE_TIMEOUTS);
      const workers = hasCostlyHeader(raw) || raw.length > INLINE_BODY_BYTES ? options.workers : undefined;
      const [spf, dkim, dmarc] = await Promise.all([
        readSpfFacts(envelope, resolver, options.name ?? hostname()).catch((): SenderFacts["spf"] => ({
          result: "temperror",
          domain: null,
        })),
        (workers === undefined ? readDkimFacts(raw, resolver) : workers.readDkimFacts(raw, resolver)).catch(
          (): SenderFacts["dkim"] => [uncheckedSignature("temperror")],
        ),
        readPolicy(raw, resolver),
      ]);
      return { spf, dkim, ...dmarc };
    },
  };
}

async function readPolicy(
  raw: Uint8Array,
  resolver: ReturnType<typeof createCheckResolver>,
): Promise<Pick<SenderFacts, "dmarc" | "dmarc_temperror">> {
  try {
    const { from } = await parseMail(headOf(raw));
    const domain = from[0]?.address.split("@").at(-1) ?? "";
    return domain === "" ? { dmarc: null, dmarc_temperror: false } : await readDmarcFacts(domain, resolver);
  } catch {
    return { dmarc: null, dmarc_temperror: true };
  }
}

/** The header block alone: who wrote a mail needs none of its parts. */
function headOf(raw: Uint8Array): Uint8Array {
  const head = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, HEAD_BYTES));
  const ends = [head.indexOf("\r\n\r\n"), head.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? head : head.subarray(0, Math.min(...ends) + 4);
}
