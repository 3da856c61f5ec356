import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import dns2 from "dns2";
import { createTransport } from "nodemailer";

const SELECTOR = "mail";
/** A string in a TXT record is limited to 255 bytes. */
const TXT_CHUNKS = /.{1,255}/g;
const KINDS = ["TXT", "MX", "CNAME"] as const;
const LOCALHOST = "127.0.0.1";

/** A mail from one of the simulated domains. */
export interface OutsideMail {
  from: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  /** Leaves the signature out, as somebody who only writes a name into From has to. */
  forged?: boolean;
}

/** Mail domains that exist on this machine alone. */
export interface OutsideWorld {
  dns_port: number;
  /** Sends a mail to an SMTP server of this machine, and resolves to its answer. Rejects if it is refused. */
  send(mail: OutsideMail, smtp_port: number): Promise<string>;
  /** Publishes the records of a zone file, each on a line of its own, and returns all names that exist. */
  publish(zone_file: string): string[];
  close(): Promise<void>;
}

/**
 * Simulates mail domains: a DNS server on this machine that publishes for each which hosts may send its mail (SPF), its
 * signing key (DKIM), and that other mail is refused (DMARC). SPF names another host than this machine, so only the
 * signature authenticates mail.
 */
export async function createOutsideWorld({
  domains,
  mailDomain,
  dnsPort = 0,
}: {
  domains: readonly string[];
  /** The domain of the service, whose SPF record the custom domains of its users refer to. */
  mailDomain: string;
  dnsPort?: number;
}): Promise<OutsideWorld> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const records = new Map<string, string[]>([
    [`TXT ${mailDomain}`, ["v=spf1 ip4:127.0.0.1 -all"]],
    ...domains.flatMap((domain): [string, string[]][] => [
      [`TXT ${domain}`, ["v=spf1 ip4:192.0.2.1 -all"]],
      [`TXT ${SELECTOR}._domainkey.${domain}`, [`v=DKIM1; k=rsa; p=${published}`]],
      [`TXT _dmarc.${domain}`, ["v=DMARC1; p=reject"]],
    ]),
  ]);
  const dns = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = dns2.Packet.createResponseFromRequest(request);
      for (const { name, type } of request.questions)
        for (const kind of KINDS) {
          // An alias answers for every type.
          if (type !== dns2.Packet.TYPE[kind] && kind !== "CNAME") continue;
          for (const value of records.get(`${kind} ${name.toLowerCase()}`) ?? [])
            response.answers.push(answerOf(name, kind, value) as (typeof response.answers)[number]);
        }
      if (response.answers.length === 0) response.header.rcode = 3; // NXDOMAIN
      void send(response);
    },
  });
  await dns.listen({ udp: { port: dnsPort, address: LOCALHOST } });
  return {
    dns_port: dns.addresses().udp?.port ?? dnsPort,
    async send({ from, to, subject, text, forged = false }, smtp_port) {
      const [, domainName = ""] = from.address.split("@");
      const smtp = createTransport({
        host: LOCALHOST,
        port: smtp_port,
        name: `mail.${domainName}`,
        tls: { rejectUnauthorized: false },
      });
      const signing = { domainName, keySelector: SELECTOR, privateKey: pem };
      const mail = { from, to, subject, text, ...(forged ? {} : { dkim: signing }) };
      return (await smtp.sendMail(mail)).response;
    },
    publish(zone_file) {
      const lines = zone_file.matchAll(/^([^;$\s]+)\.\s+\d+\s+IN\s+(TXT|MX|CNAME)\s+(.+)$/gm);
      for (const [, name = "", kind = "", data = ""] of lines) {
        const key = `${kind} ${name.toLowerCase()}`;
        // The strings of a TXT record are one text.
        const strings = [...data.matchAll(/"([^"]*)"/g)].map(([, part]) => part);
        const value = kind === "TXT" ? strings.join("") : data;
        records.set(key, [...new Set([...(records.get(key) ?? []), value])]);
      }
      return [...records.keys()];
    },
    close: () => dns.close(),
  };
}

function answerOf(name: string, kind: (typeof KINDS)[number], value: string): object {
  const answer = { name, type: dns2.Packet.TYPE[kind], class: dns2.Packet.CLASS.IN, ttl: 60 };
  if (kind === "TXT") return { ...answer, data: value.match(TXT_CHUNKS) ?? [] };
  if (kind === "CNAME") return { ...answer, domain: value.replace(/\.$/, "") };
  const [priority, exchange = ""] = value.split(" ");
  return { ...answer, priority: Number(priority), exchange: exchange.replace(/\.$/, "") };
}
