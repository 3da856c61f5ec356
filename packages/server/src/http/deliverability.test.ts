import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "@letterslot/adapter-sqlite";
import { whole } from "@letterslot/client";
import { createMemoryStorage } from "@letterslot/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { serve } from "../../testing/serve.ts";

const inbound_secret = "a secret of the operator";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const storages = {
  memory: async () => createMemoryStorage(),
  async SQLite() {
    const folder = await mkdtemp(join(tmpdir(), "letterslot-deliverability-"));
    const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
    closing.push(
      () => rm(folder, { recursive: true }),
      () => storage.close(),
    );
    return storage;
  },
};

describe.each(Object.entries(storages))("over HTTP with the client, on %s", (_name, openStorage) => {
  async function setting() {
    const served = await serve({ inboundSecret: inbound_secret, config: { storage: await openStorage() } });
    closing.push(() => served.close());
    const { inbox, api_key } = await served.client().accounts.onboard({ username: "ada" });
    /** Posts a mail to the internal path, like an operator's mail server. */
    const postInbound = async (to: string, mail_from: string, lines: string[]) => {
      const raw = Buffer.from([...lines, ""].join("\r\n")).toString("base64");
      const response = await fetch(`${served.base_url}/api/v1/internal/inbound`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-svc-inbound-secret": inbound_secret },
        body: JSON.stringify({ mail_from, rcpt_to: [to], raw }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { served, client: served.client(api_key), inbox, postInbound };
  }

  test("lists of the account and of an inbox apply to sending", async () => {
    const { client, inbox } = await setting();
    const list = { direction: "send", type: "block" } as const;
    const made = whole(await client.lists.create({ ...list, entry: "eve@blocked.example", reason: "asked" }));
    const { idempotent, ...listed } = made;
    expect(idempotent).toBe(false);
    expect(await client.lists.get({ ...list, entry: "eve@blocked.example" })).toEqual(listed);
    expect((await client.lists.list(list)).data).toEqual([listed]);
    const { idempotent: _idempotent, ...own } = await client.lists.createForInbox({
      inbox_id: inbox.id,
      ...list,
      entry: "blocked.example",
    });
    expect((await client.lists.listForInbox({ inbox_id: inbox.id, ...list })).data).toEqual([own]);
    expect(await client.lists.getForInbox({ inbox_id: inbox.id, ...list, entry: own.id })).toEqual(own);
    const send = () =>
      client.messages.send({ inbox_id: inbox.id, to: ["eve@blocked.example"], text: "Hello" });
    await expect(send()).rejects.toMatchObject({ status: 403, code: "recipient_blocked" });
    expect(await client.lists.delete({ ...list, entry: made.entry })).toMatchObject({
      id: made.id,
      deleted: true,
    });
    await expect(send()).rejects.toMatchObject({ code: "recipient_blocked" });
    await client.lists.deleteForInbox({ inbox_id: inbox.id, ...list, entry: "blocked.example" });
    await expect(send()).resolves.toMatchObject({ status: "queued" });
    await expect(client.lists.get({ ...list, entry: made.id })).rejects.toMatchObject({
      status: 404,
      code: "list_entry_not_found",
    });
    await expect(client.lists.create({ ...list, entry: "everybody" })).rejects.toMatchObject({
      status: 400,
      code: "invalid_entry",
    });
  });

  test("a blocked sender is 403 on the injector, and 200 and dropped on the internal path", async () => {
    const { client, inbox, postInbound } = await setting();
    await client.lists.create({ direction: "receive", type: "block", entry: "spam.example" });
    await expect(
      client.messages.inject({ inbox_id: inbox.id, from: "eve@spam.example", text: "Buy now" }),
    ).rejects.toMatchObject({ status: 403, code: "sender_blocked" });
    const lines = [
      "From: eve@spam.example",
      `To: ${inbox.email}`,
      "Subject: Buy",
      "Message-ID: <1@spam.example>",
      "",
      "Buy now",
    ];
    expect(await postInbound(inbox.email, "eve@spam.example", lines)).toMatchObject({
      status: 200,
      body: { accepted: true, dropped: true, reason: "sender_blocked" },
    });
    expect((await client.messages.list({ inbox_id: inbox.id })).data).toEqual([]);
  });

  test("a bounce to the return path is accepted, recorded on its message, and suppresses the address", async () => {
    const { served, client, inbox, postInbound } = await setting();
    const sent = await client.messages.send({ inbox_id: inbox.id, to: ["gone@example.com"], text: "Hello" });
    await served.work();
    const to = served.transport.sent[0]?.envelope.mail_from ?? "";
    expect(to).toMatch(/^bounce\+[0-9a-hjkmnp-tv-z]{29}@letterslot\.localhost$/);
    const lines = [
      "From: MAILER-DAEMON@mx.example.com",
      `To: ${to}`,
      "Subject: Undelivered Mail Returned to Sender",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.com",
      "",
      "Final-Recipient: rfc822; gone@example.com",
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 user unknown",
      "",
      "--b--",
    ];
    expect(await postInbound(to, "", lines)).toMatchObject({
      status: 200,
      body: { accepted: true, dropped: false, reason: null },
    });
    expect(await client.messages.get({ inbox_id: inbox.id, message_id: sent.id })).toMatchObject({
      labels: expect.arrayContaining(["bounced"]),
      delivery_events: [{ type: "sent" }, { type: "bounced", recipient: "gone@example.com" }],
    });
    const { data } = await client.suppressions.list({});
    expect(data).toMatchObject([
      {
        ...{ object: "suppression", address: "gone@example.com", reason: "bounce", made_by: "bounce" },
        source_message_id: sent.id,
      },
    ]);
    const again = () => client.messages.send({ inbox_id: inbox.id, to: ["gone@example.com"], text: "Hello" });
    await expect(again()).rejects.toMatchObject({ status: 403, code: "recipient_suppressed" });
    await client.suppressions.delete({ address: "gone@example.com" });
    await expect(again()).resolves.toBeDefined();
    await expect(client.suppressions.delete({ address: "gone@example.com" })).rejects.toMatchObject({
      status: 404,
      code: "suppression_not_found",
    });
    expect(await client.suppressions.create({ address: "gone@example.com" })).toMatchObject({
      reason: "manual",
    });
  });

  test("too many bounces pause sending, and GET /me says so", async () => {
    const { served, client, inbox } = await setting();
    const to = Array.from({ length: 50 }, (_, n) => `a${n}@example${n}.com`);
    for (const address of to.slice(0, 10)) served.transport.refuse(address, "permanent_failure");
    await client.messages.send({ inbox_id: inbox.id, to, text: "Hello" });
    await client.messages.send({ inbox_id: inbox.id, to: ["bo@example.com"], text: "Hello" });
    await served.work();
    await expect(
      client.messages.send({ inbox_id: inbox.id, to: ["bo@example.com"], text: "Hello" }),
    ).rejects.toMatchObject({
      status: 403,
      code: "sending_paused",
    });
    expect(await client.me.get({})).toMatchObject({
      restrictions: ["sending_paused"],
      sending_health: { state: "paused" },
    });
  });
});
