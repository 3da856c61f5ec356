import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { generateCertificate } from "../listener/certificate.ts";
import { dkimRecord, generateDkimKey } from "./dkim.ts";
import { createSmtpTransport, type SmtpTransportOptions } from "./smtp-transport.ts";
import { readSmtpUrl } from "./smtp-url.ts";

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

interface Received {
  raw: string;
  from: string;
  to: string[];
  secure: boolean;
}

async function startSmtpServer(
  change: SMTPServerOptions = {},
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const { cert, key } = await generateCertificate({ host: "localhost", now: new Date() });
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    disableReverseLookup: true,
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false ? "" : mailFrom.address;
      received.push({
        raw: Buffer.concat(chunks).toString(),
        from,
        to: rcptTo.map(({ address }) => address),
        secure: session.secure,
      });
      done();
    },
    ...change,
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  running.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

function connectTo(port: number, change: Partial<SmtpTransportOptions> = {}) {
  const created = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, ...change });
  running.push(() => created.close());
  return created;
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

test("the bytes arrive unchanged, over TLS, with only the envelope's addresses", async () => {
  const { port, received } = await startSmtpServer();
  const results = await connectTo(port).send(mail("bo@example.org", "blind@example.org"));
  expect(received).toEqual([
    {
      raw: raw.toString(),
      from: "bounce@example.com",
      to: ["bo@example.org", "blind@example.org"],
      secure: true,
    },
  ]);
  expect(results).toEqual([
    { recipient: "bo@example.org", outcome: "accepted", detail: expect.stringMatching(/^250/) },
    { recipient: "blind@example.org", outcome: "accepted", detail: expect.stringMatching(/^250/) },
  ]);
});

test("a signature by the From domain verifies, and mail of a domain without a key goes out unsigned", async () => {
  const { port, received } = await startSmtpServer();
  const key = await generateDkimKey({ selector: "ls1" });
  const asked: string[] = [];
  const sender = connectTo(port, {
    dkim: async (domain) => {
      asked.push(domain);
      return domain === "example.com" ? key : null;
    },
  });
  await sender.send(mail("bo@example.org"));
  await sender.send({ ...mail("bo@example.org"), from: "ada@Other.example" });
  const resolver = async () => [[dkimRecord({ key, domain: "example.com" }).value]];
  const { results } = await dkimVerify(received[0]?.raw ?? "", { resolver, strict: true });
  expect(results).toMatchObject([
    { signingDomain: "example.com", selector: "ls1", status: { result: "pass" } },
  ]);
  expect(received[1]?.raw).toBe(raw.toString());
  expect(asked).toEqual(["example.com", "other.example"]);
});

test("a large mail arrives unchanged and well signed", async () => {
  const { port, received } = await startSmtpServer();
  const key = await generateDkimKey({ selector: "ls1" });
  const large = Buffer.concat([raw, Buffer.from(".dots at the start of lines\r\n".repeat(40_000))]);
  await connectTo(port, { dkim: async () => key }).send({ ...mail("bo@example.org"), raw: large });
  const [{ raw: sent } = { raw: "" }] = received;
  expect(sent.endsWith(large.toString())).toBe(true);
  const resolver = async () => [[dkimRecord({ key, domain: "example.com" }).value]];
  const { results } = await dkimVerify(sent, { resolver, strict: true });
  expect(results).toMatchObject([{ status: { result: "pass" } }]);
});

describe("the server's reply", () => {
  test("counts for each recipient separately", async () => {
    const { port, received } = await startSmtpServer({
      onRcptTo({ address }, _, done) {
        if (address.startsWith("gone")) return done(refusal(550, "No such user"));
        if (address.startsWith("full")) return done(refusal(452, "Mailbox full"));
        done();
      },
    });
    const results = await connectTo(port).send(
      mail("bo@example.org", "gone@example.org", "full@example.org"),
    );
    expect(results).toEqual([
      { recipient: "bo@example.org", outcome: "accepted", detail: expect.stringMatching(/^250/) },
      { recipient: "gone@example.org", outcome: "permanent_failure", detail: "550 No such user" },
      { recipient: "full@example.org", outcome: "temporary_failure", detail: "452 Mailbox full" },
    ]);
    expect(received.map(({ to }) => to)).toEqual([["bo@example.org"]]);
  });

  test("counts for each recipient when all are refused", async () => {
    const { port } = await startSmtpServer({
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith("gone") ? refusal(550, "No such user") : refusal(451, "Greylisted")),
    });
    const results = await connectTo(port).send(mail("gone@example.org", "later@example.org"));
    expect(results.map(({ outcome }) => outcome)).toEqual(["permanent_failure", "temporary_failure"]);
  });

  test.each([
    [554, "permanent_failure"],
    [451, "temporary_failure"],
  ])("%i after DATA is a %s", async (code, outcome) => {
    const { port } = await startSmtpServer({
      onData(stream, _, done) {
        stream.resume();
        stream.on("end", () => done(refusal(code, `No ${"x".repeat(900)}`)));
      },
    });
    const [result] = await connectTo(port).send(mail("bo@example.org"));
    expect(result?.outcome).toBe(outcome);
    expect(result?.detail).toHaveLength(500);
  });

  test("5xx before MAIL FROM concerns this client and is temporary", async () => {
    const { port } = await startSmtpServer({ onConnect: (_, done) => done(refusal(554, "Blocked for now")) });
    expect((await connectTo(port).send(mail("bo@example.org")))[0]).toMatchObject({
      outcome: "temporary_failure",
    });
  });

  test("failed authentication is temporary and does not reveal the password", async () => {
    const { port } = await startSmtpServer({ onAuth: (_, __, done) => done(refusal(535, "Bad password")) });
    const [result] = await connectTo(port, { url: `smtp://ada:s3cret@127.0.0.1:${port}` }).send(
      mail("bo@example.org"),
    );
    expect(result).toMatchObject({ outcome: "temporary_failure" });
    expect(result?.detail).not.toContain("s3cret");
  });
});

test("a refused or dropped connection is a temporary failure", async () => {
  const server: Server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect((await connectTo(port).send(mail("bo@example.org")))[0]?.outcome).toBe("temporary_failure");
  server.close();
  await once(server, "close");
  expect((await connectTo(port).send(mail("bo@example.org")))[0]?.outcome).toBe("temporary_failure");
});

test("a missing or invalid key is a temporary failure, and nothing goes out unsigned", async () => {
  const { port, received } = await startSmtpServer();
  const broken = [
    () => Promise.reject(new Error("storage is down")),
    async () => ({ selector: "s", private_key: "no key" }),
  ];
  for (const dkim of broken)
    expect((await connectTo(port, { dkim }).send(mail("bo@example.org")))[0]?.outcome).toBe(
      "temporary_failure",
    );
  expect(received).toEqual([]);
});

test.each([
  "bo@example.org>\r\nRCPT TO:<eve@evil.test",
  "bo@example.org, eve@evil.test",
  "Bo <bo@example.org>",
  "bo",
  `${"x".repeat(65)}@example.org`,
])("%j is rejected as a recipient, and the others get their mail", async (address) => {
  const { port, received } = await startSmtpServer();
  const results = await connectTo(port).send(mail(address, "ada@example.org"));
  expect(results.map(({ outcome }) => outcome)).toEqual(["permanent_failure", "accepted"]);
  expect(received.map(({ to }) => to)).toEqual([["ada@example.org"]]);
});

test("an invalid sender address sends nothing", async () => {
  const { port, received } = await startSmtpServer();
  const results = await connectTo(port).send({
    ...mail("bo@example.org"),
    envelope: { mail_from: "a@b.test> SIZE=1", rcpt_to: ["bo@example.org"] },
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(["permanent_failure"]);
  expect(received).toEqual([]);
});

test("a Unicode domain is sent in ASCII", async () => {
  const { port, received } = await startSmtpServer({
    onRcptTo: ({ address }, _, done) => done(address.startsWith("gone") ? refusal(550, "No") : null),
  });
  const results = await connectTo(port).send(mail("Bo@bücher.example", "gone@bücher.example"));
  expect(results.map(({ recipient, outcome }) => [recipient, outcome])).toEqual([
    ["Bo@bücher.example", "accepted"],
    ["gone@bücher.example", "permanent_failure"],
  ]);
  expect(received).toHaveLength(1);
});

describe("the URL", () => {
  test.each([
    [
      "smtp://mail.example.com",
      {
        host: "mail.example.com",
        port: 587,
        secure: false,
        requireTLS: false,
        tls: { rejectUnauthorized: true },
      },
    ],
    ["smtps://a%40b:p%3Aw@mail.example.com", { port: 465, secure: true, auth: { user: "a@b", pass: "p:w" } }],
    ["smtp://a:b@mail.example.com:25", { port: 25, requireTLS: true }],
    ["smtp://a:b@localhost:25", { requireTLS: false, tls: { rejectUnauthorized: false } }],
    ["smtp://[::1]:2525", { host: "::1", port: 2525 }],
    ["smtps://mail.example.com?verify=false", { tls: { rejectUnauthorized: false } }],
  ])("%s is parsed", (url, address) => {
    expect(readSmtpUrl(url)).toMatchObject(address);
  });

  test.each(["http://a:s3cret@example.com", "smtp:", "s3cret"])(
    "%s is rejected without being quoted",
    (url) => {
      expect(() => readSmtpUrl(url)).toThrow(/^The SMTP URL must be (?!.*s3cret)/);
    },
  );
});
