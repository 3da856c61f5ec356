import type { OutgoingMail, RecipientResult, Transport } from "../../ports/transport.ts";

/** Receives a mail that an inbox of this service sent, as the inbound pipeline does. */
type Receive = (mail: {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: string[]; client_ip: null; helo: null };
  origin: "internal";
  sent_by: { inbox_id: string; account_id: string; address: string } | undefined;
}) => Promise<{ results: { recipient: string; outcome: string; reason: string | null }[] }>;

/**
 * A transport that delivers mail to this service's own inboxes through `receive`, without leaving the
 * machine, and hands the rest to `outside`.
 */
export function createRoutingTransport(
  outside: Transport,
  inside: {
    isOurs(address: string, mail: OutgoingMail): Promise<boolean>;
    receive: Receive;
  },
): Transport {
  return {
    name: outside.name,
    close: () => outside.close(),
    async send(mail) {
      const { rcpt_to } = mail.envelope;
      const is_ours = await Promise.all(rcpt_to.map((address) => inside.isOurs(address, mail)));
      const ours = rcpt_to.filter((_, index) => is_ours[index]);
      const others = rcpt_to.filter((_, index) => !is_ours[index]);
      const [delivered, sent] = await Promise.all([
        ours.length === 0 ? [] : deliver(mail, ours, inside.receive),
        others.length === 0 ? [] : outside.send(leaving(mail, others)),
      ]);
      return [...delivered, ...sent];
    },
  };
}

/** The mail as it leaves the service: with the header lines that are for outside. */
function leaving({ outside_header = "", ...mail }: OutgoingMail, rcpt_to: string[]): OutgoingMail {
  const envelope = { ...mail.envelope, rcpt_to };
  return { ...mail, envelope, raw: Buffer.concat([Buffer.from(outside_header), mail.raw]) };
}

async function deliver(
  { raw, from, sent_by }: OutgoingMail,
  rcpt_to: string[],
  receive: Receive,
): Promise<RecipientResult[]> {
  const envelope = { mail_from: from, rcpt_to, client_ip: null, helo: null };
  const { results } = await receive({
    ...{ raw, envelope, origin: "internal" as const },
    sent_by: sent_by && { ...sent_by, address: from },
  });
  return results.map(({ recipient, outcome, reason }) => {
    if (outcome === "refused")
      return { recipient, outcome: "permanent_failure", detail: `550 5.1.1 ${reason ?? "refused"}` };
    if (outcome === "deferred")
      return { recipient, outcome: "temporary_failure", detail: "451 4.2.1 the mailbox is disabled for now" };
    return { recipient, outcome: "accepted", detail: "250 2.0.0 delivered within this service" };
  });
}
