// A Cloudflare Email Worker: mail for a domain at Cloudflare reaches a Letterslot service that has no port 25.
// Deploy it with `npx wrangler deploy`, give it the service's INBOUND_SECRET with
// `npx wrangler secret put INBOUND_SECRET`, and send the domain's catch-all address to it (Email Routing).

/** The variables from wrangler.jsonc, and the secret. */
interface Environment {
  /** The service's BASE_URL. */
  LETTERSLOT_URL: string;
  INBOUND_SECRET: string;
}

/** The members of Cloudflare's `ForwardableEmailMessage` that this worker uses. */
interface IncomingMail {
  /** The sender and the recipient of the envelope. */
  readonly from: string;
  readonly to: string;
  readonly raw: ReadableStream<Uint8Array>;
  /** Refuses the mail for good. */
  setReject(reason: string): void;
}

export default {
  async email(mail: IncomingMail, env: Environment): Promise<void> {
    const response = await fetch(`${env.LETTERSLOT_URL}/api/v1/internal/inbound`, {
      method: "POST",
      headers: {
        "content-type": "message/rfc822",
        "x-svc-inbound-secret": env.INBOUND_SECRET,
        "x-svc-mail-from": mail.from,
        "x-svc-rcpt-to": mail.to,
      },
      body: await new Response(mail.raw).arrayBuffer(),
    });
    if (response.status === 413) return mail.setReject("The message is too large.");
    // Cloudflare asks the sender to try again when this function throws: nothing is lost while the service is down.
    if (!response.ok) throw new Error(`the service answered ${response.status}`);
    const { accepted, reason } = (await response.json()) as { accepted: boolean; reason: string | null };
    if (!accepted) mail.setReject(`The address takes no mail (${reason}).`);
  },
};
