import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createSmtpListener } from "../packages/adapter-smtp/src/index.ts";
import { acceptsRecipient } from "../packages/core/internal/index.ts";
import { createTestService, signedBy } from "../packages/core/testing/index.ts";

/** Sends each line to an SMTP server and returns the last line of each reply. */
async function dialogue(port: number, lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  const replies: string[] = [];
  const reply = async () => {
    let text = "";
    while (!/^\d{3} .*\r\n$/m.test(text)) text += String((await once(socket, "data"))[0]);
    replies.push(text.trimEnd().split("\r\n").at(-1) ?? "");
  };
  await reply();
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    await reply();
  }
  socket.destroy();
  return replies.slice(1);
}

test("over SMTP every spelling of an inbox's address is that inbox's, and a lookalike is nobody's", async () => {
  const service = createTestService({ senderAuth: { check: async () => signedBy("example.com") } });
  const kate = await service.signUp("kate");
  const { letterslot } = service;
  const listener = await createSmtpListener({
    host: "127.0.0.1",
    port: 0,
    accept: (recipient) => acceptsRecipient(letterslot.services, recipient),
    receive: (mail) => letterslot.receive({ ...mail, origin: "smtp" }),
  });
  try {
    const ours = [
      "Kate@LETTERSLOT.localhost",
      '"kate"@letterslot.localhost',
      "kate+news@letterslot.localhost",
      "kate@ｌetterslot.localhost",
      "kate@letterslot。localhost",
    ];
    const others = [
      "\u212aate@letterslot.localhost",
      "ｋate@letterslot.localhost",
      "kate@sub.letterslot.localhost",
      '"kate "@letterslot.localhost',
    ];
    const said = await dialogue(listener.port, [
      "EHLO client.example.org",
      "MAIL FROM:<bo@example.com> SMTPUTF8",
      ...[...ours, ...others].map((address) => `RCPT TO:<${address}>`),
      "DATA",
      "From: bo@example.com\r\nTo: Kate@letterslot.localhost\r\nSubject: Hi\r\n\r\nHello\r\n.",
    ]);
    const codes = said.map((line) => line.slice(0, 3));
    expect(codes.slice(2, 2 + ours.length)).toEqual(ours.map(() => "250"));
    expect(codes.slice(2 + ours.length, -2).every((code) => code.startsWith("5"))).toBe(true);
    expect(codes.at(-1)).toBe("250");
    const { data } = await kate.as.messages.list({ inbox_id: kate.inbox.id });
    expect(data).toMatchObject([{ from: "bo@example.com", to: ["Kate@letterslot.localhost"] }]);
  } finally {
    await listener.close();
  }
});
