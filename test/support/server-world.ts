import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import { type MailDomain, mailDomain } from "./mail-domain.ts";
import { type OnboardedOwner, onboardedOwner } from "./onboarded-owner.ts";
import { type ServerHome, serverHome } from "./server-process.ts";
import { type SmtpSink, startSmtpSink } from "./smtp.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/**
 * A home for one server, and all that it deals with: an owner's mail domain, the mail server and the receiver
 * that it sends to.
 */
export interface ServerWorld {
  domain: MailDomain;
  sink: SmtpSink;
  receiver: WebhookReceiver;
  home: ServerHome;
  /** The owner's address, and the agent's once it has signed up. */
  owner: string;
  address: string;
  /** Signs the agent up, its owner verified. */
  onboard(): Promise<OnboardedOwner>;
  /** Ends everything but the server. */
  close(): Promise<void>;
}

/** Starts the world; each start of the server has `environment`. */
export async function startServerWorld(environment: Record<string, string> = {}): Promise<ServerWorld> {
  const owner = "mara@family.example.com";
  const domain = mailDomain("family.example.com");
  const dns = await startDnsServer(domain.zone);
  const sink = await startSmtpSink();
  const receiver = await startWebhookReceiver();
  const home = await serverHome({
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
    onboard: () => onboardedOwner(home.base_url, sink.arrived, { username: "ada", owner }),
    async close() {
      await receiver.close();
      await sink.close();
      await dns.close();
      home.remove();
    },
  };
}
