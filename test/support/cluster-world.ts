import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@letterslot/client";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { createDkimKey } from "./dkim-key.ts";
import { createMailDomain, type MailDomain } from "./mail-domain.ts";
import { type SmtpSink, startSmtpSink } from "./smtp.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** A cluster with its environment: a domain with DNS and signed mail, an SMTP sink and a webhook receiver. */
export interface ClusterWorld {
  cluster: Cluster;
  domain: MailDomain;
  sink: SmtpSink;
  receiver: WebhookReceiver;
  /** Clients of the individual api processes, bypassing the load balancer; they don't retry. */
  replicas(api_key: string): Client[];
  close(): Promise<void>;
}

/** Starts a cluster for `agents.example.org`, with `family.example.com` as the sending domain. */
export async function startClusterWorld(): Promise<ClusterWorld> {
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const domain = createMailDomain("family.example.com");
    const dns = await startDnsServer(domain.zone);
    undo.push(dns.close);
    const sink = await startSmtpSink();
    undo.push(sink.close);
    const receiver = await startWebhookReceiver();
    undo.push(receiver.close);
    const folder = mkdtempSync(join(tmpdir(), "letterslot-world-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const cluster = await startCluster({
      environment: {
        MAIL_DOMAIN: "agents.example.org",
        DNS_SERVER: dns.server,
        SMTP_URL: sink.url,
        DKIM_KEY: createDkimKey(folder),
        WEBHOOK_ALLOW: "127.0.0.0/8",
        WEBHOOK_RETRIES: "1,2,4",
        TRUSTED_PROXIES: "127.0.0.0/8,::1",
      },
    });
    undo.push(cluster.close);
    const apis = cluster.members.filter(({ role }) => role === "api");
    const replicas = (api_key: string) =>
      apis.map(({ home: { base_url } }) =>
        createClient({ baseUrl: base_url, apiKey: api_key, retries: 0, timeoutMs: 10_000 }),
      );
    return { cluster, domain, sink, receiver, replicas, close };
  } catch (error) {
    await close();
    throw error;
  }
}
