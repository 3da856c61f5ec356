import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { connect as upgrade } from "node:tls";
import { createTransport } from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { generateCertificate } from "./certificate.ts";
import { DEFAULT_SMTP_LIMITS } from "./limits.ts";
import {
  createSmtpListener,
  type ReceivedMail,
  type SmtpListener,
  type SmtpListenerOptions,
} from "./listener.ts";

const open: SmtpListener[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function listen(
  change: Partial<SmtpListenerOptions> = {},
): Promise<{ port: number; mails: ReceivedMail[]; listener: SmtpListener }> {
  const mails: ReceivedMail[] = [];
  const listener = await createSmtpListener({
    async receive(mail) {
      mails.push(mail);
      return {
        results: mail.envelope.rcpt_to.map((recipient) => ({ recipient, outcome: "stored" as const })),
      };
    },
    accept: async (recipient) =>
      recipient.startsWith("ada") ? "ok" : recipient.startsWith("old") ? "expired" : "unknown",
    host: "127.0.0.1",
    port: 0,
    name: "mx.example.com",
    ...change,
  });
  open.push(listener);
  return { port: listener.port, mails, listener };
}

/** A raw SMTP client: `send` writes text and resolves with the reply lines. */
async function openSession(port: number, from = "127.0.0.1") {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  sockets.push(socket);
  socket.on("error", () => {});
  let received = "";
  let ended = false;
  let wake: () => void = () => {};
  const finals = () => received.split("\r\n").filter((line) => /^\d{3} /.test(line));
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    wake();
  });
  socket.on("close", () => {
    ended = true;
    wake();
  });
  const replies = async (count: number): Promise<string[]> => {
    while (finals().length < count && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const lines = finals();
    received = "";
    return lines;
  };
  return {
    socket,
    replies,
    async send(text: string, count = 1): Promise<string[]> {
      socket.write(text, "latin1");
      return replies(count);
    },
  };
}

async function greetedSession(port: number, from?: string) {
  const session = await openSession(port, from);
  await session.replies(1);
  await session.send("EHLO client.example.org\r\n");
  return session;
}

const client = (port: number) =>
  createTransport({ host: "127.0.0.1", port, tls: { rejectUnauthorized: false } });
const raw = "From: bo@example.org\r\nTo: ada@example.com\r\nSubject: Hi\r\n\r\n.dot\r\n..two\r\nbye\r\n";

describe("a message", () => {
  test.each([0, 20])(
    "pipelined commands are answered in order, with a look-up of %i ms",
    async (lookup_ms) => {
      const { port, mails } = await listen({
        async accept(recipient) {
          await setTimeout(lookup_ms);
          return recipient.startsWith("ada") ? "ok" : "unknown";
        },
      });
      const session = await greetedSession(port);
      const commands =
        "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n";
      for (const round of [1, 2]) {
        const replies = await session.send(commands, 4);
        expect(replies.map((line) => line.slice(0, 3))).toEqual(["250", "250", "550", "354"]);
        expect(await session.send(`${raw}.\r\n`)).toEqual([expect.stringMatching(/^250 /)]);
        expect(mails).toHaveLength(round);
      }
    },
  );

  test("arrives byte for byte with its envelope, over STARTTLS", async () => {
    const { port, mails } = await listen();
    const sent = await client(port).sendMail({
      envelope: { from: "bo@example.org", to: ["ada@example.com", "ada+tag@example.com"] },
      raw,
    });
    expect(sent.response).toMatch(/^250 2\.6\.0/);
    expect(mails.map((mail) => ({ ...mail, raw: Buffer.from(mail.raw).toString() }))).toEqual([
      {
        raw,
        envelope: {
          mail_from: "bo@example.org",
          rcpt_to: ["ada@example.com", "ada+tag@example.com"],
          client_ip: "127.0.0.1",
          helo: expect.any(String),
        },
      },
    ]);
  });

  test("of dot-stuffed lines costs about what others do", { timeout: 60_000 }, async () => {
    const { port, mails } = await listen();
    const session = await greetedSession(port);
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    const cost = async (line: string) => {
      await session.send(begin, 3);
      const data = `${line.repeat(1_000_000 / line.length)}.\r\n`;
      const ms = await measureThreadCpu(() => session.send(data));
      expect(Buffer.from(mails.at(-1)?.raw ?? []).toString()).toBe(data.slice(0, -3).replaceAll("..", "."));
      return ms;
    };
    await cost("xx\r\n");
    const [plain, stuffed] = [await cost("xx\r\n"), await cost("..\r\n")];
    expect(stuffed).toBeLessThan(plain + 100);
  });

  test("with an empty sender and 8-bit addresses is accepted", async () => {
    const { port, mails } = await listen();
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<> SMTPUTF8 BODY=8BITMIME\r\n");
    await session.send(`${Buffer.from("RCPT TO:<ada-ü@example.com>\r\n").toString("latin1")}DATA\r\n`, 2);
    expect(
      await session.send(`Subject: ${Buffer.from("Grüße").toString("latin1")}\r\n\r\nx\r\n.\r\n`),
    ).toEqual([expect.stringMatching(/^250 /)]);
    expect(mails[0]?.envelope).toMatchObject({ mail_from: "", rcpt_to: ["ada-ü@example.com"] });
    expect(Buffer.from(mails[0]?.raw ?? []).toString()).toBe("Subject: Grüße\r\n\r\nx\r\n");
  });

  test("gets 250 only after it was stored", async () => {
    let stored: () => void = () => {};
    const storing = new Promise<void>((resolve) => {
      stored = resolve;
    });
    let arrived: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { port } = await listen({
      async receive() {
        arrived();
        await storing;
        return { results: [] };
      },
    });
    let answered = false;
    const sending = client(port)
      .sendMail({ envelope: { from: "bo@example.org", to: "ada@example.com" }, raw })
      .then((sent) => {
        answered = true;
        return sent;
      });
    await arrival;
    // An early reply would have arrived before another client is greeted.
    await greetedSession(port);
    expect(answered).toBe(false);
    stored();
    expect((await sending).response).toMatch(/^250/);
  });

  test("that cannot be stored gets a temporary error", async () => {
    const { port } = await listen({ receive: () => Promise.reject(new Error("disk full")) });
    const sending = client(port).sendMail({
      envelope: { from: "bo@example.org", to: "ada@example.com" },
      raw,
    });
    await expect(sending).rejects.toMatchObject({
      responseCode: 451,
      response: expect.stringMatching(/^451 4\.3\.0/),
    });
  });

  test("that no recipient accepts is refused, but a dropped one is not", async () => {
    const outcomes = ["refused", "dropped"] as const;
    let count = 0;
    const { port } = await listen({
      async receive() {
        count += 1;
        return { results: [{ recipient: "ada@example.com", outcome: outcomes[count - 1] ?? "stored" }] };
      },
    });
    const envelope = { from: "bo@example.org", to: "ada@example.com" };
    await expect(client(port).sendMail({ envelope, raw })).rejects.toMatchObject({ responseCode: 550 });
    expect((await client(port).sendMail({ envelope, raw })).response).toMatch(/^250/);
  });

  test("that is deferred for one recipient is to be sent again", async () => {
    const { port } = await listen({
      receive: async () => ({
        results: [
          { recipient: "ada1@example.com", outcome: "stored" },
          { recipient: "ada2@example.com", outcome: "deferred", reason: "account_suspended" },
        ],
      }),
    });
    const envelope = { from: "bo@example.org", to: ["ada1@example.com", "ada2@example.com"] };
    await expect(client(port).sendMail({ envelope, raw })).rejects.toMatchObject({ responseCode: 451 });
  });

  test("that is too large as decoded is answered like one that is too large on the wire", async () => {
    const { port } = await listen({
      receive: async () => ({
        results: [{ recipient: "ada@example.com", outcome: "refused", reason: "message_too_large" }],
      }),
    });
    const sending = client(port).sendMail({
      envelope: { from: "bo@example.org", to: "ada@example.com" },
      raw,
    });
    await expect(sending).rejects.toMatchObject({
      responseCode: 552,
      response: expect.stringMatching(/^552 5\.3\.4 .*25 MB \(26,214,400 bytes\)/),
    });
  });

  test("that cannot be read is refused for that reason, not for its address", async () => {
    const { port } = await listen({
      receive: async () => ({
        results: [{ recipient: "ada@example.com", outcome: "refused", reason: "mail_too_complex" }],
      }),
    });
    const sending = client(port).sendMail({
      envelope: { from: "bo@example.org", to: "ada@example.com" },
      raw,
    });
    await expect(sending).rejects.toMatchObject({
      responseCode: 554,
      response: expect.not.stringMatching("mailbox"),
    });
  });

  test("that is cut off is never received", async () => {
    const { port, mails } = await listen();
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
    session.socket.write("Subject: half\r\n\r\nhalf of a");
    session.socket.end();
    await once(session.socket, "close");
    const again = await greetedSession(port);
    await again.send("QUIT\r\n");
    expect(mails).toEqual([]);
  });
});

describe("recipients", () => {
  test.each(["nobody@example.com", "old@example.com"])("%s is unknown", async (recipient) => {
    const { port } = await listen();
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\n");
    expect(await session.send(`RCPT TO:<${recipient}>\r\n`)).toEqual([
      expect.stringMatching(/^550 5\.1\.1 /),
    ]);
  });

  test("whose mail is deferred get a temporary error, and don't count as unknown", async () => {
    const { port } = await listen({ accept: async () => "deferred", limits: { unknownRecipients: 1 } });
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\n");
    const replies = await session.send("RCPT TO:<ada@example.com>\r\n".repeat(3), 3);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["451", "451", "451"]);
  });

  test("above the limit get a temporary error", async () => {
    const { port } = await listen({ limits: { recipients: 2 } });
    const session = await greetedSession(port);
    await session.send(
      "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada1@example.com>\r\nRCPT TO:<ada2@example.com>\r\n",
      3,
    );
    expect(await session.send("RCPT TO:<ada3@example.com>\r\n")).toEqual([
      expect.stringMatching(/^452 4\.5\.3 /),
    ]);
  });

  test("cannot be guessed for long", async () => {
    const { port } = await listen({ limits: { unknownRecipients: 3 } });
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\n");
    const replies = await session.send("RCPT TO:<x@example.com>\r\n".repeat(4), 4);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["550", "550", "550", "421"]);
  });

  test("that cannot be looked up get a temporary error", async () => {
    const { port } = await listen({ accept: () => Promise.reject(new Error("no storage")) });
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\n");
    expect(await session.send("RCPT TO:<ada@example.com>\r\n")).toEqual([
      expect.stringMatching(/^451 4\.3\.0 /),
    ]);
  });
});

describe("limits", () => {
  test("the size limit is announced and enforced at MAIL", async () => {
    const { port } = await listen({ limits: { messageBytes: 1_000 } });
    const session = await openSession(port);
    await session.replies(1);
    session.socket.write("EHLO x\r\n");
    const [features] = (await once(session.socket, "data")) as [Buffer];
    expect(features.toString()).toContain("SIZE 1000");
    await session.replies(1);
    expect(await session.send("MAIL FROM:<bo@example.org> SIZE=1001\r\n")).toEqual([
      expect.stringMatching(/^552 5\.3\.4 /),
    ]);
  });

  test("35 MB of MIME are announced, room for 25 MB in Base64; a byte more is refused", async () => {
    const { port } = await listen();
    const session = await openSession(port);
    await session.replies(1);
    session.socket.write("EHLO x\r\n");
    const [features] = (await once(session.socket, "data")) as [Buffer];
    expect(features.toString()).toContain("SIZE 36700160\r\n");
    await session.replies(1);
    const replies = await session.send(
      "MAIL FROM:<bo@example.org> SIZE=36700160\r\nRSET\r\nMAIL FROM:<bo@example.org> SIZE=36700161\r\n",
      3,
    );
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "552"]);
  });

  test.each([
    [36_700_160, "250"],
    [36_700_161, "552"],
  ])("a message of %i bytes that didn't say its size: %s", async (bytes, status) => {
    const { port } = await listen();
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
    const line = `${"x".repeat(998)}\r\n`;
    const data = line.repeat(36_701).slice(-bytes);
    expect((await session.send(`${data}.\r\n`))[0]?.slice(0, 3)).toBe(status);
  });

  test.each(["\r\n", "a\n", ".\n", ".\r\n", "..\r\n", "\n\r"])(
    "lines of %j over the size are answered 552, at the cost of any other mail",
    async (line) => {
      const { port, mails } = await listen({ limits: { messageBytes: 100_000 } });
      const session = await greetedSession(port);
      const cost = async (piece: string) => {
        await session.send("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
        const data = `${piece.repeat(3_000_000 / piece.length).replace(/^\.(?=\r\n)/gm, "..")}\r\n.\r\n`;
        let reply: string[] = [];
        const ms = await measureThreadCpu(async () => {
          reply = await session.send(data);
        });
        expect(reply).toEqual([expect.stringMatching(/^552 5\.3\.4 /)]);
        return ms;
      };
      await cost("x".repeat(100));
      const usual = await cost("x".repeat(100));
      expect(await cost(line)).toBeLessThan(usual + 150);
      expect(mails).toEqual([]);
    },
  );

  test("a message that grows too large is refused, and the session continues", async () => {
    const { port, mails } = await listen({ limits: { messageBytes: 1_000 } });
    const session = await greetedSession(port);
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    await session.send(begin, 3);
    expect(await session.send(`${"x".repeat(70)}\r\n`.repeat(2_000).concat(".\r\n"))).toEqual([
      expect.stringMatching(/^552 5\.3\.4 /),
    ]);
    await session.send(begin, 3);
    expect(await session.send("small\r\n.\r\n")).toEqual([expect.stringMatching(/^250 /)]);
    expect(mails).toHaveLength(1);
  });

  test("messages that overflow the shared buffer get a temporary error, and the buffer is freed", async () => {
    const { port } = await listen({ limits: { bufferedBytes: 1_000 } });
    const session = await greetedSession(port);
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    await session.send(begin, 3);
    expect(await session.send(`${"x".repeat(900)}\r\n${"x".repeat(900)}\r\n.\r\n`)).toEqual([
      expect.stringMatching(/^451 4\.3\.0 /),
    ]);
    for (let round = 0; round < 3; round += 1) {
      await session.send(begin, 3);
      expect(await session.send(`${"x".repeat(900)}\r\n.\r\n`)).toEqual([expect.stringMatching(/^250 /)]);
    }
  });

  test("connections are limited per network", async () => {
    const { port } = await listen({ limits: { connectionsPerNetwork: 2 }, exemptLoopback: false });
    const first = await greetedSession(port);
    await greetedSession(port);
    expect(await (await openSession(port)).replies(1)).toEqual([expect.stringMatching(/^421 /)]);
    await first.send("QUIT\r\n");
    // The listener notices the disconnect slightly after the client.
    const greeting = async () => (await (await openSession(port)).replies(1))[0];
    await expect.poll(greeting).toMatch(/^220 mx\.example\.com/);
  });

  test("one /24 gets a tenth of the connections, and others their own; 127.0.0.1 alone is exempt", async () => {
    const { port } = await listen();
    const greeting = async (from: string) => (await (await openSession(port, from)).replies(1))[0];
    const flood = Array.from({ length: DEFAULT_SMTP_LIMITS.connections / 10 }, (_, index) => index + 1);
    const greetings = (hosts: string[]) => Promise.all(hosts.map(greeting));
    for (const said of await greetings(flood.map((host) => `127.9.9.${host}`))) expect(said).toMatch(/^220 /);
    expect(await greeting("127.9.9.200")).toMatch(/^421 .*network/);
    expect(await greeting("127.9.8.1")).toMatch(/^220 /);
    for (const said of await greetings([...flood, 0].map(() => "127.0.0.1"))) expect(said).toMatch(/^220 /);
  });

  test("one network's messages leave room in the buffer for others", async () => {
    const { port } = await listen({ limits: { bufferedBytesPerNetwork: 1_000 } });
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    const held = await greetedSession(port, "127.9.9.1");
    await held.send(begin, 3);
    held.socket.write(`${"x".repeat(900)}\r\n`);
    const send = async (from: string) => {
      const session = await greetedSession(port, from);
      await session.send(begin, 3);
      return (await session.send(`${"x".repeat(900)}\r\n.\r\n`))[0];
    };
    await expect.poll(() => send("127.9.9.2")).toMatch(/^451 4\.3\.0 /);
    expect(await send("127.9.8.1")).toMatch(/^250 /);
    held.socket.write(".\r\n");
    expect(await held.replies(1)).toEqual([expect.stringMatching(/^250 /)]);
    expect(await send("127.9.9.2")).toMatch(/^250 /);
  });

  test("connections are limited in total", async () => {
    const { port } = await listen({ limits: { connections: 1 } });
    await greetedSession(port);
    expect(await (await openSession(port)).replies(1)).toEqual([expect.stringMatching(/^421 /)]);
  });

  test("messages are limited per address and minute", async () => {
    const { port } = await listen({ limits: { mailsPerMinutePerIp: 2 }, exemptLoopback: false });
    const session = await greetedSession(port);
    const replies = await session.send("MAIL FROM:<bo@example.org>\r\nRSET\r\n".repeat(3), 5);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "250", "250", "421"]);
  });

  test("an idle client is disconnected", async () => {
    const { port } = await listen({ limits: { idleMs: 150 } });
    const session = await openSession(port);
    expect((await session.replies(2)).map((reply) => reply.slice(0, 3))).toEqual(["220", "421"]);
  });

  test("a client whose session never ends is disconnected", async () => {
    const { port } = await listen({ limits: { sessionMs: 200 } });
    const session = await openSession(port);
    const greeting = await session.replies(1);
    const others = await session.send("EHLO client.example.org\r\n", Infinity);
    expect([...greeting, ...others].at(-1)).toMatch(/^421 .*Session took too long/);
  });
});

describe("smuggling", () => {
  test.each(["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r.\r\n"])("%j does not end a message", async (end) => {
    const { port, mails } = await listen();
    const session = await greetedSession(port);
    await session.send("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
    const replies = await session.send(
      `one${end}MAIL FROM:<eve@evil.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\ntwo\r\n.\r\n`,
    );
    expect(replies).toEqual([expect.stringMatching(/^250 /)]);
    expect(mails.map(({ envelope }) => envelope.mail_from)).toEqual(["bo@example.org"]);
  });

  test("AUTH is refused and nothing is relayed", async () => {
    const { port } = await listen();
    const session = await greetedSession(port);
    expect(await session.send("AUTH PLAIN AGEAYg==\r\n")).toEqual([expect.stringMatching(/^50\d /)]);
    await session.send("MAIL FROM:<bo@example.org>\r\n");
    expect(await session.send("RCPT TO:<someone@elsewhere.test>\r\n")).toEqual([
      expect.stringMatching(/^550 /),
    ]);
  });

  test("commands pipelined before STARTTLS are discarded", async () => {
    const { port } = await listen({
      tls: await generateCertificate({ host: "mx.example.com", now: new Date() }),
    });
    const session = await greetedSession(port);
    const replies = await session.send(
      "STARTTLS\r\nMAIL FROM:<eve@evil.test>\r\nRCPT TO:<ada@example.com>\r\n",
      1,
    );
    expect(replies).toEqual([expect.stringMatching(/^220 /)]);
    session.socket.removeAllListeners("data");
    const secured = upgrade({ socket: session.socket, rejectUnauthorized: false });
    await once(secured, "secureConnect");
    secured.write("EHLO x\r\nDATA\r\n");
    let replies_over_tls = "";
    while (!/^50\d /m.test(replies_over_tls)) replies_over_tls += String((await once(secured, "data"))[0]);
    expect(replies_over_tls).toMatch(/^503 /m);
  });
});

test("closing finishes the message in progress and accepts no new connections", async () => {
  let finish: () => void = () => {};
  let arrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { port, listener } = await listen({
    receive: () =>
      new Promise((resolve) => {
        finish = () => resolve({ results: [] });
        arrived();
      }),
  });
  const idle = await greetedSession(port);
  const busy = await greetedSession(port);
  await busy.send("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
  busy.socket.write("hello\r\n.\r\n");
  await arrival;
  const closed = listener.close();
  expect(await idle.replies(1)).toEqual([expect.stringMatching(/^421 /)]);
  finish();
  expect((await busy.replies(2)).map((reply) => reply.slice(0, 3))).toEqual(["250", "421"]);
  idle.socket.end();
  busy.socket.end();
  await closed;
  const refused = connect(port, "127.0.0.1");
  expect((await once(refused, "error"))[0]).toMatchObject({ code: "ECONNREFUSED" });
});

test("a port in use is an error", async () => {
  const { port } = await listen();
  await expect(listen({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
