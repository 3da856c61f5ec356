import assert from "node:assert/strict";
import type { OutgoingMail, RecipientResult, Transport } from "../src/ports/transport.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** A fresh transport for one test, and the server that it sends mail to. */
export interface OpenedTransport extends Opened {
  transport: Transport;
  /** The mails that the server accepted, oldest first. */
  received(): Promise<{ recipients: string[]; raw: string }[]>;
  /** Makes the server respond to this recipient in this way. */
  refuse(recipient: string, outcome: "temporary_failure" | "permanent_failure"): Promise<void>;
  /** Makes the server unreachable. Omitted if there is no connection to lose. */
  cut?(): Promise<void>;
}

/** Checks every promise of the transport port. */
export function transportKit(kit: Kit<OpenedTransport>): void {
  const test = withFresh(kit);

  test("a mail arrives with its content, and every recipient gets a result", async ({
    transport,
    received,
  }) => {
    const mail = mailOf("Hello\r\n.\r\n..dots and 東京", ["ada@example.com", "bo@example.com"]);
    assert.deepEqual(outcomes(await transport.send(mail)), {
      "ada@example.com": "accepted",
      "bo@example.com": "accepted",
    });
    const mails = await received();
    assert.deepEqual(mails.flatMap(({ recipients }) => recipients).toSorted(), [
      "ada@example.com",
      "bo@example.com",
    ]);
    for (const { raw } of mails) assert.ok(raw.includes("Hello\r\n.\r\n..dots and 東京"));
  });

  test("each recipient has their own outcome", async ({ transport, received, refuse }) => {
    await refuse("later@example.com", "temporary_failure");
    await refuse("nobody@example.com", "permanent_failure");
    const results = await transport.send(
      mailOf("Hello", ["ada@example.com", "later@example.com", "nobody@example.com"]),
    );
    assert.deepEqual(outcomes(results), {
      "ada@example.com": "accepted",
      "later@example.com": "temporary_failure",
      "nobody@example.com": "permanent_failure",
    });
    for (const { detail } of results) assert.ok(detail.length > 0 && detail.length <= 500);
    assert.deepEqual(
      (await received()).flatMap(({ recipients }) => recipients),
      ["ada@example.com"],
    );
  });

  test("a mail that everyone refuses returns results and does not throw", async ({
    transport,
    received,
    refuse,
  }) => {
    await refuse("nobody@example.com", "permanent_failure");
    assert.deepEqual(outcomes(await transport.send(mailOf("Hello", ["nobody@example.com"]))), {
      "nobody@example.com": "permanent_failure",
    });
    assert.deepEqual(await received(), []);
  });

  test("many concurrent mails all arrive", async ({ transport, received }) => {
    await race(20, (index) => transport.send(mailOf(`Number ${index}.`, [`box${index}@example.com`])));
    const recipients = (await received()).flatMap((mail) => mail.recipients);
    assert.deepEqual(
      recipients.toSorted(),
      Array.from({ length: 20 }, (_, index) => `box${index}@example.com`).toSorted(),
    );
  });

  test("a lost connection is a temporary failure for every recipient", async ({ transport, cut }) => {
    if (cut === undefined) return;
    await cut();
    const results = await transport.send(mailOf("Hello", ["ada@example.com", "bo@example.com"]));
    assert.deepEqual(outcomes(results), {
      "ada@example.com": "temporary_failure",
      "bo@example.com": "temporary_failure",
    });
  });
}

function mailOf(text: string, rcpt_to: string[]): OutgoingMail {
  const head = [
    "From: box@example.org",
    `To: ${rcpt_to.join(", ")}`,
    "Message-ID: <m1@example.org>",
    "Subject: Test",
    "MIME-Version: 1.0",
  ];
  const raw = Buffer.from(
    `${head.join("\r\n")}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}\r\n`,
  );
  return {
    message_id: "<m1@example.org>",
    from: "box@example.org",
    envelope: { mail_from: "box@example.org", rcpt_to },
    raw,
  };
}

function outcomes(results: RecipientResult[]): Record<string, string> {
  return Object.fromEntries(results.map(({ recipient, outcome }) => [recipient, outcome]));
}
