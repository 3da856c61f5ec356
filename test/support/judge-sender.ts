import type { InboundEnvelope } from "../../packages/core/src/model/sender-facts.ts";
import type { SenderFacts } from "../../packages/core/src/model/sender-facts.ts";
import { createDns } from "../../packages/adapter-smtp/src/sender/dns.ts";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { startDnsServer, type Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { type Authentication, authenticate } from "../../packages/core/src/mail/sender/authentication.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";


/** How a mail came, and who is trusted to pass mail on. */
export interface Arrival extends Partial<InboundEnvelope> {
  trusted_sealers?: readonly string[];
}

/**
 * Takes a mail through the whole check, from the DNS server that has the zone to the rule, as production
 * does.
 */
export async function judgeSender(
  mail: string,
  zone: Zone,
  { trusted_sealers = [], ...arrival }: Arrival = {},
): Promise<{ facts: SenderFacts; verdict: Authentication; asked: string[] }> {
  const { server, asked, close } = await startDnsServer(zone);
  try {
    // A machine may be busy: only a server that is meant to be silent is given up soon.
    const timeout_ms = Object.values(zone).includes("timeout") ? 100 : 20_000;
    const senderAuth = createSenderAuth({
      dns: createDns({ server, timeout_ms }),
      timeout_ms: 2 * timeout_ms,
      name: "mx.test",
    });
    const raw = Buffer.from(mail, "utf8");
    const envelope = { mail_from: "", client_ip: null, helo: null, ...arrival };
    const [facts, parsed] = await Promise.all([senderAuth.check({ raw, envelope }), parseMail(raw)]);
    return { facts, verdict: authenticate(facts, parsed, trusted_sealers), asked };
  } finally {
    await close();
  }
}
