import type { AuthResult, Dns, InboundEnvelope, SenderAuth, SenderFacts } from "@letterslot/core/ports";
import { spf } from "mailauth/lib/spf/index.js";
import { formatDomain } from "mailauth/lib/tools.js";
import { type AuthorPolicy, readAuthorPolicy, separateOtherOrganisations } from "./dmarc-facts.ts";
import { createLimitedResolver, type MailauthResolver } from "./limited-dns.ts";
import { readSignatureFacts, type SignatureFacts, uncheckedSignature } from "./signature-facts.ts";

/**
 * A message's last lookup must start within this many lookup timeouts, so that all lookups together take at
 * most four.
 */
const START_WITHIN_TIMEOUTS = 3;

/** A message to check: its bytes and its envelope. */
export type CheckedMail = Parameters<SenderAuth["check"]>[0];

/** The settings of sender checks. */
export interface CheckSettings {
  /** A caching resolver. */
  dns: Dns;
  /** Per lookup; all lookups of a message together take at most four times as long. */
  timeoutMs: number;
  /** This host's name, for SPF macros. */
  name: string;
}

/**
 * Checks a message's origin with SPF, DKIM, ARC and DMARC, each strictly by its RFC, on the calling thread.
 * Never throws: a failed lookup is `temperror`.
 */
export async function checkSender(
  { raw, envelope }: CheckedMail,
  { dns, timeoutMs: timeout_ms, name }: CheckSettings,
): Promise<SenderFacts> {
  const resolver = createLimitedResolver(dns, timeout_ms * START_WITHIN_TIMEOUTS);
  const [spf_facts, signatures, policy] = await Promise.all([
    readSpfFacts(envelope, resolver, name).catch(() => UNKNOWN_SPF),
    readSignatureFacts(raw, resolver).catch(unknownSignatures),
    readAuthorPolicy(raw, resolver).catch(() => UNKNOWN_POLICY),
  ]);
  const passed = [spf_facts, ...signatures.dkim].flatMap(({ result, domain }) =>
    result === "pass" && domain ? [domain] : [],
  );
  const dmarc_facts = await separateOtherOrganisations(policy, passed, resolver);
  return { spf: spf_facts, ...signatures, ...dmarc_facts };
}

const UNKNOWN_SPF: SenderFacts["spf"] = { result: "temperror", domain: null };
const UNKNOWN_POLICY: AuthorPolicy = { author: "", dmarc: null, dmarc_temperror: true };
const unknownSignatures = (): SignatureFacts => ({
  dkim: [uncheckedSignature("temperror")],
  arc: null,
  repeated_headers: [],
});

/** Checks SPF (RFC 7208, strictly) for the envelope sender, or for the HELO name if the sender is empty. */
async function readSpfFacts(
  envelope: InboundEnvelope,
  resolver: MailauthResolver,
  receiver: string,
): Promise<SenderFacts["spf"]> {
  const { client_ip, mail_from, helo } = envelope;
  if (client_ip === null) return { result: "none", domain: null };
  const checked = await spf({
    ...(mail_from === "" ? {} : { sender: mail_from }),
    ...(helo === null ? {} : { helo }),
    ip: client_ip,
    mta: receiver,
    resolver,
    strict: true,
  });
  const domain =
    typeof checked.domain === "string" && checked.domain !== "" ? formatDomain(checked.domain) : null;
  return { result: checked.status.result as AuthResult, domain };
}
