import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { createDirectTransport, createDns, dkimRecord } from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer } from "../packages/adapter-smtp/test/dns-server.ts";
import { createSigningKeys } from "../packages/core/src/index.ts";
import { createMemoryStorage, createTestService } from "../packages/core/testing/index.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const MINUTE_MS = 60_000;
const MAIL_DOMAIN = "agents.example.com";

/** A real mail host that greylists: it takes a mail at the second attempt. */
async function startGreylistingHost() {
  const seen = new Set<string>();
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 20,
    onRcptTo({ address }, _, done) {
      if (seen.has(address)) return done();
      seen.add(address);
      done(Object.assign(new Error("4.7.1 Greylisted, try again later"), { responseCode: 451 }));
    },
    async onData(stream, _, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      received.push(Buffer.concat(chunks).toString());
      done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  undo.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

test("a greylisted mail is sent again by the send job, with the host's answers in its delivery events", async () => {
  const host = await startGreylistingHost();
  const dnsServer = await startDnsServer({
    "MX example.org": ["10 mx.example.org"],
    "A mx.example.org": ["127.0.0.1"],
  });
  undo.push(dnsServer.close);
  const storage = createMemoryStorage();
  const encryptionKeys = [new Uint8Array(32).fill(7)];
  const keys = createSigningKeys({
    storage,
    encryptionKeys,
    mailDomain: MAIL_DOMAIN,
    selector: "ls",
  });
  const transport = createDirectTransport({
    url: `mx:?port=${host.port}&allow=127.0.0.0/8`,
    dns: createDns({ server: dnsServer.server }),
    dkim: keys.find,
    mailDomain: MAIL_DOMAIN,
  });
  undo.push(() => transport.close());
  const options = { mailDomain: MAIL_DOMAIN };
  const service = createTestService({ storage, transport, encryptionKeys, ...options });
  const { as, inbox } = await service.signUp("ada");
  const inbox_id = inbox.id;
  const sent = await as.messages.send({
    inbox_id,
    to: ["bo@example.org", "cy@nowhere.example"],
    subject: "Hi",
    text: "Hello",
  });
  await service.work();
  const events = async () =>
    (await as.messages.get({ inbox_id, message_id: sent.id })).delivery_events
      .map(({ type, recipient, detail }) => [type, recipient, detail])
      .toSorted(([a = ""], [b = ""]) => a.localeCompare(b));
  const unknown = ["failed", "cy@nowhere.example", "550 5.1.2 the domain nowhere.example does not exist"];
  const deferred = ["deferred", "bo@example.org", "451 4.7.1 Greylisted, try again later"];
  expect(await events()).toEqual([deferred, unknown]);
  await service.clock.advance(2 * MINUTE_MS);
  await service.work();
  const accepted = ["sent", "bo@example.org", expect.stringMatching(/^250/)];
  const delivered = ["delivered", "bo@example.org", expect.stringMatching(/^250/)];
  expect(await events()).toEqual([deferred, delivered, unknown, accepted]);
  const [raw = ""] = host.received;
  const resolver = async () => [[dkimRecord({ key: await keys.own(), domain: MAIL_DOMAIN }).value]];
  const { results } = await dkimVerify(raw, { resolver, strict: true });
  expect(results).toMatchObject([{ signingDomain: MAIL_DOMAIN, selector: "ls", status: { result: "pass" } }]);
});
