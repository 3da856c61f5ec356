import type { AuthResult, InboundEnvelope, SenderFacts } from "@letterslot/core";
import { spf } from "mailauth/lib/spf/index.js";
import { formatDomain } from "mailauth/lib/tools.js";
import type { MailauthResolver } from "./check-dns.ts";

/**
 * Checks SPF (RFC 7208, strictly) for the envelope's sender, or for the HELO name when the sender is empty.
 */
export async function readSpfFacts(
  envelope: InboundEnvelope,
  resolver: MailauthResolver,
  receiver: string,
): Promise<SenderFacts["spf"]> {
  if (envelope.client_ip === null) return { result: "none", domain: null };
  const checked = await spf({
    ...(envelope.mail_from === "" ? {} : { sender: envelope.mail_from }),
    ...(envelope.helo === null ? {} : { helo: envelope.helo }),
    ip: envelope.client_ip,
    mta: receiver,
    resolver,
    strict: true,
  });
  const domain =
    typeof checked.domain === "string" && checked.domain !== "" ? formatDomain(checked.domain) : null;
  return { result: checked.status.result as AuthResult, domain };
}
