import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { transportKit } from "@letterslot/core/conformance";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { startDnsServer, type Zone } from "../../../test/dns-server.ts";
import { policyText, startPolicyHost } from "../../../test/policy-host.ts";
import { type Certificate, generateCertificate } from "../../listener/certificate.ts";
import { createDns } from "../../sender/dns.ts";
import { dkimRecord, generateDkimKey } from "../dkim.ts";
import { createDirectTransport, type DirectTransportOptions } from "./direct-transport.ts";

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

const ALLOW = "127.0.0.0/8,::1";
const now = new Date();

interface Host {
  port: number;
  /** Connections made so far, and open at a time. */
  connections: { made: number; open: number; most: number };
  received: { raw: string; to: string[]; secure: boolean; hello: string }[];
  stop(): Promise<void>;
}

interface HostOptions extends SMTPServerOptions {
  address?: string;
  port?: number;
  certificate?: Certificate;
}

/** A real mail host; several share a port by listening at different addresses. */
async function startHost({
  address = "127.0.0.1",
  port = 0,
  certificate,
  ...change
}: HostOptions = {}): Promise<Host> {
  const received: Host["received"] = [];
  const connections = { made: 0, open: 0, most: 0 };
  const { cert, key } = certificate ?? (await generateCertificate({ host: "other.example", now }));
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 20,
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      received.push({
        raw: Buffer.concat(chunks).toString(),
        to: session.envelope.rcptTo.map((each) => each.address),
        secure: session.secure,
        hello: session.hostNameAppearsAs,
      });
      done();
    },
    ...change,
  });
  server.on("error", () => {});
  server.server.on("connection", (socket) => {
    connections.made += 1;
    connections.open += 1;
    connections.most = Math.max(connections.most, connections.open);
    socket.on("close", () => void (connections.open -= 1));
  });
  server.listen(port, address);
  await once(server.server, "listening");
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= new Promise<void>((resolve) => server.close(() => resolve()));
    return stopped;
  };
  running.push(stop);
  return { port: (server.server.address() as AddressInfo).port, connections, received, stop };
}

/** The transport, with a DNS server that has these records. */
async function sendingWith(zone: Zone, port: number, change: Partial<DirectTransportOptions> = {}) {
  const dnsServer = await startDnsServer(zone);
  running.push(dnsServer.close);
  const created = createDirectTransport({
    url: `mx:?port=${port}&allow=${ALLOW}`,
    dns: createDns({ server: dnsServer.server, timeoutMs: 200 }),
    mailDomain: "agents.example.com",
    ...change,
  });
  running.push(() => created.close());
  return { ...created, asked: dnsServer.asked };
}

const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });
const raw = Buffer.from(
  "From: ada@example.com\r\nTo: bo@example.org\r\nSubject: Hi\r\nMessage-ID: <1@example.com>\r\n\r\n.dot\r\n\r\nbye\r\n",
);
const mail = (...rcpt_to: string[]) => ({
  message_id: "<1@example.com>",
  from: "ada@example.com",
  envelope: { mail_from: "bounce@example.com", rcpt_to },
  raw,
});

/** A domain with one host at 127.0.0.1. */
const ONE_HOST: Zone = { "MX example.org": ["10 mx.example.org"], "A mx.example.org": ["127.0.0.1"] };
/** A domain with a first host at 127.0.0.2 and a second one at 127.0.0.1. */
const TWO_HOSTS: Zone = {
  "MX example.org": ["20 second.example.org", "10 first.example.org"],
  "A first.example.org": ["127.0.0.2"],
  "A second.example.org": ["127.0.0.1"],
};

test("a mail goes to the host that the domain's MX record names: signed, encrypted, byte for byte", async () => {
  const { port, received } = await startHost();
  const key = await generateDkimKey({ selector: "ls1" });
  const dkim = async (domain: string) => (domain === "example.com" ? key : null);
  const sender = await sendingWith(ONE_HOST, port, { dkim });
  expect(await sender.send(mail("bo@example.org", "blind@Example.ORG"))).toEqual([
    {
      ...{ recipient: "bo@example.org", outcome: "accepted", detail: expect.stringMatching(/^250/) },
      said_by: "recipient_host",
    },
    {
      ...{ recipient: "blind@Example.ORG", outcome: "accepted", detail: expect.stringMatching(/^250/) },
      said_by: "recipient_host",
    },
  ]);
  expect(received).toMatchObject([{ secure: true, hello: "agents.example.com" }]);
  expect(received[0]?.to.map((address) => address.toLowerCase())).toEqual([
    ...["bo@example.org", "blind@example.org"],
  ]);
  expect(received[0]?.raw.endsWith(raw.toString())).toBe(true);
  const resolver = async () => [[dkimRecord({ key, domain: "example.com" }).value]];
  const { results } = await dkimVerify(received[0]?.raw ?? "", { resolver, strict: true });
  expect(results).toMatchObject([{ signingDomain: "example.com", status: { result: "pass" } }]);
});

describe("another host answers", () => {
  test("when the first one is down", async () => {
    const { port, received } = await startHost();
    const sender = await sendingWith(TWO_HOSTS, port);
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect(received).toHaveLength(1);
  });

  test.each([421, 554])("when the first one greets with %i", async (code) => {
    const { port, received } = await startHost();
    const onConnect: SMTPServerOptions["onConnect"] = (_, done) => done(refusal(code, "Not now"));
    const first = await startHost({ address: "127.0.0.2", port, onConnect });
    const sender = await sendingWith(TWO_HOSTS, port);
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect([first.connections.made, received.length]).toEqual([1, 1]);
  });

  test("when the first one's name has no address", async () => {
    const { port } = await startHost();
    const sender = await sendingWith({ ...TWO_HOSTS, "A first.example.org": [] }, port);
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
  });

  test("and when none does, the failure is temporary and names the last one", async () => {
    const { port, stop } = await startHost();
    await stop();
    const sender = await sendingWith(TWO_HOSTS, port);
    expect(await sender.send(mail("bo@example.org"))).toEqual([
      {
        recipient: "bo@example.org",
        outcome: "temporary_failure",
        detail: expect.stringMatching(/ECONNREFUSED.*\(second\.example\.org\)$/),
      },
    ]);
  });
});

test("the host that comes first gets the mail while it answers", async () => {
  const second = await startHost();
  const first = await startHost({ address: "127.0.0.2", port: second.port });
  const sender = await sendingWith(TWO_HOSTS, second.port);
  await sender.send(mail("bo@example.org"));
  expect([first.received.length, second.connections.made]).toEqual([1, 0]);
});

test("greylisting is a temporary failure with the host's answer, and passes at a later attempt", async () => {
  const seen = new Set<string>();
  const { port, received } = await startHost({
    onRcptTo({ address }, _, done) {
      if (seen.has(address)) return done();
      seen.add(address);
      done(refusal(451, "4.7.1 Greylisted, come back later"));
    },
  });
  const sender = await sendingWith(ONE_HOST, port);
  expect(await sender.send(mail("bo@example.org"))).toEqual([
    {
      recipient: "bo@example.org",
      outcome: "temporary_failure",
      detail: "451 4.7.1 Greylisted, come back later",
    },
  ]);
  expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
  expect(received).toHaveLength(1);
});

test("a refusal of the mail counts, and no other host is asked", async () => {
  const second = await startHost();
  const onRcptTo: SMTPServerOptions["onRcptTo"] = (_, __, done) => done(refusal(550, "5.1.1 No such user"));
  await startHost({ address: "127.0.0.2", port: second.port, onRcptTo });
  const sender = await sendingWith(TWO_HOSTS, second.port);
  expect(await sender.send(mail("bo@example.org"))).toEqual([
    {
      ...{ recipient: "bo@example.org", outcome: "permanent_failure", detail: "550 5.1.1 No such user" },
      said_by: "recipient_host",
    },
  ]);
  expect(second.connections.made).toBe(0);
});

test("recipients at two domains get their mail from the hosts of each; one that fails doesn't stop the other", async () => {
  const here = await startHost();
  const there = await startHost({
    address: "127.0.0.2",
    port: here.port,
    onRcptTo: (_, __, done) => done(refusal(452, "Mailbox full")),
  });
  const zone: Zone = {
    ...ONE_HOST,
    "MX example.net": ["10 mx.example.net"],
    "A mx.example.net": ["127.0.0.2"],
  };
  const sender = await sendingWith(zone, here.port);
  const results = await sender.send(mail("bo@example.org", "cy@example.net", "di@example.org"));
  expect(results.map(({ recipient, outcome }) => [recipient, outcome])).toEqual([
    ["bo@example.org", "accepted"],
    ["cy@example.net", "temporary_failure"],
    ["di@example.org", "accepted"],
  ]);
  expect(here.received.map(({ to }) => to)).toEqual([["bo@example.org", "di@example.org"]]);
  expect(there.connections.made).toBe(1);
});

describe("addresses", () => {
  test("a host with IPv6 alone gets its mail", async () => {
    const { port, received } = await startHost({ address: "::1" });
    const sender = await sendingWith(
      { ...ONE_HOST, "A mx.example.org": [], "AAAA mx.example.org": ["::1"] },
      port,
    );
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect(received).toHaveLength(1);
  });

  test("IPv6 is tried first, then IPv4", async () => {
    const four = await startHost();
    const zone: Zone = { ...ONE_HOST, "AAAA mx.example.org": ["::1"] };
    const alone = await sendingWith(zone, four.port);
    expect((await alone.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    const six = await startHost({ address: "::1", port: four.port });
    const both = await sendingWith(zone, four.port);
    expect((await both.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect([four.received.length, six.received.length]).toEqual([1, 1]);
  });

  test.each([
    ...[
      ["A", "127.0.0.1"],
      ["A", "10.1.2.3"],
      ["A", "169.254.169.254"],
      ["A", "192.0.2.1"],
      ["A", "0.0.0.0"],
    ],
    ...[
      ["AAAA", "::1"],
      ["AAAA", "fd00::1"],
      ["AAAA", "fe80::1"],
      ["AAAA", "::ffff:127.0.0.1"],
      ["AAAA", "2002:7f00:1::"],
    ],
  ])("a host whose %s record is %s is never connected to, for good", async (type, address) => {
    const { port, connections } = await startHost();
    const zone: Zone = { "MX example.org": ["10 mx.example.org"], [`${type} mx.example.org`]: [address] };
    const sender = await sendingWith(zone, port, { url: `mx:?port=${port}` });
    expect(await sender.send(mail("bo@example.org"))).toEqual([
      {
        recipient: "bo@example.org",
        outcome: "permanent_failure",
        detail: "550 5.4.4 no mail host of example.org has a public address",
      },
    ]);
    expect(connections.made).toBe(0);
  });

  test("among several addresses those that may be used are", async () => {
    const { port, received } = await startHost({ address: "127.0.0.3" });
    const zone: Zone = { ...ONE_HOST, "A mx.example.org": ["10.0.0.1", "127.0.0.3"] };
    const sender = await sendingWith(zone, port, { url: `mx:?port=${port}&allow=127.0.0.3` });
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect(received).toHaveLength(1);
  });

  test.each(["bo@[127.0.0.1]", "bo@127.0.0.1", "bo@[IPv6:::1]"])(
    "%s, which names an address, is a permanent failure",
    async (recipient) => {
      const { port, connections } = await startHost();
      const sender = await sendingWith(ONE_HOST, port);
      expect((await sender.send(mail(recipient)))[0]?.outcome).toBe("permanent_failure");
      expect(connections.made).toBe(0);
    },
  );
});

describe("what DNS says", () => {
  test("a domain without MX record gets its mail at its own address", async () => {
    const { port, received } = await startHost();
    const sender = await sendingWith({ "A example.org": ["127.0.0.1"] }, port);
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect(received).toHaveLength(1);
  });

  test.each<[string, Zone, string, string]>([
    [
      "a null MX",
      { "MX example.org": ["0 ."], "A example.org": ["127.0.0.1"] },
      "permanent_failure",
      "556 5.1.10 the domain example.org receives no mail (null MX)",
    ],
    [
      "a domain that doesn't exist",
      {},
      "permanent_failure",
      "550 5.1.2 the domain example.org does not exist",
    ],
    [
      "a domain without any host",
      { "TXT example.org": ["hello"] },
      "permanent_failure",
      "550 5.4.4 no mail host of example.org has a public address",
    ],
    [
      "a name server that fails",
      { "MX example.org": "servfail" },
      "temporary_failure",
      "451 4.4.3 DNS does not answer for example.org",
    ],
    [
      "a name server that doesn't answer",
      { "MX example.org": "timeout" },
      "temporary_failure",
      "451 4.4.3 DNS does not answer for example.org",
    ],
    [
      "a name server that fails for the host",
      { "MX example.org": ["10 mx.example.org"], "A mx.example.org": "servfail" },
      "temporary_failure",
      "451 4.4.3 DNS does not answer for mx.example.org",
    ],
    [
      "an MX record with an IP address",
      { "MX example.org": ["10 127.0.0.1"] },
      "permanent_failure",
      "550 5.4.4 the MX records of example.org name no host",
    ],
  ])("%s", async (_, zone, outcome, detail) => {
    const { port, connections } = await startHost();
    const sender = await sendingWith(zone, port);
    expect(await sender.send(mail("bo@example.org"))).toEqual([
      { recipient: "bo@example.org", outcome, detail },
    ]);
    expect(connections.made).toBe(0);
  });

  test("mail isn't sent to this service's own hosts, nor to those after them", async () => {
    const { port, connections } = await startHost();
    const own: Zone = { "MX agents.example.com": ["10 in.example.com"], "A in.example.com": ["127.0.0.1"] };
    const zones: Zone[] = [
      { "MX example.org": ["10 agents.example.com"], "A agents.example.com": ["127.0.0.1"] },
      {
        "MX example.org": ["10 IN.example.com", "20 backup.example.org"],
        "A backup.example.org": ["127.0.0.1"],
      },
    ];
    for (const zone of zones) {
      const sender = await sendingWith({ ...own, ...zone }, port);
      expect(await sender.send(mail("bo@example.org"))).toEqual([
        {
          recipient: "bo@example.org",
          outcome: "permanent_failure",
          detail: "550 5.4.6 the mail for example.org would come back to this service",
        },
      ]);
    }
    expect(connections.made).toBe(0);
    const before: Zone = {
      "MX example.org": ["5 mx.example.org", "10 in.example.com"],
      "A mx.example.org": ["127.0.0.1"],
    };
    const sender = await sendingWith({ ...own, ...before }, port);
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
  });
});

describe("encryption", () => {
  test("a certificate for another name is good enough where the domain demands none", async () => {
    const { port, received } = await startHost();
    await (await sendingWith(ONE_HOST, port)).send(mail("bo@example.org"));
    expect(received).toMatchObject([{ secure: true }]);
  });

  test("a host that can't encrypt, or whose handshake fails, gets the mail as it is", async () => {
    const plain = await startHost({ disabledCommands: ["STARTTLS"] });
    const failing = await startHost({
      address: "127.0.0.2",
      port: plain.port,
      // The certificate has no RSA key: there is no cipher that both sides know.
      maxVersion: "TLSv1.2",
      ciphers: "ECDHE-RSA-AES128-GCM-SHA256",
    });
    const zone: Zone = { ...TWO_HOSTS, ...{ "MX example.net": ["10 second.example.org"] } };
    const sender = await sendingWith(zone, plain.port);
    const results = await sender.send(mail("bo@example.org", "cy@example.net"));
    expect(results.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
    expect([...plain.received, ...failing.received].map(({ secure }) => secure)).toEqual([false, false]);
  });

  /** A domain with a policy, and the host that it is fetched from. */
  async function policyOf(text: string | undefined) {
    const { fetched, ca, port, close } = await startPolicyHost("example.org", text);
    running.push(close);
    const zone: Zone = {
      ...ONE_HOST,
      "TXT _mta-sts.example.org": ["v=STSv1; id=1"],
      "A mta-sts.example.org": ["127.0.0.1"],
    };
    return { zone, fetched, ca, port };
  }

  const hostCertificate = () => generateCertificate({ host: "mx.example.org", now });

  test("a domain that enforces its policy gets mail over verified TLS, and is asked once for the policy", async () => {
    const certificate = await hostCertificate();
    const { port, received } = await startHost({ certificate });
    const { zone, fetched, ...policies } = await policyOf(policyText("enforce", "*.example.org"));
    const ca = policies.ca + certificate.cert;
    const sender = await sendingWith(zone, port, { policies: { ...policies, ca } });
    for (const _ of [1, 2])
      expect((await sender.send(mail("bo@example.org")))[0]).toMatchObject({ outcome: "accepted" });
    expect(received.map(({ secure }) => secure)).toEqual([true, true]);
    expect(fetched).toEqual(["mta-sts.example.org /.well-known/mta-sts.txt"]);
  });

  test.each<[string, string, HostOptions, RegExp]>([
    [
      "a certificate for another name",
      policyText("enforce"),
      {},
      /^451 4\.7\.5 the MTA-STS policy of example\.org demands verified TLS: .*altnames.*\(mx\.example\.org\)$/,
    ],
    [
      "no encryption",
      policyText("enforce"),
      { disabledCommands: ["STARTTLS"] },
      /demands verified TLS: 500 .*\(mx\.example\.org\)$/,
    ],
    [
      "a host that the policy doesn't name",
      policyText("enforce", "mx.example.net"),
      {},
      /^451 4\.7\.5 mx\.example\.org is no mail host by the MTA-STS policy of example\.org$/,
    ],
  ])(
    "under an enforced policy, %s is a temporary failure, and nothing is handed over",
    async (_, text, change, detail) => {
      const certificate = await generateCertificate({ host: "other.example", now });
      const { port, received } = await startHost({ certificate, ...change });
      const { zone, fetched, ...policies } = await policyOf(text);
      const ca = policies.ca + certificate.cert;
      const sender = await sendingWith(zone, port, { policies: { ...policies, ca } });
      expect(await sender.send(mail("bo@example.org"))).toEqual([
        { recipient: "bo@example.org", outcome: "temporary_failure", detail: expect.stringMatching(detail) },
      ]);
      expect([received.length, fetched.length]).toEqual([0, 1]);
    },
  );

  test("under an enforced policy, a certificate of nobody known is a temporary failure too", async () => {
    const { port, received } = await startHost({ certificate: await hostCertificate() });
    const { zone, fetched, ...policies } = await policyOf(policyText("enforce"));
    const sender = await sendingWith(zone, port, { policies });
    expect(await sender.send(mail("bo@example.org"))).toMatchObject([
      {
        outcome: "temporary_failure",
        detail: expect.stringMatching(/verified TLS: self-signed certificate/),
      },
    ]);
    expect([received.length, fetched.length]).toEqual([0, 1]);
  });

  test.each([
    ["is being tested", policyText("testing", "mx.example.net")],
    ["is none", "version: STSv1\r\nmode: none\r\nmax_age: 86400\r\n"],
    ["is malformed", "mode: enforce\r\n"],
    ["is too long", `${policyText("enforce", "mx.example.net")}${"x".repeat(70_000)}`],
    ["can't be fetched", undefined],
  ])("a policy that %s holds nothing back", async (_, text) => {
    const { port, received } = await startHost();
    const { zone, fetched, ...policies } = await policyOf(text);
    const sender = await sendingWith(zone, port, { policies });
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect([received.length, fetched.length]).toEqual([1, 1]);
  });

  test("a policy isn't fetched from an address that isn't public", async () => {
    const { port, received } = await startHost({ address: "127.0.0.3" });
    const { zone, fetched, ...policies } = await policyOf(policyText("enforce", "mx.example.net"));
    const here: Zone = { ...zone, "A mx.example.org": ["127.0.0.3"] };
    const url = `mx:?port=${port}&allow=127.0.0.3`;
    await (await sendingWith(here, port, { url, policies })).send(mail("bo@example.org"));
    expect([received.length, fetched.length]).toEqual([1, 0]);
  });
});

describe("connections to a host", () => {
  test("are used again, and at most 20 are open", async () => {
    const { port, connections, received } = await startHost();
    const sender = await sendingWith(ONE_HOST, port);
    await sender.send(mail("bo@example.org"));
    await sender.send(mail("bo@example.org"));
    expect([connections.made, received.length]).toEqual([1, 2]);
    await Promise.all(Array.from({ length: 60 }, () => sender.send(mail("bo@example.org"))));
    expect(received).toHaveLength(62);
    expect(connections.most).toBe(20);
    expect(connections.made).toBe(20);
  });

  test("that the host closed meanwhile are made anew", async () => {
    const first = await startHost();
    const sender = await sendingWith(ONE_HOST, first.port);
    await sender.send(mail("bo@example.org"));
    await first.stop();
    const second = await startHost({ port: first.port });
    expect((await sender.send(mail("bo@example.org")))[0]?.outcome).toBe("accepted");
    expect(second.received).toHaveLength(1);
  });
});

test("a missing key is a temporary failure, and nothing goes out unsigned", async () => {
  const { port, connections } = await startHost();
  const dkim = () => Promise.reject(new Error("storage is down"));
  const sender = await sendingWith(ONE_HOST, port, { dkim });
  expect(await sender.send(mail("bo@example.org"))).toEqual([
    { recipient: "bo@example.org", outcome: "temporary_failure", detail: "storage is down" },
  ]);
  expect(connections.made).toBe(0);
});

transportKit({
  test,
  async open() {
    const refused = new Map<string, number>();
    const host = await startHost({
      onRcptTo({ address }, _, done) {
        const code = refused.get(address);
        done(code === undefined ? null : refusal(code, "No"));
      },
    });
    const zone: Zone = { "MX example.com": ["10 mx.example.com"], "A mx.example.com": ["127.0.0.1"] };
    const transport = await sendingWith(zone, host.port);
    return {
      transport,
      received: async () => host.received.map((each) => ({ recipients: each.to, raw: each.raw })),
      refuse: async (recipient, outcome) =>
        void refused.set(recipient, outcome === "temporary_failure" ? 451 : 550),
      cut: host.stop,
      close: async () => {},
    };
  },
});
