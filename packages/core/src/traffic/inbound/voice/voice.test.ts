import { describe, expect, test } from "vitest";
import { createMemoryStorage, createTestService, type TestService } from "../../../../testing/index.ts";
import {
  withOwner as accountWithOwner,
  answerTo,
  headerOf,
  lettersTo,
} from "../../../../testing/owner-mail.ts";
import { LIMITS } from "../../../catalogue/limits.ts";

const GRACE = "grace@example.com";
const TEXT = "Please order paper.\nTwo boxes.";

/** An account whose inbox has Grace as an owner, and her session. */
async function withVoice(service: TestService = createTestService()) {
  const account = await accountWithOwner(service);
  const inbox_id = account.inbox.id;
  const write = (more: Partial<Input> = {}, email = GRACE) =>
    service.letterslot
      .asOwner({ email, account_id: "" })
      .ownerMessages.create({ inbox_id, text: TEXT, ...more });
  const listed = async () => (await account.as.messages.list({ inbox_id })).data;
  const tasks = async () => (await account.as.tasks.list({})).data;
  return { ...account, inbox_id, write, listed, tasks, owner_id: account.owners[0] ?? "" };
}
type Input = Parameters<ReturnType<TestService["letterslot"]["asOwner"]>["ownerMessages"]["create"]>[0];

/** Mallory has charge of an account of her own. */
async function mallory(service: TestService) {
  const other = await service.signUp("other");
  await service.addOwner(other, "mallory@example.net");
  return other;
}

async function upload(
  service: TestService,
  { as, inbox_id }: Awaited<ReturnType<typeof withVoice>>,
  text: string,
) {
  const created = await as.uploads.create({ inbox_id, filename: "list.txt" });
  const word = new URL(created.put_url).searchParams.get("word") ?? "";
  async function* bytes() {
    yield Buffer.from(text);
  }
  return service.letterslot.receiveUpload({ word, declared_bytes: undefined, bytes: bytes() });
}

describe("what a person writes in their session", () => {
  test("is a message of theirs and a trusted task", async () => {
    const { write, listed, tasks, inbox, owner_id } = await withVoice();
    const { message, task, idempotent } = await write();
    expect(idempotent).toBe(false);
    expect(message).toMatchObject({
      ...{ channel: "console", direction: "inbound", status: "received", from: GRACE, to: [inbox.email] },
      ...{ subject: "Please order paper.", text: TEXT, extracted_text: TEXT, html: null, safety: null },
      labels: ["received", "unread", "owner"],
    });
    expect(task).toMatchObject({
      ...{ origin: "mail", message_id: message.id, thread_id: message.thread_id, status: "pending" },
      ...{
        trusted: true,
        owner_id,
        sender: GRACE,
        text: TEXT,
        subject: "Please order paper.",
        task_id: null,
      },
    });
    expect((await listed()).find(({ id }) => id === message.id)).toMatchObject({ channel: "console" });
    expect((await tasks()).map(({ id }) => id)).toEqual([task.id]);
  });

  test("fires what the owner's mail fires, and wakes who waits", async () => {
    const { service, as, write, inbox_id, owner_id } = await withVoice();
    const waiting = as.messages.wait({ inbox_id, wait: 25 });
    const claiming = as.tasks.claim({ wait: 25 });
    await service.clock.advance(10);
    const { message, task } = await write();
    expect((await waiting).data.map(({ id }) => id)).toEqual([message.id]);
    expect((await claiming).task).toMatchObject({ id: task.id, trusted: true });
    const { data } = await as.events.list({ limit: 200 });
    const fired = data.filter(({ data: of }) => JSON.stringify(of).includes(message.id));
    expect(fired.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["message.received", "owner.reply", "task.received"]),
    );
    expect(fired.find(({ type }) => type === "owner.reply")?.data).toMatchObject({
      ...{ owner_id, task_id: task.id, answers_task_id: null, answer: null },
      message: { id: message.id, extracted_text: TEXT },
    });
  });

  test("comes to a webhook", async () => {
    const { service, as, write } = await withVoice();
    await as.webhooks.create({
      url: "https://hooks.example.com/",
      events: ["owner.reply", "task.received"],
    });
    await write();
    await service.work();
    const types = service.receivers.posted.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.toSorted()).toEqual(["owner.reply", "task.received"]);
  });

  test("with a client_id is there once, and no agent's id stands in its way", async () => {
    const { as, write, listed, inbox_id } = await withVoice();
    await as.messages.inject({
      inbox_id,
      from: "eve@example.net",
      subject: "Mine",
      text: "First.",
      client_id: "one",
    });
    const first = await write({ client_id: "one" });
    const again = await write({ client_id: "one", text: "Something else" });
    expect(first.message).toMatchObject({ channel: "console", subject: "Please order paper." });
    expect(again).toEqual({ ...first, idempotent: true });
    expect((await listed()).filter(({ channel }) => channel === "console")).toHaveLength(1);
    expect((await write({ client_id: "two" })).message.id).not.toBe(first.message.id);
  });

  test("with a client_id is answered by the first, though that is deleted at that moment", async () => {
    const storage = createMemoryStorage();
    const looks: (() => Promise<unknown>)[] = [];
    const find = async (...given: Parameters<typeof storage.find>) => {
      const found = await storage.find(...given);
      if ("dedupe_key" in given[1].where) await looks.shift()?.();
      return found;
    };
    const watched = new Proxy(storage, {
      get: (from, name) => (name === "find" ? find : (Reflect.get(from, name) as unknown)),
    });
    const { as, write, inbox_id } = await withVoice(createTestService({ storage: watched }));
    let first: Awaited<ReturnType<typeof write>> | undefined;
    // Between the first look for it and the transaction another call writes it; before the next look it is deleted.
    looks.push(async () => {
      first = await write({ client_id: "one" });
      looks.push(() =>
        as.messages.delete({ inbox_id, message_id: first?.message.id ?? "", permanent: true }),
      );
    });
    expect((await write({ client_id: "one" })).message.id).toBe(first?.message.id);
  });

  test("is nobody's but an owner's or an authority's", async () => {
    const { service, as, write, inbox_id, account_id } = await withVoice();
    await mallory(service);
    for (const email of ["mallory@example.net", "nobody@example.org"])
      await expect(write({}, email)).rejects.toMatchObject({ code: "inbox_not_found" });
    await as.owners.create({ inbox_id, email: "pending@example.com" });
    await expect(write({}, "pending@example.com")).rejects.toMatchObject({ code: "inbox_not_found" });
    const call = (as as unknown as { ownerMessages: { create(input: object): Promise<unknown> } })
      .ownerMessages;
    await expect(call.create({ inbox_id, text: "Me" })).rejects.toMatchObject({ code: "owner_only" });
    // Whoever has charge without being an owner of this inbox.
    const grace = service.letterslot.asOwner({ email: GRACE, account_id });
    await grace.authority.create({ account_id });
    const second = await grace.inboxes.create({ username: "second" });
    const { message, task } = await grace.ownerMessages.create({ inbox_id: second.id, text: "Hello" });
    expect(message).toMatchObject({ channel: "console", from: GRACE });
    expect(task).toMatchObject({ trusted: true, owner_id: null, sender: GRACE });
    const { data } = await as.events.list({ limit: 200 });
    expect(data.filter(({ type }) => type === "owner.reply")).toEqual([]);
  });

  test("is refused while the inbox is paused or has ended, and while the account is suspended", async () => {
    const { service, as, write, inbox_id, account_id } = await withVoice();
    const { storage } = service.letterslot.services;
    const expires_at = new Date(service.clock.now().getTime() + 3600_000).toISOString();
    await as.inboxes.update({ inbox_id, status: "paused" });
    await expect(write()).rejects.toMatchObject({ code: "inbox_paused" });
    await as.inboxes.update({ inbox_id, status: "active", expires_at });
    await storage.update("accounts", { id: account_id }, { suspended_at: expires_at });
    await expect(write()).rejects.toMatchObject({ code: "account_suspended" });
    await storage.update("accounts", { id: account_id }, { suspended_at: null });
    await service.clock.advance(3600_000);
    await expect(write()).rejects.toMatchObject({ code: "inbox_expired" });
  });

  test("has limits with names", async () => {
    const { service, write } = await withVoice();
    await expect(write({ text: " \n" })).rejects.toMatchObject({ code: "missing_body" });
    await expect(write({ text: "x".repeat(LIMITS.owner_message_chars + 1) })).rejects.toMatchObject({
      param: "text",
    });
    for (let nth = 0; nth < LIMITS.owner_messages_per_hour; nth++) await write({ client_id: `${nth}` });
    await expect(write()).rejects.toMatchObject({ code: "rate_limited" });
    // What is there already is still answered.
    expect(await write({ client_id: "0" })).toMatchObject({ idempotent: true });
    await service.clock.advance(3600_000);
    await write();
  });

  test("takes uploads, by their bytes' hash, which count", async () => {
    const setting = await withVoice();
    const { service, as, write, inbox_id } = setting;
    const before = (await as.metrics.usage({})).storage_bytes;
    const file = await upload(service, setting, "1 box of paper");
    const { message } = await write({ upload_ids: [file.id] });
    const [attachment] = message.attachments;
    expect(attachment).toMatchObject({ filename: "list.txt", size_bytes: 14 });
    const record = await service.letterslot.services.storage.get("messages", message.id);
    expect(record?.attachments[0]?.hash).toBe(file.sha256);
    const uses = await service.letterslot.services.storage.find("blob_uses", {
      where: { hash: file.sha256 ?? "" },
      limit: 9,
    });
    expect(uses.map(({ message_id }) => message_id).toSorted()).toEqual([message.id, file.id].toSorted());
    // The upload, and the message with its copy of it.
    expect((await as.metrics.usage({})).storage_bytes - before).toBe(14 + 14 + TEXT.length);
    await expect(write({ upload_ids: ["upl_unknown"] })).rejects.toMatchObject({
      ...{ code: "upload_not_found", param: "upload_ids[0]" },
    });
    const { put_url: _url, ...waiting } = await as.uploads.create({ inbox_id, filename: "b.txt" });
    await expect(write({ upload_ids: [waiting.id] })).rejects.toMatchObject({ code: "upload_not_ready" });
  });

  test("holds no secret of a letter", async () => {
    const setting = await withVoice();
    const { service, as, write, inbox_id } = setting;
    await as.updates.create({ inbox_id, kind: "needs_input", text: "Which?", question: { type: "yes_no" } });
    await service.work();
    const link = /https?:\/\/\S+answer\?token=\w+/.exec(lettersTo(service, GRACE).at(-1) ?? "")?.[0] ?? "";
    expect(link).toContain("token=lso");
    const file = await upload(service, setting, `See ${link}`);
    const { message } = await write({ text: `What is this? ${link}`, upload_ids: [file.id] });
    expect(message).toMatchObject({ redacted: true, text: expect.not.stringContaining("lso") });
    const record = await service.letterslot.services.storage.get("messages", message.id);
    const bytes = await service.letterslot.services.blobs.get(record?.attachments[0]?.hash ?? "");
    expect(new TextDecoder().decode(bytes)).not.toContain("lso");
  });

  test("has no raw form; explain tells who wrote it, the marked view that they were signed in", async () => {
    const { as, write, inbox_id } = await withVoice();
    const { message, task } = await write();
    const of = { inbox_id, message_id: message.id };
    await expect(as.messages.raw(of)).rejects.toMatchObject({
      ...{ code: "not_a_mail", message: expect.stringContaining("signed in") },
    });
    const { data } = await as.messages.explain(of);
    expect(data.map(({ step, outcome }) => [step, outcome]).slice(0, 4)).toEqual([
      ["received", "console"],
      ["sender_authentication", "signed_in"],
      ["owner_word", "counts"],
      ["task", "made"],
    ]);
    expect(data.find(({ step }) => step === "task")?.subject_id).toBe(task.id);
    const { text } = await as.messages.marked(of);
    expect(text).toContain(`Message received from ${GRACE}`);
    expect(text).toContain("Its author was signed in.");
  });

  test("is found by its words, and by the label that only the service sets", async () => {
    const { as, write, inbox_id } = await withVoice();
    const { message } = await write();
    expect((await as.search.messages({ q: "boxes" })).data).toMatchObject([{ message: { id: message.id } }]);
    expect((await as.messages.list({ inbox_id, label: ["owner", "received"] })).data).toMatchObject([
      { id: message.id },
    ]);
    const change = { inbox_id, message_id: message.id, remove_labels: ["owner"] };
    await expect(as.messages.update(change)).rejects.toMatchObject({ code: "protected_label" });
  });

  test("meets no rule of the inbox", async () => {
    const { as, write, inbox_id } = await withVoice();
    const conditions = { subject_contains: ["paper"] };
    await as.rules.create({ inbox_id, name: "All", conditions, actions: { hold: true, no_task: true } });
    expect((await write()).message.labels).not.toContain("held");
  });
});

describe("the conversation", () => {
  test("has the updates about the task and the answers to them in one thread", async () => {
    const { service, as, write, inbox_id } = await withVoice();
    const { message, task } = await write();
    const report = { inbox_id, kind: "progress" as const, text: "Half of it is done.", task_id: task.id };
    const { deliveries } = await as.updates.create(report);
    await service.work();
    const thread = await as.threads.get({ inbox_id, thread_id: message.thread_id });
    expect(thread.messages?.map(({ id }) => id)).toEqual([message.id, deliveries[0]?.message_id]);
    const letter = lettersTo(service, GRACE).at(-1);
    expect(headerOf(letter, "In-Reply-To")).toBe(message.message_id);
    await service.receive({ from: GRACE, ...answerTo(letter), subject: "Re: paper", text: "Thanks.\n" });
    const more = await write({ text: "Blue paper, please.", task_id: task.id });
    expect(more.message).toMatchObject({ thread_id: message.thread_id, subject: "Re: Please order paper." });
    // As a reply by mail, it is a task of its own which names what it belongs to.
    const { data } = await as.tasks.list({});
    const follow_ups = data.filter(({ id }) => id !== task.id);
    expect(follow_ups).toHaveLength(2);
    for (const each of follow_ups)
      expect(each).toMatchObject({ task_id: task.id, thread_id: message.thread_id, trusted: true });
    const events = (await as.events.list({ limit: 200 })).data.filter(({ type }) => type === "owner.reply");
    expect(events.map(({ data: of }) => of)).toMatchObject([
      { answers_task_id: null },
      { answers_task_id: task.id },
      { answers_task_id: task.id },
    ]);
  });

  test("goes on that of updates with a task_id of the agent's own", async () => {
    const { as, write, inbox_id, service } = await withVoice();
    const report = { inbox_id, kind: "progress" as const, text: "Half of it is done.", task_id: "printer" };
    const { deliveries } = await as.updates.create(report);
    await service.work();
    const { message, task } = await write({ task_id: "printer" });
    const letter = await as.messages.get({ inbox_id, message_id: deliveries[0]?.message_id ?? "" });
    expect(message).toMatchObject({ thread_id: letter.thread_id, in_reply_to: letter.message_id });
    expect(task).toMatchObject({ task_id: "printer", thread_id: letter.thread_id });
  });

  test("of another's task is open to those with authority alone", async () => {
    const { service, as, write, inbox, inbox_id, account_id } = await withVoice();
    await service.addOwner({ as, inbox } as Parameters<typeof service.addOwner>[0], "alan@example.com");
    const { task } = await write({}, "alan@example.com");
    await expect(write({ task_id: task.id })).rejects.toMatchObject({ code: "task_not_found" });
    await expect(write({ task_id: "nothing" })).rejects.toMatchObject({ code: "task_not_found" });
    await service.letterslot.asOwner({ email: GRACE, account_id }).authority.create({ account_id });
    expect((await write({ task_id: task.id })).message.thread_id).toBe(task.thread_id);
    const other = await mallory(service);
    await service.receive({
      from: "mallory@example.net",
      to: other.inbox.email,
      subject: "Order",
      text: "Now.\n",
    });
    const [foreign] = (await other.as.tasks.list({})).data;
    await expect(write({ task_id: foreign?.id ?? "" })).rejects.toMatchObject({ code: "task_not_found" });
    expect(inbox_id).toBe(inbox.id);
  });

  test("is answered by mail like any, and an answer to it leaves without asking", async () => {
    const { service, as, write, inbox_id } = await withVoice();
    await as.inboxes.update({ inbox_id, send_mode: "guarded", outbound: { untrusted: "approve" } });
    const { message, task } = await write();
    const { message: sent } = await as.tasks.reply({
      task_id: task.id,
      text: "Two boxes are ordered.",
      status: "done",
    });
    expect(sent).toMatchObject({
      ...{
        object: "message",
        to: [GRACE],
        subject: "Re: Please order paper.",
        in_reply_to: message.message_id,
      },
      thread_id: message.thread_id,
    });
    await service.work();
    const letter = lettersTo(service, GRACE).at(-1);
    expect(letter).toContain("Two boxes are ordered.");
    const in_reply_to = headerOf(letter, "Message-ID") ?? "";
    await service.receive({ from: GRACE, to: message.to[0] ?? "", in_reply_to, text: "Good.\n" });
    const thread = await as.threads.get({ inbox_id, thread_id: message.thread_id });
    expect(thread.message_count).toBe(3);
  });
});
