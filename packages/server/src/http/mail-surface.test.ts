import { type Client, whole } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let client: Client;
let inbox_id: string;
let api_key: string;

beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  ({ api_key } = opened);
  inbox_id = opened.inbox.id;
  client = served.client(api_key);
});
afterAll(() => served.close());

const inject = (text: string, more: object = {}) =>
  client.messages.inject({ inbox_id, from: "grace@example.com", subject: "Talk", text, ...more });

describe("over HTTP with the client", () => {
  test("threads are listed, read, searched, relabelled, downloaded from and deleted", async () => {
    const attachments = [
      {
        filename: "a.txt",
        content_type: "text/plain",
        content_base64: Buffer.from("inside").toString("base64"),
      },
    ];
    const message = whole(await inject("Words of a thread", { attachments }));
    const one = { inbox_id, thread_id: message.thread_id };
    const listed: string[] = [];
    for await (const thread of client.threads.list({ inbox_id, limit: 1, unread: true }))
      listed.push(thread.id);
    expect(listed).toContain(message.thread_id);
    expect((await client.threads.listAll({ label: ["none"] })).data).toEqual([]);
    expect(await client.threads.get({ ...one, limit: 1 })).toMatchObject({
      messages: [{ id: message.id }],
      has_more: false,
    });
    expect((await client.threads.search({ inbox_id, q: "words" })).data).toMatchObject([
      { thread: { id: message.thread_id } },
    ]);
    expect(await client.threads.update({ ...one, add_labels: ["todo", "read"] })).toMatchObject({
      labels: ["todo"],
      unread_count: 0,
    });
    const download = await client.threads.attachment({
      ...one,
      attachment_id: message.attachments[0]?.id ?? "",
    });
    expect(new TextDecoder().decode(download.bytes)).toBe("inside");
    expect(await client.threads.delete(one)).toMatchObject({ deleted: true, messages_deleted: 1 });
    await expect(client.threads.get(one)).rejects.toMatchObject({ status: 404, code: "thread_not_found" });
  });

  test("messages are forwarded, marked, fetched by id, read in parts and searched", async () => {
    const message = await inject("Piece by piece");
    const one = { inbox_id, message_id: message.id };
    expect(await client.messages.forward({ ...one, to: ["bo@example.org"] })).toMatchObject({
      subject: "Fwd: Talk",
    });
    expect((await client.messages.read(one)).labels).toContain("read");
    expect((await client.messages.read({ ...one, read: false })).labels).toContain("unread");
    expect(await client.messages.batchGet({ inbox_id, message_ids: [message.id] })).toMatchObject({
      count: 1,
      data: [{ id: message.id }],
    });
    expect(await client.messages.get({ ...one, max_chars: 5, offset: 6 })).toMatchObject({
      extracted_text: "by pi",
      extracted_text_truncated: true,
    });
    const found: string[] = [];
    for await (const hit of client.messages.search({ inbox_id, q: "piece direction" }))
      found.push(hit.message.id);
    expect(found).toEqual([]);
    expect((await client.messages.search({ inbox_id, q: "piece by" })).data[0]).toMatchObject({
      object: "search_hit",
    });
  });

  test("batch creates many inboxes, and is also the address of an inbox with that name", async () => {
    expect(await client.inboxes.createBatch({ count: 2, prefix: "crew" })).toMatchObject({
      count: 2,
      data: [{ object: "inbox" }, {}],
    });
    const { storage } = served.letterslot.services;
    const inbox = await storage.get("inboxes", inbox_id);
    const address = `batch@${inbox?.domain}`;
    await storage.insert("addresses", {
      address,
      domain: inbox?.domain ?? "",
      kind: "inbox",
      account_id: inbox?.account_id ?? "",
      inbox_id,
      created_at: inbox?.created_at ?? "",
    });
    const paused = await client.inboxes.update({ inbox_id: "batch", status: "paused" });
    expect(paused).toMatchObject({ id: inbox_id, status: "paused" });
    await client.inboxes.update({ inbox_id: "batch", status: "active" });
    const put = await served.fetch(`${served.base_url}/api/v1/inboxes/batch`, { method: "PUT" });
    expect(put.status).toBe(405);
  });

  test("a key over its budget is told until when, and is refused other domains", async () => {
    const made = await client.keys.create({
      budget: { sends_per_day: 0, recipient_domains: ["example.com"] },
    });
    const held = served.client(made.api_key);
    const { key } = await held.me.get();
    expect(key?.budget).toMatchObject({ ...made.budget, sends_left: 0, opens_at: null });
    const send = (to: string) => held.messages.send({ inbox_id, to: [to], text: "x" });
    await expect(send("ada@example.com")).rejects.toMatchObject({
      code: "budget_exceeded",
      status: 429,
      param: "sends_per_day",
      resets_at: key?.budget?.resets_at,
      retry_after_seconds: expect.any(Number),
    });
    await expect(send("ada@example.org")).rejects.toMatchObject({
      code: "recipient_outside_budget",
      status: 403,
      param: "to",
    });
    expect(await client.keys.update({ key_id: made.id, budget: null })).toMatchObject({ budget: null });
    expect((await send("ada@example.org")).object).toBe("message");
  });

  test("a code is waited for", async () => {
    const message = await inject("Your verification code is 482913.", {
      auth: { dkim: "pass", spf: "pass", dmarc: "pass" },
    });
    expect(
      await client.messages.waitForCode({ inbox_id, wait: 0, from_domain: "example.com" }),
    ).toMatchObject({
      object: "inbox_code",
      kind: "code",
      code: "482913",
      message: { id: message.id },
    });
    expect(
      await client.messages.waitForCode({ inbox_id, wait: 0, from_domain: "other.example" }),
    ).toMatchObject({
      timed_out: true,
    });
    const refused = client.messages.waitForCode({ inbox_id, wait: 56 });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "invalid_wait" });
  });

  test("drafts are written, changed, downloaded from, scheduled, sent and deleted", async () => {
    const attachments = [{ filename: "a.txt", content_base64: Buffer.from("inside").toString("base64") }];
    const draft = whole(
      await client.drafts.create({
        inbox_id,
        to: ["bo@example.org"],
        subject: "Plan",
        text: "One.",
        attachments,
      }),
    );
    const one = { inbox_id, draft_id: draft.id };
    expect((await client.drafts.list({ inbox_id })).data).toMatchObject([{ id: draft.id, subject: "Plan" }]);
    expect((await client.drafts.listAll({})).data).toMatchObject([{ id: draft.id }]);
    expect(await client.drafts.update({ ...one, text: "Two." })).toMatchObject({ text: "Two." });
    const download = await client.drafts.attachment({
      ...one,
      attachment_id: draft.attachments[0]?.id ?? "",
    });
    expect(new TextDecoder().decode(download.bytes)).toBe("inside");
    expect(await client.drafts.send(one)).toMatchObject({ object: "message", subject: "Plan", text: "Two." });
    await expect(client.drafts.get(one)).rejects.toMatchObject({ status: 404, code: "draft_not_found" });

    const send_at = new Date(served.clock.now().getTime() + 3600_000).toISOString();
    const later = await client.messages.send({ inbox_id, to: ["bo@example.org"], text: "Later.", send_at });
    expect(later).toMatchObject({ object: "draft", send_status: "scheduled", send_at });
    expect(await client.drafts.delete({ inbox_id, draft_id: later.id })).toMatchObject({
      id: later.id,
      deleted: true,
    });
    expect((await client.approvals.list({})).data).toEqual([]);
  });

  test("a username is checked", async () => {
    expect(await client.usernames.check({ username: "ada" })).toMatchObject({
      available: false,
      reason: "taken",
    });
  });
});
