import { describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { parseMail } from "../../mail/parse.ts";

async function signedUp() {
  const service = createTestService();
  const account = await service.signUp();
  return { service, account, inbox_id: account.inbox.id, as: account.as };
}

const eventTypes = async ({ letterslot }: TestService, account_id: string) =>
  (
    await letterslot.services.storage.find("events", {
      where: { account_id },
      order: { by: "sequence", direction: "asc" },
      limit: 100,
    })
  ).map(({ type }) => type);

describe("sending", () => {
  test("a mail is queued at once and sent by the next run of jobs", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const queued = await as.messages.send({
      inbox_id,
      to: ["Ada@Example.com"],
      cc: ["bo@example.org"],
      bcc: ["cy@example.net"],
      subject: "Hi",
      text: "Hello",
    });
    expect(queued).toMatchObject({
      status: "queued",
      direction: "outbound",
      to: ["Ada@example.com"],
      auth: { spf: "none", dkim: "none", dmarc: "none" },
      duration_seconds: null,
      safety: null,
      idempotent: false,
    });
    await service.work();
    const [mail] = service.transport.sent;
    expect(mail?.envelope).toEqual({
      mail_from: expect.stringMatching(/^bounce\+[0-9a-hjkmnp-tv-z]{29}@letterslot\.localhost$/),
      rcpt_to: ["Ada@example.com", "bo@example.org", "cy@example.net"],
    });
    const parsed = await parseMail(mail?.raw ?? new Uint8Array());
    expect(parsed).toMatchObject({
      subject: "Hi",
      message_id: (await as.messages.get({ inbox_id, message_id: queued.id })).message_id,
      from: [{ address: account.inbox.email }],
      from_headers: 1,
    });
    expect(new TextDecoder().decode(mail?.raw)).not.toContain("cy@example.net");
    expect(await as.messages.get({ inbox_id, message_id: queued.id })).toMatchObject({
      status: "sent",
      provider: "memory",
      bcc: ["cy@example.net"],
      delivery_events: [{ type: "sent" }, { type: "sent" }, { type: "sent" }],
    });
    expect(await eventTypes(service, account.account_id)).toContain("message.sent");
  });

  test("a reply goes to Reply-To in the same thread with the whole chain of references", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const { results } = await service.receive({
      from: "ada@example.com",
      to: account.inbox.email,
      subject: "Re: RE: Plan",
      message_id: "<2@example.com>",
      references: ["<1@example.com>"],
      headers: ["Reply-To: desk@example.com"],
    });
    const message_id = results[0]?.message_id ?? "";
    const reply = await as.messages.reply({ inbox_id, message_id, text: "Fine." });
    const answered = await as.messages.get({ inbox_id, message_id });
    expect(reply).toMatchObject({
      to: ["desk@example.com"],
      subject: "Re: Plan",
      in_reply_to: "<2@example.com>",
      references: ["<1@example.com>", "<2@example.com>"],
      thread_id: answered.thread_id,
    });
    const sent = await as.messages.get({ inbox_id, message_id: reply.id });
    const back = await service.receive({
      from: "ada@example.com",
      to: account.inbox.email,
      in_reply_to: sent.message_id ?? "",
    });
    expect(await as.messages.get({ inbox_id, message_id: back.results[0]?.message_id ?? "" })).toMatchObject({
      thread_id: answered.thread_id,
    });
  });

  test("reply-all includes the others once and drops this inbox", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const { results } = await service.receive({
      from: "ada@example.com",
      to: `${account.inbox.email}, bo@example.org, Ada@example.com`,
      headers: [`Cc: cy@example.net, bo@example.org, ${account.inbox.email}`],
    });
    const reply = await as.messages.replyAll({
      inbox_id,
      message_id: results[0]?.message_id ?? "",
      text: "All.",
    });
    expect(reply).toMatchObject({ to: ["ada@example.com", "bo@example.org"], cc: ["cy@example.net"] });
  });

  test("a temporary failure is retried later, a permanent one fails the message", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    service.transport.refuse("busy@example.com", "temporary_failure");
    service.transport.refuse("gone@example.com", "permanent_failure");
    const busy = await as.messages.send({ inbox_id, to: ["busy@example.com"], text: "x" });
    const gone = await as.messages.send({ inbox_id, to: ["gone@example.com"], text: "x" });
    await service.work();
    expect(await as.messages.get({ inbox_id, message_id: busy.id })).toMatchObject({
      status: "queued",
      delivery_events: [{ type: "deferred", detail: "451 4.7.1 try again later" }],
    });
    expect(await as.messages.get({ inbox_id, message_id: gone.id })).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "failed" }],
    });
    expect(await eventTypes(service, account.account_id)).toContain("message.failed");
    service.transport.accept("busy@example.com");
    await service.clock.advance(60_000);
    await service.work();
    expect(await as.messages.get({ inbox_id, message_id: busy.id })).toMatchObject({ status: "sent" });
    expect(service.transport.sent).toHaveLength(1);
  });

  test("only recipients without a final result are retried", async () => {
    const { service, as, inbox_id } = await signedUp();
    service.transport.refuse("busy@example.com", "temporary_failure");
    await as.messages.send({ inbox_id, to: ["ada@example.com", "busy@example.com"], text: "x" });
    await service.work();
    service.transport.accept("busy@example.com");
    await service.clock.advance(60_000);
    await service.work();
    expect(service.transport.sent.map(({ envelope }) => envelope.rcpt_to)).toEqual([
      ["ada@example.com", "busy@example.com"],
      ["busy@example.com"],
    ]);
    expect(service.transport.sent[0]?.raw).toEqual(service.transport.sent[1]?.raw);
  });

  test("if a worker dies after sending but before recording it, the mail is sent again with the same Message-ID, and an event says so", async () => {
    const { service, as, inbox_id } = await signedUp();
    const { storage } = service.letterslot.services;
    const message = await as.messages.send({ inbox_id, to: ["ada@example.com"], text: "x" });
    const transaction = storage.transaction;
    storage.transaction = async () => {
      throw new Error("power cut");
    };
    await service.work();
    storage.transaction = transaction;
    await service.clock.advance(120_000);
    await service.work();
    expect(service.transport.sent).toHaveLength(2);
    expect(service.transport.sent[0]?.message_id).toBe(service.transport.sent[1]?.message_id);
    const { delivery_events, status } = await as.messages.get({ inbox_id, message_id: message.id });
    expect(status).toBe("sent");
    expect(delivery_events.map(({ type }) => type)).toEqual(["possibly_repeated", "sent"]);
  });

  test("if a worker dies before sending, the mail is sent once and nothing is marked", async () => {
    const { service, as, inbox_id } = await signedUp();
    const { storage } = service.letterslot.services;
    const message = await as.messages.send({ inbox_id, to: ["ada@example.com"], text: "x" });
    const { get } = storage;
    storage.get = async () => Promise.reject(new Error("power cut"));
    await service.work();
    Object.assign(storage, { get });
    await service.clock.advance(120_000);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
    expect(
      (await as.messages.get({ inbox_id, message_id: message.id })).delivery_events.map(({ type }) => type),
    ).toEqual(["sent"]);
  });

  test("a hanging mail server blocks at most a hundred sends, and the rest continue when it answers", async () => {
    const { service, as, inbox_id } = await signedUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { send } = service.transport;
    let asked = 0;
    service.transport.send = async (mail) => {
      asked++;
      await promise;
      return send(mail);
    };
    for (let n = 0; n < 130; n++) await as.messages.send({ inbox_id, to: [`a${n}@example.com`], text: "x" });
    const stop = service.letterslot.work();
    await service.clock.advance(10);
    expect(asked).toBe(7);
    resolve();
    await service.clock.advance(2000);
    await stop();
    expect(service.transport.sent).toHaveLength(130);
  });

  test("mail between two inboxes of the service stays inside and is authenticated", async () => {
    const { service, as, inbox_id } = await signedUp();
    const other = await service.signUp("helper");
    await as.messages.send({
      inbox_id,
      to: [other.inbox.email, "nobody@letterslot.localhost"],
      subject: "Hi",
      text: "Hello",
    });
    await service.work();
    expect(service.transport.attempts).toEqual([]);
    const { data } = await other.as.messages.list({ inbox_id: other.inbox.id });
    expect(data).toMatchObject([{ subject: "Hi", auth: { dkim: "pass", dmarc: "pass" } }]);
    const [sent] = (await as.messages.list({ inbox_id })).data;
    expect(sent?.delivery_events).toMatchObject([
      { type: "sent" },
      { type: "failed", recipient: "nobody@letterslot.localhost" },
    ]);
  });

  test("queued mail of a deleted inbox is not sent", async () => {
    const { service, as, inbox_id } = await signedUp();
    await as.messages.send({ inbox_id, to: ["ada@example.com"], text: "x" });
    await as.inboxes.delete({ inbox_id, permanent: true });
    await service.work();
    expect(service.transport.attempts).toEqual([]);
  });

  test("attachments are sent and can be downloaded", async () => {
    const { service, as, inbox_id } = await signedUp();
    const bytes = Buffer.from("a,b\n1,2\n");
    const attachments = [
      { filename: "täble.csv", content_base64: bytes.toString("base64"), content_type: "text/csv" },
    ];
    const sent = await as.messages.send({ inbox_id, to: ["ada@example.com"], text: "see", attachments });
    await service.work();
    const parsed = await parseMail(service.transport.sent[0]?.raw ?? new Uint8Array());
    expect(parsed.attachments).toMatchObject([{ filename: "täble.csv", content_type: "text/csv" }]);
    const [attachment] = sent.attachments;
    const download = await as.attachments.get({
      inbox_id,
      message_id: sent.id,
      attachment_id: attachment?.id ?? "",
    });
    expect(Buffer.from(download.bytes)).toEqual(bytes);
    expect(download.headers["Content-Disposition"]).toBe(
      "attachment; filename=\"t_ble.csv\"; filename*=UTF-8''t%C3%A4ble.csv",
    );
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ["no body", { to: ["a@example.com"] }, "missing_body"],
    ["an empty body", { to: ["a@example.com"], text: "" }, "missing_body"],
    ["nobody to go to", { to: [], text: "x" }, "no_recipients"],
    ["no to at all", { text: "x" }, "invalid_request"],
    ["a word for an address", { to: ["ada"], text: "x" }, "invalid_address"],
    [
      "an encoded word for an address",
      { to: ["=?utf-8?q?eve=40evil.example?=@example.com"], text: "x" },
      "invalid_address",
    ],
    ["two addresses in one", { to: ["a@example.com, b@example.com"], text: "x" }, "invalid_address"],
    ["a name after the address", { to: ["<a@example.com> Ada"], text: "x" }, "invalid_address"],
    [
      "a line break in the subject",
      { to: ["a@example.com"], text: "x", subject: "a\r\nBcc: evil@example.com" },
      "invalid_header",
    ],
    [
      "a header that only the service sets",
      { to: ["a@example.com"], text: "x", headers: { From: "x" } },
      "invalid_header",
    ],
    [
      "a line break in a header",
      { to: ["a@example.com"], text: "x", headers: { "X-A": "a\nb" } },
      "invalid_header",
    ],
    [
      "51 recipients",
      { to: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`), text: "x" },
      "too_many_recipients",
    ],
    [
      "51 recipients across all fields",
      {
        to: Array.from({ length: 30 }, (_, n) => `a${n}@example.com`),
        cc: Array.from({ length: 21 }, (_, n) => `b${n}@example.com`),
        text: "x",
      },
      "too_many_recipients",
    ],
    [
      "bytes that are not base64",
      { to: ["a@example.com"], text: "x", attachments: [{ filename: "a", content_base64: "%%" }] },
      "invalid_attachment",
    ],
    ["an unknown field", { to: ["a@example.com"], text: "x", bodytext: "y" }, "unknown_parameter"],
    [
      "an unknown field of an attachment",
      { to: ["a@example.com"], text: "x", attachments: [{ filename: "a", content_base64: "", type: "x" }] },
      "unknown_parameter",
    ],
    ["a protected label", { to: ["a@example.com"], text: "x", labels: ["held"] }, "protected_label"],
    ["a label out of form", { to: ["a@example.com"], text: "x", labels: ["Not OK"] }, "invalid_label"],
    ["too much", { to: ["a@example.com"], text: "x".repeat(25 * 1024 * 1024 + 1) }, "message_too_large"],
  ];
  test.each(refused)("%s is refused and nothing is stored", async (_what, input, code) => {
    const { service, account, inbox_id } = await signedUp();
    await expect(
      service.letterslot.call(account.caller, "messages.send", { inbox_id, ...input }),
    ).rejects.toMatchObject({
      code,
    });
    expect((await account.as.messages.list({ inbox_id })).data).toEqual([]);
  });

  test("a paused or expired inbox sends nothing", async () => {
    const { service, as, inbox_id } = await signedUp();
    await as.inboxes.update({ inbox_id, status: "paused" });
    await expect(as.messages.send({ inbox_id, to: ["a@example.com"], text: "x" })).rejects.toMatchObject({
      code: "inbox_paused",
    });
    const brief = await as.inboxes.create({ username: "brief", ttl_hours: 1 });
    await service.clock.advance(3600_001);
    await expect(
      as.messages.send({ inbox_id: brief.id, to: ["a@example.com"], text: "x" }),
    ).rejects.toMatchObject({
      code: "inbox_expired",
    });
  });
});

describe("idempotent sends", () => {
  const mail = { to: ["ada@example.com"], text: "Once." };

  test("the same client_id returns the first message, also for concurrent calls", async () => {
    const { service, as, inbox_id } = await signedUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => as.messages.send({ inbox_id, ...mail, client_id: "c1" })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("the same key and request replay, whatever the order of the fields", async () => {
    const { service, as, inbox_id } = await signedUp();
    const first = await as.messages.send(
      { inbox_id, to: ["ada@example.com"], text: "Once." },
      { idempotencyKey: "k-1" },
    );
    const again = await as.messages.send(
      { text: "Once.", to: ["ada@example.com"], inbox_id },
      { idempotencyKey: "k-1" },
    );
    expect(first.idempotent).toBe(false);
    expect(again).toEqual({ ...first, idempotent: true });
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("the same key with another request is a conflict", async () => {
    const { as, inbox_id } = await signedUp();
    await as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "k-1" });
    await expect(
      as.messages.send({ inbox_id, ...mail, text: "Other." }, { idempotencyKey: "k-1" }),
    ).rejects.toMatchObject({
      code: "idempotency_key_conflict",
    });
  });

  test("fifty concurrent calls with one key have one effect; the rest are told to wait or are replayed", async () => {
    const { service, as, inbox_id } = await signedUp();
    const calls = await Promise.allSettled(
      Array.from({ length: 50 }, () => as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "race" })),
    );
    const ids = new Set(calls.flatMap((call) => (call.status === "fulfilled" ? [call.value.id] : [])));
    expect(ids.size).toBe(1);
    for (const call of calls)
      if (call.status === "rejected")
        expect(call.reason).toMatchObject({ code: "idempotency_request_in_progress" });
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("client_id is checked before the key", async () => {
    const { as, inbox_id } = await signedUp();
    const first = await as.messages.send({ inbox_id, ...mail, client_id: "c1" }, { idempotencyKey: "k-1" });
    const other = await as.messages.send(
      { inbox_id, to: ["bo@example.org"], text: "Else", client_id: "c1" },
      { idempotencyKey: "k-1" },
    );
    expect(other).toMatchObject({ id: first.id, idempotent: true });
  });

  test("a failed call leaves its key free", async () => {
    const { as, inbox_id } = await signedUp();
    await expect(
      as.messages.send({ inbox_id, to: ["a@example.com"] }, { idempotencyKey: "k-1" }),
    ).rejects.toMatchObject({
      code: "missing_body",
    });
    expect(
      await as.messages.send({ inbox_id, to: ["a@example.com"], text: "x" }, { idempotencyKey: "k-1" }),
    ).toMatchObject({
      idempotent: false,
    });
  });

  test("a call that crashed before its effect leaves its key free", async () => {
    const { service, as, inbox_id } = await signedUp();
    const { storage } = service.letterslot.services;
    const transaction = storage.transaction;
    storage.transaction = async () => Promise.reject(new Error("killed"));
    await expect(as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "k-1" })).rejects.toThrow(
      "killed",
    );
    Object.assign(storage, { transaction });
    expect(await as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "k-1" })).toMatchObject({
      status: "queued",
      idempotent: false,
    });
  });

  test("a key can be reused after 24 hours", async () => {
    const { service, as, inbox_id } = await signedUp();
    const first = await as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "k-1" });
    await service.clock.advance(24 * 3600_000 + 1);
    const second = await as.messages.send({ inbox_id, ...mail }, { idempotencyKey: "k-1" });
    expect(second.id).not.toBe(first.id);
  });

  test.each(["", "a b", "ü", "x".repeat(257)])("the key %j is refused", async (idempotency_key) => {
    const { as, inbox_id } = await signedUp();
    await expect(
      as.messages.send({ inbox_id, ...mail }, { idempotencyKey: idempotency_key }),
    ).rejects.toMatchObject({
      code: "invalid_idempotency_key",
    });
  });
});

describe("reading", () => {
  test("lists are paged, newest first, and a cursor requires the same filters", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    for (let n = 0; n < 5; n++)
      await service.receive({ from: "ada@example.com", to: account.inbox.email, subject: `n${n}` });
    const first = await as.messages.list({ inbox_id, limit: 2 });
    expect(first).toMatchObject({
      object: "list",
      has_more: true,
      data: [{ subject: "n4" }, { subject: "n3" }],
    });
    const second = await as.messages.list({ inbox_id, limit: 2, cursor: first.next_cursor ?? "" });
    const third = await as.messages.list({ inbox_id, limit: 2, cursor: second.next_cursor ?? "" });
    expect(third).toMatchObject({ has_more: false, next_cursor: null, data: [{ subject: "n0" }] });
    await expect(
      as.messages.list({ inbox_id, limit: 2, cursor: first.next_cursor ?? "", direction: "inbound" }),
    ).rejects.toMatchObject({ code: "invalid_cursor" });
    await expect(as.messages.list({ inbox_id, cursor: "nonsense" })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
    await expect(as.messages.list({ inbox_id, limit: 201 })).rejects.toMatchObject({ code: "invalid_limit" });
    await expect(as.messages.list({ inbox_id, limit: 1.5 })).rejects.toMatchObject({ code: "invalid_limit" });
  });

  test("all filters must match", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    await service.receive({ from: "ada@example.com", to: account.inbox.email, subject: "Blue house" });
    await service.clock.advance(1000);
    const between = service.clock.now().toISOString();
    await service.clock.advance(1000);
    await service.receive({ from: "bo@example.org", to: account.inbox.email, subject: "Blue boat" });
    const { data } = await as.messages.list({ inbox_id });
    await as.messages.update({ inbox_id, message_id: data[0]?.id ?? "", add_labels: ["todo", "read"] });
    const subjects = async (filter: Record<string, unknown>) =>
      (await as.messages.list({ inbox_id, ...filter })).data.map(({ subject }) => subject);
    expect(await subjects({ from: "ADA@example.com" })).toEqual(["Blue house"]);
    expect(await subjects({ label: ["todo"] })).toEqual(["Blue boat"]);
    expect(await subjects({ label: ["todo", "unread"] })).toEqual([]);
    expect(await subjects({ label: ["unread"], to: account.inbox.email })).toEqual(["Blue house"]);
    expect(await subjects({ subject: "boat" })).toEqual(["Blue boat"]);
    expect(await subjects({ subject: "blue", order: "asc" })).toEqual(["Blue house", "Blue boat"]);
    expect(await subjects({ before: between })).toEqual(["Blue house"]);
    expect(await subjects({ after: between })).toEqual(["Blue boat"]);
    expect(await subjects({ thread_id: data[1]?.thread_id })).toEqual(["Blue house"]);
    expect(await subjects({ thread_id: "thr_unknown" })).toEqual([]);
  });

  test("a summary has no text, html, extracted_html or headers", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    await service.receive({ from: "ada@example.com", to: account.inbox.email, text: "Hello\n" });
    const [summary] = (await as.messages.list({ inbox_id, view: "summary" })).data;
    expect(summary).toMatchObject({ extracted_text: "Hello" });
    for (const field of ["text", "html", "extracted_html", "headers"])
      expect(summary).not.toHaveProperty(field);
  });

  test("batch-update changes all named messages of this inbox in request order, and leaves others out", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const other = await service.signUp("helper");
    await service.receive({ from: "ada@example.com", to: account.inbox.email });
    await service.receive({ from: "ada@example.com", to: account.inbox.email });
    await service.receive({ from: "ada@example.com", to: other.inbox.email });
    const own = (await as.messages.list({ inbox_id })).data.map(({ id }) => id).toReversed();
    const foreign = (await other.as.messages.list({ inbox_id: other.inbox.id })).data[0]?.id ?? "";
    const answer = await as.messages.batchUpdate({
      inbox_id,
      message_ids: [...own, foreign],
      add_labels: ["done"],
      remove_labels: ["unread"],
    });
    expect(answer).toMatchObject({ object: "list", limit: 3, count: 2 });
    expect(answer.data.map(({ id }) => id)).toEqual(own);
    expect(answer.data[0]?.labels).toEqual(["received", "done", "read"]);
    const thread = await service.letterslot.services.storage.get("threads", answer.data[0]?.thread_id ?? "");
    expect(thread?.unread_count).toBe(0);
  });

  const refusedBatches: [Record<string, unknown>, string][] = [
    [{ message_ids: [], add_labels: ["x"] }, "missing_message_ids"],
    [{ add_labels: ["x"] }, "missing_message_ids"],
    [{ message_ids: ["a", "a"], add_labels: ["x"] }, "duplicate_message_ids"],
    [{ message_ids: Array.from({ length: 51 }, (_, n) => `m${n}`), add_labels: ["x"] }, "too_many_ids"],
    [{ message_ids: ["a"] }, "missing_labels"],
    [{ message_ids: ["a"], add_labels: ["suspicious"] }, "protected_label"],
    [{ message_ids: ["a"], add_labels: ["x"], remove_labels: ["x"] }, "label_conflict"],
    [{ message_ids: ["a"], add_labels: ["read", "unread"] }, "label_conflict"],
    [{ message_ids: ["a"], add_labels: ["Bad Label"] }, "invalid_label"],
  ];
  test.each(refusedBatches)("batch-update %j is refused", async (input, code) => {
    const { service, account, inbox_id } = await signedUp();
    await expect(
      service.letterslot.call(account.caller, "messages.batchUpdate", { inbox_id, ...input }),
    ).rejects.toMatchObject({
      code,
    });
  });

  test("deleting a message for good deletes everything of it, and the last one deletes the thread", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const { storage } = service.letterslot.services;
    await service.receive({ from: "ada@example.com", to: account.inbox.email, text: "zebra crossing\n" });
    const [message] = (await as.messages.list({ inbox_id })).data;
    const gone = { inbox_id, message_id: message?.id ?? "", permanent: true };
    expect(await as.messages.delete(gone)).toEqual({
      id: message?.id,
      object: "message",
      deleted: true,
      restorable_until: null,
    });
    await expect(as.messages.get({ inbox_id, message_id: message?.id ?? "" })).rejects.toMatchObject({
      code: "message_not_found",
    });
    expect((await as.search.messages({ q: "zebra" })).data).toEqual([]);
    expect(await storage.get("threads", message?.thread_id ?? "")).toBeUndefined();
    expect(await storage.count("message_terms", { inbox_id }, 10)).toBe(0);
    expect(await storage.count("blob_uses", {}, 10)).toBe(0);
    await service.clock.advance(3600_001);
    await service.work();
    expect(await storage.count("jobs", {}, 10)).toBe(0);
  });

  test("search finds words, phrases, prefixes and other scripts, and highlights them in escaped HTML", async () => {
    const { service, account, as } = await signedUp();
    await service.receive({
      from: "Zoë <zoe@example.com>",
      to: account.inbox.email,
      subject: "Größe & <Farbe>",
      text: "The quick brown fox.\n",
    });
    await service.receive({
      from: "ada@example.com",
      to: account.inbox.email,
      subject: "会議",
      text: "明日の会議は十時からです。\n",
    });
    const subjects = async (q: string) =>
      (await as.search.messages({ q })).data.map(({ message }) => message.subject);
    expect(await subjects("grosse")).toEqual(["Größe & <Farbe>"]);
    expect(await subjects('"quick brown"')).toEqual(["Größe & <Farbe>"]);
    expect(await subjects('"brown quick"')).toEqual([]);
    expect(await subjects("quick bro")).toEqual(["Größe & <Farbe>"]);
    expect(await subjects("from:zoe fox")).toEqual(["Größe & <Farbe>"]);
    expect(await subjects("from:ada fox")).toEqual([]);
    expect(await subjects("会議")).toEqual(["会議"]);
    expect(await subjects("label:unread 十時")).toEqual(["会議"]);
    const [hit] = (await as.search.messages({ q: "farbe" })).data;
    expect(hit?.highlights.subject).toBe("Größe &amp; &lt;<mark>Farbe</mark>&gt;");
    await expect(as.search.messages({ q: "  " })).rejects.toMatchObject({ code: "missing_query" });
  });

  test("the last words of a text of 40,000 characters are found, in scripts without spaces too", async () => {
    const { as, service, account } = await signedUp();
    const mail = { from: "ada@example.com", to: account.inbox.email };
    await service.receive({ ...mail, subject: "Latin", text: `${"lorem ipsum ".repeat(3_300)}zanzibar` });
    await service.receive({ ...mail, subject: "Han", text: `${"我们的会议".repeat(7_900)}。茉莉花茶` });
    for (const [q, subject] of [
      ["zanzibar", "Latin"],
      ["茉莉花茶", "Han"],
    ] as const)
      expect((await as.search.messages({ q })).data.map(({ message }) => message.subject)).toEqual([subject]);
  });

  test("a search result's text is truncated as in every list", async () => {
    const { as, inbox_id } = await signedUp();
    await as.messages.inject({
      inbox_id,
      from: "ada@example.com",
      text: `fox ${"x".repeat(LIMITS.list_body_chars)}`,
    });
    const [hit] = (await as.search.messages({ q: "fox" })).data;
    expect(hit?.message).toMatchObject({ extracted_text_truncated: true });
    expect(hit?.message.extracted_text).toHaveLength(LIMITS.list_body_chars);
  });

  test("a search never shows another account's mail", async () => {
    const { service, account } = await signedUp();
    const other = await service.signUp("helper");
    await service.receive({ from: "ada@example.com", to: account.inbox.email, text: "secret plans\n" });
    expect((await other.as.search.messages({ q: "secret" })).data).toEqual([]);
    const asked = other.as.search.messages({ q: "secret", inbox_id: account.inbox.id });
    await expect(asked).rejects.toMatchObject({ code: "inbox_not_found" });
  });
});

describe("waiting", () => {
  test("returns unread mail at once, oldest first", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    await service.receive({ from: "ada@example.com", to: account.inbox.email, subject: "one" });
    await service.receive({ from: "ada@example.com", to: account.inbox.email, subject: "two" });
    expect(await as.messages.wait({ inbox_id })).toMatchObject({
      object: "inbox_wait",
      inbox_id,
      timed_out: false,
      data: [{ subject: "one" }, { subject: "two" }],
    });
  });

  test("is woken by new mail, and times out without any", async () => {
    const { service, account, as, inbox_id } = await signedUp();
    const waiting = as.messages.wait({ inbox_id, wait: 55 });
    await service.clock.advance(10);
    await service.receive({ from: "ada@example.com", to: account.inbox.email, subject: "now" });
    expect(await waiting).toMatchObject({ timed_out: false, data: [{ subject: "now" }] });
    await as.messages.update({
      inbox_id,
      message_id: (await as.messages.list({ inbox_id })).data[0]?.id ?? "",
      add_labels: ["read"],
    });
    const idle = as.messages.wait({ inbox_id, wait: 25 });
    await service.clock.advance(25_001);
    expect(await idle).toMatchObject({ timed_out: true, data: [] });
  });

  test("a key has five waiting slots, freed when a caller disconnects", async () => {
    const { service, as, inbox_id } = await signedUp();
    const hangUp = new AbortController();
    const waits = Array.from({ length: 5 }, () =>
      as.messages.wait({ inbox_id, wait: 55 }, { signal: hangUp.signal }),
    );
    await service.clock.advance(10);
    await expect(as.messages.wait({ inbox_id, wait: 5 })).rejects.toMatchObject({
      code: "rate_limited",
      retry_after_seconds: 1,
    });
    hangUp.abort();
    await Promise.all(waits);
    expect(await as.messages.wait({ inbox_id, wait: 0 })).toMatchObject({ timed_out: true });
  });

  test.each([-1, 56, 1.5, "x"])("a wait of %j is refused", async (wait) => {
    const { service, account, inbox_id } = await signedUp();
    await expect(
      service.letterslot.call(account.caller, "messages.wait", { inbox_id, wait }),
    ).rejects.toMatchObject({
      code: "invalid_wait",
    });
  });
});
