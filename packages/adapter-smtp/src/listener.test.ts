import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as upgrade } from "node:tls";
import { createTransport } from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import { generateCertificate } from "./certificate.ts";
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

/** Speaks SMTP by hand: sends what is given and answers with the reply lines that came back for it. */
async function dial(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  let heard = "";
  let ended = false;
  let wake: () => void = () => {};
  const finals = () => heard.split("\r\n").filter((line) => /^\d{3} /.test(line));
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1");
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
    heard = "";
    return lines;
  };
  return {
    socket,
    replies,
    async say(text: string, count = 1): Promise<string[]> {
      socket.write(text, "latin1");
      return replies(count);
    },
  };
}

async function ready(port: number) {
  const line = await dial(port);
  await line.replies(1);
  await line.say("EHLO client.example.org\r\n");
  return line;
}

const client = (port: number) =>
  createTransport({ host: "127.0.0.1", port, tls: { rejectUnauthorized: false } });
const raw = "From: bo@example.org\r\nTo: ada@example.com\r\nSubject: Hi\r\n\r\n.dot\r\n..two\r\nbye\r\n";

describe("a mail", () => {
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

  test("with an empty sender and with 8-bit names is taken", async () => {
    const { port, mails } = await listen();
    const line = await ready(port);
    await line.say("MAIL FROM:<> SMTPUTF8 BODY=8BITMIME\r\n");
    await line.say(`${Buffer.from("RCPT TO:<ada-ü@example.com>\r\n").toString("latin1")}DATA\r\n`, 2);
    expect(await line.say(`Subject: ${Buffer.from("Grüße").toString("latin1")}\r\n\r\nx\r\n.\r\n`)).toEqual([
      expect.stringMatching(/^250 /),
    ]);
    expect(mails[0]?.envelope).toMatchObject({ mail_from: "", rcpt_to: ["ada-ü@example.com"] });
    expect(Buffer.from(mails[0]?.raw ?? []).toString()).toBe("Subject: Grüße\r\n\r\nx\r\n");
  });

  test("is accepted only after it was received", async () => {
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
    // Whoever answered too early has been heard by the time that another client was greeted.
    await ready(port);
    expect(answered).toBe(false);
    stored();
    expect((await sending).response).toMatch(/^250/);
  });

  test("that can't be stored is asked for again", async () => {
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

  test("that nobody takes is refused, one that is dropped is not", async () => {
    const outcomes = ["refused", "dropped"] as const;
    let turn = 0;
    const { port } = await listen({
      async receive() {
        turn += 1;
        return { results: [{ recipient: "ada@example.com", outcome: outcomes[turn - 1] ?? "stored" }] };
      },
    });
    const envelope = { from: "bo@example.org", to: "ada@example.com" };
    await expect(client(port).sendMail({ envelope, raw })).rejects.toMatchObject({ responseCode: 550 });
    expect((await client(port).sendMail({ envelope, raw })).response).toMatch(/^250/);
  });

  test("that can't be read is refused for that, not for its address", async () => {
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

  test("that breaks off is never received", async () => {
    const { port, mails } = await listen();
    const line = await ready(port);
    await line.say("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
    line.socket.write("Subject: half\r\n\r\nhalf of a");
    line.socket.end();
    await once(line.socket, "close");
    const again = await ready(port);
    await again.say("QUIT\r\n");
    expect(mails).toEqual([]);
  });
});

describe("recipients", () => {
  test.each(["nobody@example.com", "old@example.com"])("%s is unknown", async (recipient) => {
    const { port } = await listen();
    const line = await ready(port);
    await line.say("MAIL FROM:<bo@example.org>\r\n");
    expect(await line.say(`RCPT TO:<${recipient}>\r\n`)).toEqual([expect.stringMatching(/^550 5\.1\.1 /)]);
  });

  test("over the number are put off", async () => {
    const { port } = await listen({ limits: { recipients: 2 } });
    const line = await ready(port);
    await line.say(
      "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada1@example.com>\r\nRCPT TO:<ada2@example.com>\r\n",
      3,
    );
    expect(await line.say("RCPT TO:<ada3@example.com>\r\n")).toEqual([
      expect.stringMatching(/^452 4\.5\.3 /),
    ]);
  });

  test("can't be guessed for long", async () => {
    const { port } = await listen({ limits: { unknown_recipients: 3 } });
    const line = await ready(port);
    await line.say("MAIL FROM:<bo@example.org>\r\n");
    const replies = await line.say("RCPT TO:<x@example.com>\r\n".repeat(4), 4);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["550", "550", "550", "421"]);
  });

  test("that can't be looked up are asked for again", async () => {
    const { port } = await listen({ accept: () => Promise.reject(new Error("no storage")) });
    const line = await ready(port);
    await line.say("MAIL FROM:<bo@example.org>\r\n");
    expect(await line.say("RCPT TO:<ada@example.com>\r\n")).toEqual([expect.stringMatching(/^451 4\.3\.0 /)]);
  });
});

describe("limits", () => {
  test("the size is announced, and refused at MAIL", async () => {
    const { port } = await listen({ limits: { message_bytes: 1_000 } });
    const line = await dial(port);
    await line.replies(1);
    line.socket.write("EHLO x\r\n");
    const [features] = (await once(line.socket, "data")) as [Buffer];
    expect(features.toString()).toContain("SIZE 1000");
    await line.replies(1);
    expect(await line.say("MAIL FROM:<bo@example.org> SIZE=1001\r\n")).toEqual([
      expect.stringMatching(/^552 5\.3\.4 /),
    ]);
  });

  test("a mail that grows too large is refused, and the session goes on", async () => {
    const { port, mails } = await listen({ limits: { message_bytes: 1_000 } });
    const line = await ready(port);
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    await line.say(begin, 3);
    expect(await line.say(`${"x".repeat(70)}\r\n`.repeat(2_000).concat(".\r\n"))).toEqual([
      expect.stringMatching(/^552 5\.3\.4 /),
    ]);
    await line.say(begin, 3);
    expect(await line.say("small\r\n.\r\n")).toEqual([expect.stringMatching(/^250 /)]);
    expect(mails).toHaveLength(1);
  });

  test("mails that together have no room are put off, and room comes back", async () => {
    const { port } = await listen({ limits: { buffered_bytes: 1_000 } });
    const line = await ready(port);
    const begin = "MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n";
    await line.say(begin, 3);
    expect(await line.say(`${"x".repeat(900)}\r\n${"x".repeat(900)}\r\n.\r\n`)).toEqual([
      expect.stringMatching(/^451 4\.3\.0 /),
    ]);
    for (let turn = 0; turn < 3; turn += 1) {
      await line.say(begin, 3);
      expect(await line.say(`${"x".repeat(900)}\r\n.\r\n`)).toEqual([expect.stringMatching(/^250 /)]);
    }
  });

  test("connections are limited for each address", async () => {
    const { port } = await listen({ limits: { connections_per_ip: 2 }, exempt_loopback: false });
    const first = await ready(port);
    await ready(port);
    expect(await (await dial(port)).replies(1)).toEqual([expect.stringMatching(/^421 /)]);
    await first.say("QUIT\r\n");
    // The listener hears of the end a little later than the client.
    const greeting = async () => (await (await dial(port)).replies(1))[0];
    await expect.poll(greeting).toMatch(/^220 mx\.example\.com/);
  });

  test("connections are limited in all", async () => {
    const { port } = await listen({ limits: { connections: 1 } });
    await ready(port);
    expect(await (await dial(port)).replies(1)).toEqual([expect.stringMatching(/^421 /)]);
  });

  test("mails are limited for each address and minute", async () => {
    const { port } = await listen({ limits: { mails_per_minute_per_ip: 2 }, exempt_loopback: false });
    const line = await ready(port);
    const replies = await line.say("MAIL FROM:<bo@example.org>\r\nRSET\r\n".repeat(3), 5);
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "250", "250", "250", "421"]);
  });

  test("an idle client is sent away", async () => {
    const { port } = await listen({ limits: { idle_ms: 150 } });
    const line = await dial(port);
    expect((await line.replies(2)).map((reply) => reply.slice(0, 3))).toEqual(["220", "421"]);
  });

  test("a client that never ends is sent away", async () => {
    const { port } = await listen({ limits: { session_ms: 200 } });
    const line = await dial(port);
    const greeting = await line.replies(1);
    const others = await line.say("EHLO client.example.org\r\n", Infinity);
    expect([...greeting, ...others].at(-1)).toMatch(/^421 .*Session took too long/);
  });
});

describe("smuggling", () => {
  test.each(["\n.\n", "\n.\r\n", "\r.\r", "\r\n.\n", "\r.\r\n"])("%j ends no mail", async (end) => {
    const { port, mails } = await listen();
    const line = await ready(port);
    await line.say("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
    const replies = await line.say(
      `one${end}MAIL FROM:<eve@evil.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\ntwo\r\n.\r\n`,
    );
    expect(replies).toEqual([expect.stringMatching(/^250 /)]);
    expect(mails.map(({ envelope }) => envelope.mail_from)).toEqual(["bo@example.org"]);
  });

  test("nobody signs in and nothing is relayed", async () => {
    const { port } = await listen();
    const line = await ready(port);
    expect(await line.say("AUTH PLAIN AGEAYg==\r\n")).toEqual([expect.stringMatching(/^50\d /)]);
    await line.say("MAIL FROM:<bo@example.org>\r\n");
    expect(await line.say("RCPT TO:<someone@elsewhere.test>\r\n")).toEqual([expect.stringMatching(/^550 /)]);
  });

  test("commands sent before STARTTLS are forgotten after it", async () => {
    const { port } = await listen({
      tls: await generateCertificate({ host: "mx.example.com", now: new Date() }),
    });
    const line = await ready(port);
    const replies = await line.say(
      "STARTTLS\r\nMAIL FROM:<eve@evil.test>\r\nRCPT TO:<ada@example.com>\r\n",
      1,
    );
    expect(replies).toEqual([expect.stringMatching(/^220 /)]);
    line.socket.removeAllListeners("data");
    const secured = upgrade({ socket: line.socket, rejectUnauthorized: false });
    await once(secured, "secureConnect");
    secured.write("EHLO x\r\nDATA\r\n");
    let heard = "";
    while (!/^50\d /m.test(heard)) heard += String((await once(secured, "data"))[0]);
    expect(heard).toMatch(/^503 /m);
  });
});

test("closing finishes the mail under way and greets nobody more", async () => {
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
  const idle = await ready(port);
  const busy = await ready(port);
  await busy.say("MAIL FROM:<bo@example.org>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", 3);
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
