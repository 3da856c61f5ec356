import { createDns } from "../../packages/adapter-smtp/src/sender/dns.ts";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { startDnsServer, type Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import {
  authenticateSender,
  type SenderAuthentication,
} from "../../packages/core/src/mail/sender/authentication.ts";
import type { InboundEnvelope, SenderFacts } from "../../packages/core/src/model/sender-facts.ts";

/** A mail's route, and the trusted forwarders. */
export interface Arrival extends Partial<InboundEnvelope> {
  trusted_sealers?: readonly string[];
}

/** Runs sender authentication as in production, from a DNS server with the zone to the rule. */
export async function judgeSender(
  mail: string,
  zone: Zone,
  { trusted_sealers = [], ...arrival }: Arrival = {},
): Promise<{ facts: SenderFacts; verdict: SenderAuthentication; asked: string[] }> {
  const { server, asked, close } = await startDnsServer(zone);
  try {
    // The machine may be busy: use a short timeout only for a server that is meant to be silent.
    const timeout_ms = Object.values(zone).includes("timeout") ? 100 : 20_000;
    const senderAuth = createSenderAuth({
      dns: createDns({ server, timeoutMs: timeout_ms }),
      timeoutMs: 2 * timeout_ms,
      name: "mx.test",
    });
    const raw = Buffer.from(mail, "utf8");
    const envelope = { mail_from: "", client_ip: null, helo: null, ...arrival };
    const [facts, parsed] = await Promise.all([senderAuth.check({ raw, envelope }), parseMail(raw)]);
    return { facts, verdict: authenticateSender(facts, parsed, trusted_sealers), asked };
  } finally {
    await close();
  }
}
