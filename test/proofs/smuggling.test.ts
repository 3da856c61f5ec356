import { once } from "node:events";
import { connect } from "node:net";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSmtpListener, type ReceivedMail } from "../../packages/adapter-smtp/src/index.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";

/** Sequences that other mail servers have treated as the end of a mail, or relayed to one that did. */
const ends = [
  ...[
    "\n.\n",
    "\n.\r\n",
    "\n.\r",
    "\r.\r",
    "\r.\r\n",
    "\r.\n",
    "\r\n.\n",
    "\r\n.\r",
    "\r\n.\r\r\n",
    "\n\n.\r\n",
  ],
  ...[
    "\r\n\0.\r\n",
    "\r\n.\0\r\n",
    "\r\n.\t\r\n",
    "\r\n. \r\n",
    "\r\n..\r\n",
    "\r\n.\u0085",
    "\r\n.\u2028",
    "\r\n.\v",
    "\r\n.\f",
  ],
];
const HEAD = "From: bo@example.org\r\nTo: ada@example.com\r\nSubject: Meant\r\n\r\nOne.";
const SECOND =
  "MAIL FROM:<eve@evil.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\nFrom: eve@evil.test\r\nX-Evil: 1\r\n\r\nTwo.";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

let listener: Awaited<ReturnType<typeof createSmtpListener>>;
let mails: ReceivedMail[];
beforeAll(async () => {
  listener = await createSmtpListener({
    async receive(mail) {
      mails.push(mail);
      return {
        results: mail.envelope.rcpt_to.map((recipient) => ({ recipient, outcome: "stored" as const })),
      };
    },
    accept: async () => "ok",
    host: "127.0.0.1",
    port: 0,
    name: "mx.example.com",
  });
});
afterAll(() => listener.close());

/**
 * Sends the pieces, each in its own packet as far as possible, and returns the accepted mails.
 */
async function mailsOf(pieces: readonly string[]): Promise<ReceivedMail[]> {
  mails = [];
  const socket = connect(listener.port, "127.0.0.1").setNoDelay(true);
  closing.push(() => socket.destroy());
  let heard = "";
  socket.on("data", (chunk) => {
    heard += String(chunk);
  });
  const say = async (text: string, reply: RegExp) => {
    heard = "";
    socket.write(text);
    while (!reply.test(heard)) await once(socket, "data");
  };
  await once(socket, "data");
  await say("EHLO client.example.org\r\n", /^250 /m);
  await say("MAIL FROM:<bo@example.org>\r\n", /^250 /m);
  await say("RCPT TO:<ada@example.com>\r\n", /^250 /m);
  await say("DATA\r\n", /^354 /m);
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  // Everything understood as a command has a reply by then; the reply to QUIT comes last.
  await say("\r\n.\r\nQUIT\r\n", /^221 /m);
  return mails;
}

const shown = JSON.stringify;

test.each(ends.map((end) => [shown(end), end]))(
  "%s neither ends a mail nor starts another",
  async (_, end) => {
    const whole = `${HEAD}${end}${SECOND}`;
    const splits = [
      [whole],
      ...Array.from(end, (__, at) => [`${HEAD}${end.slice(0, at)}`, `${end.slice(at)}${SECOND}`]),
    ];
    for (const pieces of splits) {
      const [mail, ...others] = await mailsOf(pieces);
      expect(others, shown(pieces)).toEqual([]);
      expect(mail?.envelope.mail_from).toBe("bo@example.org");
      const raw = mail?.raw ?? new Uint8Array();
      expect(Buffer.from(raw).toString()).toContain("MAIL FROM:<eve@evil.test>");
      const [theirs, ours] = [await PostalMime.parse(raw), await parseMail(raw)];
      expect(theirs.headers.map(({ key }) => key)).toEqual(["from", "to", "subject"]);
      expect(ours.headers.map(({ name }) => name)).toEqual(["from", "to", "subject"]);
    }
  },
);

test("CR LF . CR LF does, however its packets are split, so that the test can fail", async () => {
  const end = "\r\n.\r\n";
  for (let at = 0; at <= end.length; at++) {
    const accepted = await mailsOf([`${HEAD}${end.slice(0, at)}`, `${end.slice(at)}${SECOND}`]);
    expect(accepted.map(({ envelope }) => envelope.mail_from)).toEqual(["bo@example.org", "eve@evil.test"]);
  }
});
