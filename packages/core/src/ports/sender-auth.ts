import type { InboundEnvelope, SenderFacts } from "../model/sender-facts.ts";

/**
 * Checks the sender of a mail. Looks up DNS; a DNS failure is `temperror` or `permerror` in the facts. It
 * never hangs. If it runs in a worker thread, it may fail like a `MailParser`, or with `storage_unavailable`
 * if the mail should be sent again.
 */
export interface SenderAuth {
  check(mail: { raw: Uint8Array; envelope: InboundEnvelope }): Promise<SenderFacts>;
}

/** The checks of a service that was given none: mail comes in, but proves nothing of its sender. */
export const noSenderAuth: SenderAuth = {
  check: async () => ({
    spf: { result: "none", domain: null },
    dkim: [],
    arc: null,
    dmarc: null,
    dmarc_temperror: false,
    repeated_headers: [],
  }),
};
