import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import { createMailDomain, type MailDomain } from "./mail-domain.ts";
import { type OnboardedOwner, onboardOwner } from "./onboarded-owner.ts";
import { createServerHome, type ServerHome } from "./server-process.ts";
import { type SmtpSink, startSmtpSink } from "./smtp.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** A server's home and environment: an owner's mail domain, an SMTP sink and a webhook receiver. */
export interface ServerWorld {
  domain: MailDomain;
  sink: SmtpSink;
  receiver: WebhookReceiver;
  home: ServerHome;
  /** The owner's address, and the agent's once it has signed up. */
  owner: string;
  address: string;
  /** Signs up the agent with a verified owner. */
  onboard(): Promise<OnboardedOwner>;
  /** Stops everything except the server. */
  close(): Promise<void>;
}

/** Starts the world; every start of the server gets `environment`. */
export async function startServerWorld(environment: Record<string, string> = {}): Promise<ServerWorld> {
  const owner = "mara@family.example.com";
  const domain = createMailDomain("family.example.com");
  const dns = await startDnsServer(domain.zone);
  const sink = await startSmtpSink();
  const receiver = await startWebhookReceiver();
  const home = await createServerHome({
    MAIL_DOMAIN: "agents.example.org",
    DNS_SERVER: dns.server,
    SMTP_URL: sink.url,
    WEBHOOK_ALLOW: "127.0.0.0/8",
    WEBHOOK_RETRIES: "1,2,4",
    ...environment,
  });
  return {
    domain,
    sink,
    receiver,
    home,
    owner,
    address: "ada@agents.example.org",
    onboard: () => onboardOwner(home.base_url, sink.arrived, { username: "ada", owner }),
    async close() {
      await receiver.close();
      await sink.close();
      await dns.close();
      home.remove();
    },
  };
}
