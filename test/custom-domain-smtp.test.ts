import { afterEach, expect, test } from "vitest";
import {
  createDns,
  createSenderAuth,
  createSmtpListener,
  createSmtpTransport,
  dkimRecord,
} from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer, type Zone } from "../packages/adapter-smtp/test/dns-server.ts";
import { acceptsRecipient } from "../packages/core/internal/index.ts";
import { createSigningKeys } from "../packages/core/src/index.ts";
import type { Transport } from "../packages/core/src/ports/index.ts";
import {
  createMemoryStorage,
  createTestService,
  provenDomain,
  type TestService,
} from "../packages/core/testing/index.ts";
import { createSigningKey } from "./support/signer.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const NAME = "agents.example.com";
const policy = (domain: string): Zone => ({
  [`TXT ${domain}`]: ["v=spf1 ip4:127.0.0.1 -all"],
  [`TXT _dmarc.${domain}`]: ["v=DMARC1; p=reject"],
});

/** A service that sends and receives by real SMTP, looking up the records of `dns`. */
async function start(mail_domain: string, dns: string, peer: () => number) {
  const storage = createMemoryStorage();
  const encryptionKeys = [new Uint8Array(32).fill(7)];
  const keys = createSigningKeys({
    storage,
    encryptionKeys,
    mailDomain: mail_domain,
    selector: "ls",
  });
  const transports: Transport[] = [];
  const transport: Transport = {
    name: "smtp",
    send(mail) {
      const [opened] = transports;
      const to = opened ?? createSmtpTransport({ url: `smtp://127.0.0.1:${peer()}`, dkim: keys.find });
      if (opened === undefined) transports.push(to);
      return to.send(mail);
    },
    close: async () => transports[0]?.close(),
  };
  undo.push(() => transport.close());
  const service = createTestService({
    ...{ storage, transport, encryptionKeys, mailDomain: mail_domain },
    senderAuth: createSenderAuth({ dns: createDns({ server: dns }) }),
  });
  const listener = await createSmtpListener({
    ...{ host: "127.0.0.1", port: 0 },
    accept: (recipient) => acceptsRecipient(service.letterslot.services, recipient),
    receive: (mail) => service.letterslot.receive({ ...mail, origin: "smtp" }),
  });
  undo.push(() => listener.close());
  return { service, port: listener.port, own: await keys.own() };
}

const inboundOf = async ({ letterslot }: TestService, inbox_id: string) =>
  letterslot.services.storage.find("messages", {
    where: { inbox_id, direction: "inbound" },
    order: { by: "id", direction: "desc" },
    limit: 10,
  });

test("mail flows both ways at a custom domain over SMTP, with aligned DKIM and SPF", async () => {
  const key = createSigningKey(NAME);
  const zone: Zone = { ...policy(NAME), ...policy(`ls-bounce.${NAME}`), ...policy("family.example.org") };
  const dns = await startDnsServer(zone);
  undo.push(dns.close);
  const ports: number[] = [];
  const ours = await start("letterslot.example.net", dns.server, () => ports[1] ?? 0);
  const theirs = await start("family.example.org", dns.server, () => ports[0] ?? 0);
  ports.push(ours.port, theirs.port);

  const ada = await ours.service.signUp("ada");
  const domain = await provenDomain(ours.service.letterslot.services, ada.account_id, {
    domain: NAME,
    private_key: key.private_key.export({ type: "pkcs8", format: "pem" }).toString(),
  });
  zone[`TXT ${domain.dkim_selector}._domainkey.${NAME}`] = [`v=DKIM1; k=rsa; p=${key.published}`];
  const record = dkimRecord({ key: theirs.own, domain: "family.example.org" });
  zone[`TXT ${record.name}`] = [record.value];

  const inbox = await ada.as.inboxes.create({ username: "desk", domain: NAME });
  const bo = await theirs.service.signUp("bo");
  const sent = await ada.as.messages.send({
    inbox_id: inbox.id,
    ...{ to: [bo.inbox.email], subject: "Hello", text: "Hello Bo" },
  });
  await ours.service.work();
  const [arrived] = await inboundOf(theirs.service, bo.inbox.id);
  expect(arrived).toMatchObject({
    ...{ from: inbox.email, message_id: `<${sent.id.slice(4)}@${NAME}>` },
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
  });

  await bo.as.messages.reply({ inbox_id: bo.inbox.id, message_id: arrived?.id ?? "", text: "Hello Ada" });
  await theirs.service.work();
  const [answer] = await inboundOf(ours.service, inbox.id);
  expect(answer).toMatchObject({
    ...{ from: bo.inbox.email, in_reply_to: arrived?.message_id, thread_id: sent.thread_id },
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
  });

  await bo.as.messages.send({ inbox_id: bo.inbox.id, to: [`nobody@${NAME}`], text: "Hello" });
  await theirs.service.work();
  const refused = (await bo.as.messages.list({ inbox_id: bo.inbox.id })).data.find(({ to }) =>
    to.includes(`nobody@${NAME}`),
  );
  expect(refused).toMatchObject({ status: "failed" });
  expect(refused?.delivery_events).toMatchObject([{ type: "failed", detail: expect.stringMatching(/550/) }]);
});
