import type { OutgoingMail, RecipientResult, Transport } from "../src/ports/transport.ts";

/** A transport that records mail and responds as configured. */
export interface MemoryTransport extends Transport {
  /** The mails that at least one recipient accepted, oldest first. */
  sent: OutgoingMail[];
  /** Every mail that `send` was called with, oldest first. */
  attempts: OutgoingMail[];
  /** Makes this recipient fail from now on. */
  refuse(
    recipient: string,
    outcome: "temporary_failure" | "permanent_failure",
    detail?: string,
    said_by?: "recipient_host",
  ): void;
  /** Takes mail as a relay does that gives each this id from now on. */
  relayAs(provider_id: string | undefined): void;
  /** Makes the mail host of this recipient itself take mail, as a direct delivery does. */
  takenByHost(recipient: string): void;
  /** Makes this recipient accept again. */
  accept(recipient: string): void;
  /** Whether this recipient currently fails. */
  refused(recipient: string): boolean;
}

/** Creates an in-memory transport: every recipient accepts unless configured otherwise. */
export function createMemoryTransport(): MemoryTransport {
  const answers = new Map<string, Omit<RecipientResult, "recipient">>();
  const sent: OutgoingMail[] = [];
  const attempts: OutgoingMail[] = [];
  let relay: Pick<RecipientResult, "provider_id"> = {};

  return {
    name: "memory",
    sent,
    attempts,
    refuse(
      recipient,
      outcome,
      detail = outcome === "temporary_failure" ? "451 4.7.1 try again later" : "550 5.1.1 no such user",
      said_by,
    ) {
      answers.set(recipient, { outcome, detail, ...(said_by === undefined ? {} : { said_by }) });
    },
    relayAs(provider_id) {
      relay = provider_id === undefined ? {} : { provider_id };
    },
    takenByHost(recipient) {
      answers.set(recipient, { outcome: "accepted", detail: "250 2.0.0 ok", said_by: "recipient_host" });
    },
    accept(recipient) {
      answers.delete(recipient);
    },
    refused: (recipient) => answers.has(recipient),
    async send(mail) {
      const copy = structuredClone(mail);
      attempts.push(copy);
      const results = mail.envelope.rcpt_to.map((recipient) => ({
        recipient,
        ...(answers.get(recipient) ?? { outcome: "accepted" as const, detail: "250 2.0.0 ok", ...relay }),
      }));
      if (results.some((result) => result.outcome === "accepted")) sent.push(copy);
      return results;
    },
    async close() {},
  };
}
