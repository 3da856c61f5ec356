// Simulates another mail domain on this machine: a DNS server for owner.example, and DKIM-signed mail from it.
//   node index.ts
// Start the service with DNS_SERVER=127.0.0.1:5354, then send it mail from olga@owner.example:
//   curl -d to=ada@letterslot.localhost -d subject=Hello -d text='Hello there.' localhost:9025
// With -d forged=yes the same mail is sent without the signature, from a host that owner.example does not
// authorise.
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import dns2 from "dns2";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer/index.js";

const { DNS_PORT = "5354", PORT = "9025", SMTP_PORT = "2525" } = process.env;
const DOMAIN = "owner.example";
const SELECTOR = "mail";
const MAX_FORM_BYTES = 100_000;

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const dkimKey = publicKey.export({ type: "spki", format: "der" }).toString("base64");
// A domain publishes which hosts may send its mail (SPF), its signing key (DKIM), and what to do with other
// mail (DMARC). SPF here names another host than this machine, so only the signature authenticates the owner.
const records: Record<string, string> = {
  [DOMAIN]: "v=spf1 ip4:192.0.2.1 -all",
  [`${SELECTOR}._domainkey.${DOMAIN}`]: `v=DKIM1; k=rsa; p=${dkimKey}`,
  [`_dmarc.${DOMAIN}`]: "v=DMARC1; p=reject",
};

const dns = dns2.createServer({
  udp: true,
  handle(request, send) {
    const response = dns2.Packet.createResponseFromRequest(request);
    for (const { name, type } of request.questions) {
      const text = records[name.toLowerCase()];
      if (text === undefined || type !== dns2.Packet.TYPE.TXT) continue;
      // A string in a TXT record is limited to 255 bytes.
      const answer = {
        name,
        type,
        class: dns2.Packet.CLASS.IN,
        ttl: 60,
        data: text.match(/.{1,255}/g) ?? [],
      };
      response.answers.push(answer as object as (typeof response.answers)[number]);
    }
    if (response.answers.length === 0) response.header.rcode = 3; // NXDOMAIN
    void send(response);
  },
});

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
  readForm(request)
    .then(sendMail)
    .then(
      (text) => answer(200, text),
      (error: Error) => answer(502, error.message),
    );
});

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_FORM_BYTES) throw new Error("the form is too large");
  }
  return new URLSearchParams(text);
}

void dns.listen({ udp: { port: Number(DNS_PORT), address: "127.0.0.1" } });
web.listen(Number(PORT), "127.0.0.1", () => {
  console.log(
    `DNS for ${DOMAIN} on 127.0.0.1:${DNS_PORT}. To send mail from it, POST to http://127.0.0.1:${PORT}`,
  );
});
