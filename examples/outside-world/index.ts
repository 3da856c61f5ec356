// Simulates another mail domain on this machine: a DNS server for owner.example, and DKIM-signed mail from it.
//   node index.ts
// Start the service with DNS_SERVER=127.0.0.1:5354, then send it mail from olga@owner.example:
//   curl -d to=ada@letterslot.localhost -d subject=Hello -d text='Hello there.' localhost:9025
// A custom domain's records are published with its zone file:
//   curl -H "authorization: Bearer $KEY" localhost:8025/api/v1/domains/dom_…/zone-file |
//     curl --data-binary @- localhost:9025/zone
// With -d forged=yes the same mail is sent without the signature, from a host that owner.example does not
// authorise.
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import dns2 from "dns2";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer/index.js";

const {
  DNS_PORT = "5354",
  PORT = "9025",
  SMTP_PORT = "2525",
  MAIL_DOMAIN = "letterslot.localhost",
} = process.env;
const DOMAIN = "owner.example";
const SELECTOR = "mail";
const MAX_BODY_BYTES = 100_000;

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const dkimKey = publicKey.export({ type: "spki", format: "der" }).toString("base64");
// A domain publishes which hosts may send its mail (SPF), its signing key (DKIM), and what to do with other
// mail (DMARC). SPF here names another host than this machine, so only the signature authenticates the owner.
const records: Record<string, string[]> = {
  [`TXT ${DOMAIN}`]: ["v=spf1 ip4:192.0.2.1 -all"],
  [`TXT ${SELECTOR}._domainkey.${DOMAIN}`]: [`v=DKIM1; k=rsa; p=${dkimKey}`],
  [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=reject"],
  // Records that custom domains refer to.
  [`TXT ${MAIL_DOMAIN}`]: ["v=spf1 ip4:127.0.0.1 -all"],
};

const dns = dns2.createServer({
  udp: true,
  handle(request, send) {
    const response = dns2.Packet.createResponseFromRequest(request);
    for (const { name, type } of request.questions)
      for (const kind of ["TXT", "MX", "CNAME"] as const) {
        // An alias answers for every type.
        if (type !== dns2.Packet.TYPE[kind] && kind !== "CNAME") continue;
        for (const value of records[`${kind} ${name.toLowerCase()}`] ?? [])
          response.answers.push(answerOf(name, kind, value) as (typeof response.answers)[number]);
      }
    if (response.answers.length === 0) response.header.rcode = 3; // NXDOMAIN
    void send(response);
  },
});

function answerOf(name: string, kind: "TXT" | "MX" | "CNAME", value: string): object {
  const answer = { name, type: dns2.Packet.TYPE[kind], class: dns2.Packet.CLASS.IN, ttl: 60 };
  // A string in a TXT record is limited to 255 bytes.
  if (kind === "TXT") return { ...answer, data: value.match(/.{1,255}/g) ?? [] };
  if (kind === "CNAME") return { ...answer, domain: value.replace(/\.$/, "") };
  const [priority, exchange = ""] = value.split(" ");
  return { ...answer, priority: Number(priority), exchange: exchange.replace(/\.$/, "") };
}

const smtp = createTransport({
  host: "127.0.0.1",
  port: Number(SMTP_PORT),
  name: "mail.owner.example",
  tls: { rejectUnauthorized: false },
});

async function sendMail(form: URLSearchParams): Promise<string> {
  const from = `olga@${DOMAIN}`;
  const to = form.get("to") ?? "";
  const plain = await new MailComposer({
    from: `Olga <${from}>`,
    to,
    subject: form.get("subject") ?? "",
    text: form.get("text") ?? "",
    newline: "windows",
  })
    .compile()
    .build();
  const raw = form.has("forged") ? plain : Buffer.concat([await sign(plain), plain]);
  const { response } = await smtp.sendMail({ envelope: { from, to: [to] }, raw });
  return response;
}

async function sign(raw: Buffer): Promise<Buffer> {
  const key = {
    signingDomain: DOMAIN,
    selector: SELECTOR,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  const { signatures } = await dkimSign(raw, {
    ...key,
    canonicalization: "relaxed/relaxed",
    signatureData: [key],
  });
  return Buffer.from(signatures);
}

const web = createServer((request, response) => {
  const answer = (status: number, text: string) =>
    response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  readBody(request)
    .then((body) => (request.url === "/zone" ? publish(body) : sendMail(new URLSearchParams(body))))
    .then(
      (text) => answer(200, text),
      (error: Error) => answer(502, error.message),
    );
});

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) throw new Error("the body is too large");
  }
  return text;
}

/** Publishes the records of a zone file, each on a line of its own. */
function publish(file: string): string {
  const lines = file.matchAll(/^([^;$\s]+)\.\s+\d+\s+IN\s+(TXT|MX|CNAME)\s+(.+)$/gm);
  for (const [, name = "", type = "", data = ""] of lines) {
    const values = records[`${type} ${name.toLowerCase()}`] ?? [];
    // The strings of a TXT record are one text.
    const value = type === "TXT" ? [...data.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("") : data;
    records[`${type} ${name.toLowerCase()}`] = [...new Set([...values, value])];
  }
  return Object.keys(records).join("\n");
}

void dns.listen({ udp: { port: Number(DNS_PORT), address: "127.0.0.1" } });
web.listen(Number(PORT), "127.0.0.1", () => {
  console.log(
    `DNS for ${DOMAIN} on 127.0.0.1:${DNS_PORT}. To send mail from it, POST to http://127.0.0.1:${PORT}`,
  );
});
