import type { Dns, SenderAuth, SenderFacts } from "@letterslot/core";
import { createCheckResolver } from "./check-dns.ts";
import type { AuthorPolicy } from "./dmarc-facts.ts";
import type { SignatureFacts } from "./signature-facts.ts";
import { uncheckedSignature } from "./unchecked.ts";

/**
 * When the last look-up of a mail may begin, in multiples of what one may take: with that one, all take four
 * times as long.
 */
const BEGIN_WITHIN_TIMEOUTS = 3;

/** What senders are checked with. */
export interface CheckSettings {
  /** A resolver that remembers. */
  dns: Dns;
  /** For one look-up; all of a mail together take at most four times as long. */
  timeout_ms: number;
  /** This host's name, for SPF macros. */
  name: string;
}

let checks: Promise<typeof import("./checks.ts")> | undefined;

/** Loads what checks need, which takes a while: done with the first mail, or before it. */
export function loadChecks(): Promise<typeof import("./checks.ts")> {
  checks ??= import("./checks.ts");
  return checks;
}

/**
 * Checks where a mail comes from with SPF, DKIM, ARC and DMARC, each strictly by its RFC, on the calling
 * thread. Never throws: a name that can't be looked up is `temperror`.
 */
export async function checkSender(
  { raw, envelope }: Parameters<SenderAuth["check"]>[0],
  { dns, timeout_ms, name }: CheckSettings,
): Promise<SenderFacts> {
  const { readAuthorPolicy, readSignatureFacts, readSpfFacts, withDomainsApart } = await loadChecks();
  const resolver = createCheckResolver(dns, timeout_ms * BEGIN_WITHIN_TIMEOUTS);
  const [spf, signatures, policy] = await Promise.all([
    readSpfFacts(envelope, resolver, name).catch(() => UNKNOWN_SPF),
    readSignatureFacts(raw, resolver).catch(unknownSignatures),
    readAuthorPolicy(raw, resolver).catch(() => UNKNOWN_POLICY),
  ]);
  const passed = [spf, ...signatures.dkim].flatMap(({ result, domain }) =>
    result === "pass" && domain ? [domain] : [],
  );
  return { spf, ...signatures, ...(await withDomainsApart(policy, passed, resolver)) };
}

const UNKNOWN_SPF: SenderFacts["spf"] = { result: "temperror", domain: null };
const UNKNOWN_POLICY: AuthorPolicy = { author: "", dmarc: null, dmarc_temperror: true };
const unknownSignatures = (): SignatureFacts => ({ dkim: [uncheckedSignature("temperror")], arc: null });
