// Simulates another mail domain on this machine: a DNS server for owner.example, and DKIM-signed mail from it.
//   npx -y pnpm@12 outside-world
// Start the service with DNS_SERVER=127.0.0.1:5354, then send it mail from olga@owner.example:
//   curl -d to=ada@letterslot.localhost -d subject=Hello -d text='Hello there.' localhost:9025
// A custom domain's records are published with its zone file:
//   curl -H "authorization: Bearer $KEY" localhost:8025/api/v1/domains/dom_…/zone-file |
//     curl --data-binary @- localhost:9025/zone
// With -d forged=yes the same mail is sent without the signature, from a host that owner.example does not
// authorise.
import { createServer, type IncomingMessage } from "node:http";
import { createOutsideWorld } from "./index.ts";

const {
  DNS_PORT = "5354",
  PORT = "9025",
  SMTP_PORT = "2525",
  MAIL_DOMAIN = "letterslot.localhost",
} = process.env;
const DOMAIN = "owner.example";
const MAX_BODY_BYTES = 100_000;

const world = await createOutsideWorld({
  domains: [DOMAIN],
  mailDomain: MAIL_DOMAIN,
  dnsPort: Number(DNS_PORT),
});

const sendMail = (form: URLSearchParams): Promise<string> =>
  world.send(
    {
      from: { name: "Olga", address: `olga@${DOMAIN}` },
      to: form.get("to") ?? "",
      subject: form.get("subject") ?? "",
      text: form.get("text") ?? "",
      forged: form.has("forged"),
    },
    Number(SMTP_PORT),
  );

const web = createServer((request, response) => {
  const answer = (status: number, text: string) =>
    response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
  readBody(request)
    .then((body) =>
      request.url === "/zone" ? world.publish(body).join("\n") : sendMail(new URLSearchParams(body)),
    )
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

web.listen(Number(PORT), "127.0.0.1", () => {
  process.stdout.write(
    `DNS for ${DOMAIN} on 127.0.0.1:${world.dns_port}. To send mail from it, POST to http://127.0.0.1:${PORT}\n`,
  );
});
