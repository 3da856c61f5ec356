import type { InboundEnvelope, SenderFacts } from "../model/sender-facts.ts";

/**
 * Checks where a mail comes from. Looks up DNS, whose trouble is `temperror` or `permerror` in the facts. It
 * never hangs; where a thread does it, it may fail as a `MailParser` does, or with `storage_unavailable` when
 * the mail should come again.
 */
export interface SenderAuth {
  check(mail: { raw: Uint8Array; envelope: InboundEnvelope }): Promise<SenderFacts>;
}
