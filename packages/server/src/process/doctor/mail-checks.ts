import { randomBytes } from "node:crypto";
import { whole } from "@letterslot/client";
import { examineOwnDomain, hasRelayReported, type OwnDomain } from "@letterslot/core/internal";
import { silentLog } from "@letterslot/core/ports";
import { listenHttp } from "../../http/listen.ts";
import type { MailTaker, SmtpServer } from "../run.ts";
import { type Check, check, failed, named, ok, reasonOf, warning } from "./checks.ts";
import {
  domainsAbove,
  examineOtherUses,
  examineReverseName,
  judgeDomain,
  mailHostsOf,
} from "./domain-checks.ts";
import { type Facts, hasRole, LOOK_MS } from "./facts.ts";
import { clientOf, reachableHost } from "./running-server.ts";
import { examineSelfMail, type Mailbox } from "./self-mail.ts";
import { judgeCertificate, probeSmtp } from "./smtp-probe.ts";

const CONNECT_MS = 8_000;
const SMTP_PORT = 25;
const CLOSE_MS = 1_000;

/** The ports of a server that doesn't run, taken for a moment, and mail that comes in there. */
export async function takePorts(
  facts: Facts,
): Promise<{ checks: Check[]; smtp: SmtpServer | undefined; mailbox: Mailbox | undefined }> {
  const { tools, config, dataDir, closing } = facts;
  const checks: Check[] = [];
  try {
    const http = await listenHttp(config.host, config.port);
    await http.close(CLOSE_MS);
    checks.push(named("port.http", ok(`HTTP can listen at ${config.host}:${config.port}.`)));
  } catch (error) {
    checks.push(named("port.http", notTaken("PORT", config.host, config.port, error)));
  }
  if (!hasRole(config, "smtp") || config.smtp_port === "off")
    return { checks, smtp: undefined, mailbox: undefined };
  const { mailbox, taker } = doctorsMailbox(config.mail_domain);
  try {
    const smtp = await tools.listenSmtp(config, config.smtp_port, dataDir, taker, silentLog);
    closing.push(smtp.close);
    checks.push(named("port.smtp", ok(`Mail can come in at ${smtp.host}:${smtp.port}.`)));
    return { checks, smtp, mailbox };
  } catch (error) {
    checks.push(named("port.smtp", notTaken("SMTP_PORT", config.smtp_host, config.smtp_port, error)));
    return { checks, smtp: undefined, mailbox: undefined };
  }
}

function notTaken(name: string, host: string, port: number, error: unknown) {
  const { code } = error as { code?: string };
  if (code === "EADDRINUSE")
    return failed(
      `Port ${port} is in use by another program.`,
      `Stop that program, or set ${name} to another port.`,
    );
  if (code === "EACCES")
    return failed(
      `This user may not use port ${port}.`,
      `Set ${name} to a port above 1023, or allow it: setcap cap_net_bind_service=+ep on Node, or a port forward.`,
    );
  return failed(
    `Nothing can listen at ${host}:${port}: ${reasonOf(error)}.`,
    `Check ${name} and the host beside it.`,
  );
}

/** An address that exists while the doctor looks; all other mail is put off. */
function doctorsMailbox(mail_domain: string): { mailbox: Mailbox; taker: MailTaker } {
  const address = `letterslot-doctor-${randomBytes(6).toString("hex")}@${mail_domain}`;
  const arrived: string[] = [];
  return {
    mailbox: { address, arrived: () => arrived },
    taker: {
      accept: async (recipient) => (recipient.toLowerCase() === address ? "ok" : "deferred"),
      async receive({ raw, envelope }) {
        arrived.push(Buffer.from(raw).toString("utf8"));
        const stored = { outcome: "stored", reason: null, message_id: null } as const;
        return { results: envelope.rcpt_to.map((recipient) => ({ recipient, ...stored })) };
      },
    },
  };
}

/** Whether mail can come in encrypted. */
export async function starttls({ config, running }: Facts, taken: SmtpServer | undefined): Promise<Check[]> {
  if (!hasRole(config, "smtp") || config.smtp_port === "off" || config.smtp_port === 0) return [];
  if (taken === undefined && running === undefined) return [];
  const port = taken?.port ?? config.smtp_port;
  const host = reachableHost(config.smtp_host).replace(/^\[|\]$/g, "");
  const fix = "Check that the server listens for mail (SMTP_HOST, SMTP_PORT), and see its log.";
  return [
    await check("starttls", { within_ms: CONNECT_MS, fix }, async (signal) => {
      const { certificate } = await probeSmtp(host, port, signal);
      if (certificate === undefined)
        return failed(`What answers at ${host}:${port} offers no STARTTLS.`, "Check that it is this server.");
      return judgeCertificate(certificate, [config.mail_domain], new Date());
    }),
  ];
}

/** Whether a name is only for this machine, where no DNS says anything about it (RFC 6761). */
const isLocalName = (name: string): boolean => /(?:^|\.)localhost$/.test(name);

/** Checks the DNS records of MAIL_DOMAIN, and whether its mail hosts answer. */
export async function domain({ config, running, storage }: Facts): Promise<Check[]> {
  const { mail_domain, smtp_url } = config;
  if (isLocalName(mail_domain))
    return [named("dns", ok(`Mail for ${mail_domain} stays on this machine, which takes no DNS records.`))];
  if (storage === undefined && running === undefined) return [];
  const found = storage === undefined ? (running?.mail_domain ?? null) : await ownDomain(storage);
  const checks = judgeDomain(found, { sends: smtp_url !== undefined });
  if (storage === undefined) return checks;
  const { dns } = storage.service.services;
  const other_uses = config.dkim_key === undefined ? [] : [await otherUses(mail_domain, storage)];
  const mail_hosts = check(
    "port.25_in",
    { within_ms: LOOK_MS, fix: "Check the MX record, the firewall and what forwards port 25 to SMTP_PORT." },
    async (signal) => {
      const hosts = await mailHostsOf(dns, mail_domain);
      if (hosts.length === 0) return warning("No mail host of MAIL_DOMAIN has an address.", "See dns.mx.");
      const tried = await Promise.allSettled(
        hosts.map(({ address }) => probeSmtp(address, SMTP_PORT, signal)),
      );
      const deaf = hosts.filter((_, index) => tried[index]?.status === "rejected");
      if (deaf.length === 0) return ok(`Every mail host of ${mail_domain} answers on port 25.`);
      return warning(
        `From here, ${deaf.map(({ host, address }) => `${host} (${address})`).join(", ")} can't be reached on port 25.`,
        "Try it from outside too (some networks don't lead back): the firewall must let port 25 in, and it must lead to SMTP_PORT.",
      );
    },
  );
  if (smtp_url?.startsWith("mx:") !== true) return [...checks, ...other_uses, await mail_hosts];
  const reverse = check("dns.ptr", { within_ms: LOOK_MS, fix: "Check DNS_SERVER." }, () =>
    examineReverseName(dns, mail_domain),
  );
  return [...checks, ...other_uses, await mail_hosts, await reverse];
}

/** Custom domains whose DNS is looked at. */
const MAX_DOMAINS = 50;

/** Whether DKIM_KEY is published where other mail may be signed with it: above MAIL_DOMAIN, and at custom domains. */
function otherUses(mail_domain: string, { opened, service }: NonNullable<Facts["storage"]>): Promise<Check> {
  const { dns, storage } = service.services;
  return check(
    "dns.dkim_elsewhere",
    { within_ms: LOOK_MS, fix: "Check DKIM_KEY and DNS_SERVER." },
    async () => {
      const order = { by: "domain", direction: "asc" } as const;
      const custom = await storage.find("proven_domains", { where: {}, order, limit: MAX_DOMAINS });
      const domains = new Set([...domainsAbove(mail_domain), ...custom.map((proven) => proven.domain)]);
      return examineOtherUses(dns, await opened.dkim(), [...domains]);
    },
  );
}

async function ownDomain({ opened, service }: NonNullable<Facts["storage"]>): Promise<OwnDomain | null> {
  try {
    return await examineOwnDomain(service.services, await opened.dkim());
  } catch {
    return null;
  }
}

/** Whether mail can leave: the relay takes the login, or port 25 is open. */
export async function relay(facts: Facts): Promise<Check[]> {
  return [...(await wayOut(facts)), ...(await relayReports(facts))];
}

/** Whether the relay ever told what became of mail, which only it learns. */
async function relayReports({ config, storage }: Facts): Promise<Check[]> {
  const { smtp_url } = config;
  if (smtp_url === undefined || smtp_url.startsWith("mx:") || storage === undefined) return [];
  const fix =
    "Let the relay report by its webhook through an adapter to POST /api/v1/internal/delivery-reports (examples/delivery-reports), and set REPORTS_SECRET.";
  return [
    await check("relay.reports", { within_ms: LOOK_MS, fix }, async () =>
      (await hasRelayReported(storage.service.services.storage))
        ? ok("The relay reports what becomes of mail.")
        : warning(
            "The relay has never reported a delivery, bounce or complaint: addresses that don't exist go on being written to, unless it sends bounces by mail.",
            fix,
          ),
    ),
  ];
}

async function wayOut({ config, tools, storage, wishes }: Facts): Promise<Check[]> {
  const { smtp_url } = config;
  if (smtp_url === undefined)
    return [named("relay", ok("Outgoing mail is captured in DATA_DIR/outbox, as SMTP_URL isn't set."))];
  if (smtp_url.startsWith("mx:")) return portOut({ smtp_url, tools, storage, wishes });
  const { host } = new URL(smtp_url);
  const fix = `Check SMTP_URL, that ${host} runs, and that this machine's provider lets its port out.`;
  return [
    await check("relay", { within_ms: LOOK_MS, fix }, async () => {
      try {
        await tools.verifyRelay(smtp_url, CONNECT_MS);
        return ok(`${host} takes mail from here.`);
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        if (code === "EAUTH")
          return failed(
            `${host} refuses the login: ${message}`,
            "Set the user and password in SMTP_URL right.",
          );
        return failed(`${host} can't be used: ${reasonOf(error)}.`, fix);
      }
    }),
  ];
}

async function portOut({
  smtp_url,
  tools,
  storage,
  wishes,
}: Pick<Facts, "tools" | "storage" | "wishes"> & { smtp_url: string }): Promise<Check[]> {
  const dns = storage?.service.services.dns;
  if (dns === undefined) return [];
  const port = tools.directPort(smtp_url);
  const fix = `Ask the provider of this machine to let port ${port} out, or send through a relay (SMTP_URL=smtps://…).`;
  return [
    await check("relay", { within_ms: LOOK_MS, fix }, async (signal) => {
      const [first] = await mailHostsOf(dns, wishes.probe_domain);
      if (first === undefined)
        return failed(
          `No mail host of ${wishes.probe_domain} can be found.`,
          "Check DNS_SERVER, or name another with --probe.",
        );
      try {
        await probeSmtp(first.address, port, signal);
        return ok(`Port ${port} is open: ${first.host} answers.`);
      } catch (error) {
        return failed(`${first.host} can't be reached on port ${port}: ${reasonOf(error)}.`, fix);
      }
    }),
  ];
}

/** Sends a mail to itself and finds it, over the way that mail takes. */
export async function selfMail(
  facts: Facts,
  taken: { smtp: SmtpServer | undefined; mailbox: Mailbox | undefined } | undefined,
  sends: boolean,
): Promise<Check> {
  const { config, tools, storage, running, wishes, environment, closing } = facts;
  const { smtp_url, smtp_port } = config;
  const name = "self_mail";
  const not = (says: string, fix: string) =>
    named(name, warning(`No mail was sent to itself: ${says}.`, fix));
  if (smtp_port === "off") return named(name, ok("No mail was sent to itself, as SMTP_PORT is off."));
  if (!sends) return not("outgoing mail can't leave", "Mend what is wrong with the relay first.");
  const client = running === undefined ? undefined : clientOf(running, environment);
  if (taken?.mailbox === undefined && client === undefined)
    return running === undefined
      ? not("its port can't be used", "Mend what is wrong with port.smtp first.")
      : not(
          "this takes an inbox of the server that runs",
          "Set LETTERSLOT_API_KEY to a key that may create inboxes, or run this while the server is stopped.",
        );
  const through_relay = smtp_url !== undefined && !smtp_url.startsWith("mx:");
  const local = `smtp://${reachableHost(config.smtp_host)}:${taken?.smtp?.port ?? smtp_port}`;
  const fix = "Check what mail in and mail out need, above.";
  return check(name, { within_ms: wishes.wait_ms + LOOK_MS, fix }, async () => {
    const mailbox = taken?.mailbox ?? (await inboxOf(client as NonNullable<typeof client>, closing));
    const own = storage?.opened.ports.transport;
    const transport = through_relay ? (own ?? tools.createRelay(smtp_url)) : tools.createRelay(local);
    if (transport !== own) closing.push(() => transport.close());
    const over = through_relay ? "through SMTP_URL" : "straight to this machine's mail port";
    return examineSelfMail({ transport, over }, mailbox, new Date(), AbortSignal.timeout(wishes.wait_ms));
  });
}

/** An inbox of the running server, for as long as the doctor looks. */
async function inboxOf(
  client: NonNullable<ReturnType<typeof clientOf>>,
  closing: Facts["closing"],
): Promise<Mailbox> {
  const { id: inbox_id, email: address } = whole(await client.inboxes.create({ ttl_hours: 1 }));
  // It expires by itself within the hour.
  closing.push(() => client.inboxes.delete({ inbox_id, permanent: true }).catch(() => undefined));
  return {
    address,
    async arrived() {
      const { data } = await client.messages.list({ inbox_id, direction: "inbound" });
      return data.map((message) => ("text" in message ? (message.text ?? "") : ""));
    },
  };
}
