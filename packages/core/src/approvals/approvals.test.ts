import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom, type TestAccount, type TestService } from "../../testing/index.ts";
import { parseMail } from "../inbound/parse.ts";

const grace = "grace@example.com";
const ada = "ada@example.org";
const hour = 3600_000;

/** An inbox in approval mode with one verified owner. */
async function guarded(service = createTestService()) {
  const account = await service.signUp("agent");
  const owner_id = await service.addOwner(account, grace);
  const inbox_id = account.inbox.id;
  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
  return { service, ...account, account, owner_id, inbox_id };
}

/** The newest letter that left for an address, and the token of its link. */
async function letterTo({ transport }: TestService, email = grace) {
  const letter = transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  if (letter === undefined) throw new Error(`no letter left for ${email}`);
  const mail = await parseMail(letter.raw);
  const token = /owners\/approve\?token=(\w{40})/.exec(mail.text ?? "")?.[1] ?? "";
  return { ...mail, message_id: letter.message_id, token };
}

const publicly = ({ letterslot }: TestService) => letterslot.as({ type: "public", ip: "203.0.113.9" });

/** What left for an address. */
const leftFor = ({ transport }: TestService, email: string) =>
  transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(email));

async function heldMail(setting: Awaited<ReturnType<typeof guarded>>, mail: Record<string, unknown> = {}) {
  const { as, inbox_id, service } = setting;
  const draft = await as.messages.send({ inbox_id, to: [ada], subject: "Offer", text: "42 euros", ...mail });
  if (draft.object !== "draft") throw new Error("the mail was not held");
  await service.work();
  return draft;
}

const approvalOf = async ({ as }: TestAccount | { as: TestAccount["as"] }, id: string | null) =>
  as.approvals.get({ approval_id: id ?? "" });

/** Answers the newest letter to an owner. */
async function answer(
  service: TestService,
  to: string,
  text: string,
  from = grace,
  facts?: Parameters<TestService["receive"]>[1],
) {
  const { message_id } = await letterTo(service);
  const report = await service.receive({ from, to, text, in_reply_to: message_id, references: [message_id] }, facts);
  await service.work();
  return report;
}

describe("approval mode", () => {
  test("holds every outward send and answers the draft", async () => {
    const setting = await guarded();
    const { as, inbox_id, service, inbox } = setting;
    const { results } = await service.receive({ from: grace, to: inbox.email, subject: "Job", text: "Do it" });
    const message_id = results[0]?.message_id ?? "";
    const [task] = (await as.tasks.list({})).data;
    const draft = await as.drafts.create({ inbox_id, to: [ada], text: "x" });
    const held = [
      await as.messages.send({ inbox_id, to: [ada], text: "x" }),
      await as.messages.reply({ inbox_id, message_id, text: "x" }),
      await as.messages.replyAll({ inbox_id, message_id, text: "x" }),
      await as.messages.forward({ inbox_id, message_id, to: [ada], text: "x" }),
      await as.drafts.send({ inbox_id, draft_id: draft.id }),
      (await as.tasks.reply({ task_id: task?.id ?? "", text: "x", status: "done" })).message,
    ];
    await service.work();
    expect(held.map((each) => each.object === "draft" && [each.kind, each.approval_status])).toEqual([
      ["new", "pending"],
      ["reply", "pending"],
      ["reply_all", "pending"],
      ["forward", "pending"],
      ["new", "pending"],
      ["reply", "pending"],
    ]);
    expect(leftFor(service, ada)).toEqual([]);
    expect((await as.tasks.get({ task_id: task?.id ?? "" })).status).toBe("pending");
    expect((await as.approvals.list({ status: "pending" })).data).toHaveLength(6);
  });

  test("takes a verified owner outside this service to come into, and to send in", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const helper = await service.signUp("helper");
    const inbox_id = account.inbox.id;
    const approval = { inbox_id, send_mode: "approval" as const };
    await expect(account.as.inboxes.update(approval)).rejects.toMatchObject({ code: "owner_required" });
    const inside = await account.as.owners.create({ inbox_id, email: helper.inbox.email });
    await service.work();
    const [letter] = (await helper.as.messages.list({ inbox_id: helper.inbox.id })).data;
    const text = letter !== undefined && "text" in letter ? (letter.text ?? "") : "";
    await account.as.owners.confirm({ inbox_id, owner_id: inside.id, code: /\b\d{6}\b/.exec(text)?.[0] ?? "" });
    await expect(account.as.inboxes.update(approval)).rejects.toMatchObject({ code: "owner_required" });
    await service.addOwner(account, grace);
    expect(await account.as.inboxes.update(approval)).toMatchObject({ send_mode: "approval" });
    await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    const letters = (await helper.as.messages.list({ inbox_id: helper.inbox.id })).data;
    expect(letters.map(({ subject }) => subject).filter((subject) => subject.startsWith("Approve"))).toEqual([]);
  });

  test("a mail leaves once an owner approves it on the page, and its draft is gone", async () => {
    const setting = await guarded();
    const { as, service, owner_id, inbox_id } = setting;
    const draft = await heldMail(setting, { client_id: "offer-1", bcc: ["eve@example.net"] });
    const { token, text, subject } = await letterTo(service);
    expect(subject).toContain("Offer");
    expect(text).toContain("| 42 euros");
    expect(text).toContain("Bcc: eve@example.net");
    expect(await publicly(service).approvals.review({ token })).toMatchObject({
      approval: { id: draft.approval_id, status: "pending" },
      mail: { to: [ada], bcc: ["eve@example.net"], text: "42 euros" },
    });
    expect(leftFor(service, ada)).toEqual([]);
    expect(await publicly(service).approvals.decide({ token, decision: "approve" })).toMatchObject({
      status: "approved",
      decided_by: { owner_id, method: "page" },
    });
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
    await expect(as.drafts.get({ inbox_id, draft_id: draft.id })).rejects.toMatchObject({ code: "draft_not_found" });
    expect(await as.messages.send({ inbox_id, to: [ada], text: "again", client_id: "offer-1" })).toMatchObject({
      object: "message",
      idempotent: true,
      status: "sent",
    });
  });

  test("a held mail tells its events: created, requested, decided, sent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const hook = await as.webhooks.create({ url: "https://hooks.example.com/", inbox_ids: [inbox_id] });
    expect(hook.enabled).toBe(true);
    await heldMail(setting);
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const events = await service.letterslot.parts.storage.find("events", {
      where: { inbox_id },
      order: { by: "sequence", direction: "asc" },
      limit: 100,
    });
    const types = events.map(({ type }) => type).filter((type) => /^(draft|approval)\./.test(type));
    expect(types).toEqual(["draft.created", "approval.requested", "approval.decided"]);
  });

  test("a rejected mail stays a draft, with the comment for the agent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await publicly(service).approvals.decide({ token, decision: "reject", comment: "Too dear." });
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "rejected", comment: "Too dear." });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      approval_status: "rejected",
      send_status: "draft",
    });
    expect(leftFor(service, ada)).toEqual([]);
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "41 euros" });
    expect(await as.drafts.send({ inbox_id, draft_id: draft.id })).toMatchObject({ object: "draft", approval_status: "pending" });
  });

  test("decides once: the same again answers the present state, another is too late", async () => {
    const setting = await guarded();
    await heldMail(setting);
    const { token } = await letterTo(setting.service);
    const { approvals } = publicly(setting.service);
    await approvals.decide({ token, decision: "approve" });
    await setting.service.work();
    expect(await approvals.decide({ token, decision: "approve" })).toMatchObject({ status: "approved" });
    await setting.service.work();
    expect(leftFor(setting.service, ada)).toHaveLength(1);
    await expect(approvals.decide({ token, decision: "reject" })).rejects.toMatchObject({ code: "approval_closed" });
    expect(await approvals.review({ token })).toMatchObject({ approval: { status: "approved" }, mail: null });
  });

  test("asks owners who have unsubscribed from updates too: their say stays", async () => {
    const setting = await guarded();
    const { storage } = setting.service.letterslot.parts;
    await storage.update("owners", { id: setting.owner_id }, { unsubscribed_at: "2026-01-01T00:00:00.000Z" });
    await heldMail(setting);
    await answer(setting.service, setting.inbox.email, "Approve");
    expect(leftFor(setting.service, ada)).toHaveLength(1);
  });

  test("holds nothing for a thread that was stopped as a loop", async () => {
    const setting = await guarded();
    const { as, service, inbox, inbox_id } = setting;
    const { results } = await service.receive({ from: ada, to: inbox.email });
    const message_id = results[0]?.message_id ?? "";
    await service.letterslot.parts.storage.update("threads", { inbox_id }, { loop_stopped_at: "2026-01-01T00:00:00.000Z" });
    await expect(as.messages.reply({ inbox_id, message_id, text: "x" })).rejects.toMatchObject({ code: "loop_stopped" });
    expect((await as.drafts.list({ inbox_id })).data).toEqual([]);
  });

  test("the same words are asked about once, however often they are sent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const letters = leftFor(service, grace).length;
    const again = await Promise.all(Array.from({ length: 5 }, () => as.drafts.send({ inbox_id, draft_id: draft.id })));
    await service.work();
    expect(again.map((each) => each.object === "draft" && each.approval_id)).toEqual(again.map(() => draft.approval_id));
    expect(leftFor(service, grace)).toHaveLength(letters);
  });

  test("asks the owners at most a hundred times an hour", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    for (let sent = 0; sent < 100; sent++) await as.messages.send({ inbox_id, to: [ada], text: String(sent) });
    await expect(as.messages.send({ inbox_id, to: [ada], text: "x" })).rejects.toMatchObject({ code: "rate_limited" });
    expect((await as.drafts.list({ inbox_id, limit: 200 })).data).toHaveLength(100);
    await service.clock.advance(hour);
    expect(await as.messages.send({ inbox_id, to: [ada], text: "x" })).toMatchObject({ object: "draft" });
  });

  test("a time that is dropped by sending now is asked about anew", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    const draft = await heldMail(setting, { send_at });
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    const now = await as.drafts.send({ inbox_id, draft_id: draft.id });
    expect(now).toMatchObject({ object: "draft", send_at: null, approval_status: "pending" });
    await service.clock.advance(11 * hour);
    await service.work();
    expect(leftFor(service, ada)).toEqual([]);
  });

  test("of many decisions at once one counts", async () => {
    const setting = await guarded();
    await heldMail(setting);
    const { token } = await letterTo(setting.service);
    const { approvals } = publicly(setting.service);
    const tries = Array.from({ length: 10 }, (_, index) =>
      approvals.decide({ token, decision: index % 2 === 0 ? "approve" : "reject" }),
    );
    const outcomes = await Promise.allSettled(tries);
    await setting.service.work();
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(leftFor(setting.service, ada).length).toBeLessThanOrEqual(1);
  });

  test("ends after 72 hours, and nothing is sent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await service.clock.advance(72 * hour - 1000);
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    await service.clock.advance(1000);
    await expect(publicly(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "expired" });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      approval_status: "expired",
      send_status: "draft",
    });
    expect(leftFor(service, ada)).toEqual([]);
  });

  test("the agent can take a question back, once", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const approval_id = draft.approval_id ?? "";
    expect(await as.approvals.cancel({ approval_id })).toMatchObject({ status: "cancelled", decided_by: null });
    await expect(as.approvals.cancel({ approval_id })).rejects.toMatchObject({ code: "approval_closed" });
    const { token } = await letterTo(service);
    await expect(publicly(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({ approval_status: "cancelled" });
  });

  test("an edit voids the question, also after it was approved for later", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "4200 euros" });
    await expect(publicly(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });

    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    const later = await heldMail(setting, { send_at, text: "later" });
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect(await as.drafts.get({ inbox_id, draft_id: later.id })).toMatchObject({
      approval_status: "approved",
      send_status: "scheduled",
    });
    await as.drafts.update({ inbox_id, draft_id: later.id, to: ["eve@example.net"] });
    await service.clock.advance(11 * hour);
    await service.work();
    expect(leftFor(service, "eve@example.net")).toEqual([]);
    expect(await as.drafts.get({ inbox_id, draft_id: later.id })).toMatchObject({ approval_status: "pending" });
  });

  test("a name put on the inbox after the request is not what was approved", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await as.inboxes.update({ inbox_id, display_name: "Your bank" });
    await expect(publicly(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "cancelled" });
    expect(leftFor(service, ada)).toEqual([]);
  });

  test("approved for later it leaves then, and not before", async () => {
    const setting = await guarded();
    const { service } = setting;
    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    await heldMail(setting, { send_at });
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    expect(leftFor(service, ada)).toEqual([]);
    await service.clock.advance(10 * hour);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });

  test("a reply to a task moves the task when it is sent", async () => {
    const setting = await guarded();
    const { as, service, inbox } = setting;
    await service.receive({ from: grace, to: inbox.email, text: "Do it" });
    const [task] = (await as.tasks.list({})).data;
    const task_id = task?.id ?? "";
    await as.tasks.reply({ task_id, text: "Done", status: "done" });
    await service.work();
    expect((await as.tasks.get({ task_id })).status).toBe("pending");
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    expect((await as.tasks.get({ task_id })).status).toBe("done");
  });
});

describe("approved mail is never lost", () => {
  test("a temporary failure is retried", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    service.transport.refuse(ada, "temporary_failure");
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const one = { inbox_id, draft_id: draft.id };
    expect(await as.drafts.get(one)).toMatchObject({ send_status: "sending" });
    for (const act of [as.drafts.send(one), as.drafts.delete(one), as.drafts.update({ ...one, text: "y" })]) {
      await expect(act).rejects.toMatchObject({ code: "draft_sending" });
    }
    service.transport.accept(ada);
    await service.clock.advance(hour);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
    await expect(as.drafts.get(one)).rejects.toMatchObject({ code: "draft_not_found" });
  });

  test("a permanent failure fails the message and keeps the draft, which can be sent again", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting, { client_id: "offer" });
    service.transport.refuse(ada, "permanent_failure", "550 5.7.1 refused by policy");
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const one = { inbox_id, draft_id: draft.id };
    expect(await as.drafts.get(one)).toMatchObject({
      send_status: "failed",
      send_error: expect.stringContaining("550"),
      text: "42 euros",
    });
    const failed = await service.letterslot.parts.storage.find("events", {
      where: { inbox_id },
      order: { by: "sequence", direction: "asc" },
      limit: 100,
    });
    expect(failed.map(({ type }) => type)).toContain("message.failed");
    service.transport.accept(ada);
    await as.drafts.send(one);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });

  test("a message that is deleted before it left gives its draft back", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    service.transport.refuse(ada, "temporary_failure");
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const queued = (await as.messages.list({ inbox_id, direction: "outbound", to: ada })).data[0];
    await as.messages.delete({ inbox_id, message_id: queued?.id ?? "" });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      send_status: "failed",
      send_error: "message_deleted",
    });
  });

  test("a paused inbox sends it when it goes on", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    await heldMail(setting);
    const { token } = await letterTo(service);
    await as.inboxes.update({ inbox_id, status: "paused" });
    await publicly(service).approvals.decide({ token, decision: "approve" });
    await service.work();
    expect(leftFor(service, ada)).toEqual([]);
    await as.inboxes.update({ inbox_id, status: "active" });
    await service.clock.advance(hour);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });
});

describe("nothing but an owner decides", () => {
  test("an API key is refused, even with the token", async () => {
    const setting = await guarded();
    await heldMail(setting);
    const { token } = await letterTo(setting.service);
    await expect(setting.as.approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(setting.as.approvals.review({ token })).rejects.toMatchObject({ code: "permission_denied" });
    await expect(setting.as.approvals.reviewAttachment({ token, attachment_id: "att_x" })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("the agent finds no token anywhere", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    await heldMail(setting);
    const { token } = await letterTo(service);
    const messages = (await as.messages.list({ inbox_id })).data;
    const raws = await Promise.all(messages.map(({ id }) => as.messages.raw({ inbox_id, message_id: id })));
    const { storage } = service.letterslot.parts;
    const events = await storage.find("events", { where: { inbox_id }, limit: 100 });
    const letters = await storage.find("approval_letters", { where: {}, limit: 10 });
    const seen =
      JSON.stringify([messages, events, letters, await as.approvals.list({})]) +
      raws.map(({ bytes }) => new TextDecoder().decode(bytes)).join();
    expect(token).toMatch(/^\w{40}$/);
    expect(seen).not.toContain(token);
    expect(JSON.stringify(await storage.find("jobs", { where: {}, limit: 100 }))).not.toContain(token);
  });

  test("an owner who was removed since can't, and an attachment is shown to those who can", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    const anna = await service.addOwner(account, "anna@example.net");
    await service.addOwner(account, grace);
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const attachments = [{ filename: "a.txt", content_base64: Buffer.from("bytes").toString("base64") }];
    await account.as.messages.send({ inbox_id, to: [ada], text: "x", attachments });
    await service.work();
    const token = (await letterTo(service, "anna@example.net")).token;
    const { mail } = await publicly(service).approvals.review({ token });
    const attachment_id = mail?.attachments[0]?.id ?? "";
    const { bytes } = await publicly(service).approvals.reviewAttachment({ token, attachment_id });
    expect(new TextDecoder().decode(bytes)).toBe("bytes");
    const other = { token, attachment_id: "att_x" };
    await expect(publicly(service).approvals.reviewAttachment(other)).rejects.toMatchObject({ code: "attachment_not_found" });

    await account.as.owners.delete({ inbox_id, owner_id: anna });
    await service.work();
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await expect(publicly(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_link_invalid",
    });
  });

  test("an invented token leads nowhere", async () => {
    const { service } = await guarded();
    const { approvals } = publicly(service);
    for (const token of ["", "x", "a".repeat(40)]) {
      await expect(approvals.review({ token })).rejects.toMatchObject({ code: "approval_link_invalid" });
      await expect(approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({ code: "approval_link_invalid" });
    }
  });

  test("another account and a key of another inbox see no approval", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    const stranger = await setting.service.signUp("stranger");
    const other = await setting.as.inboxes.create({ username: "other" });
    const key = await setting.as.keys.createForInbox({ inbox_id: other.id });
    const scoped = setting.service.letterslot.as(await setting.service.letterslot.authenticate(key.api_key, null));
    for (const as of [stranger.as, scoped]) {
      const approval_id = draft.approval_id ?? "";
      await expect(as.approvals.get({ approval_id })).rejects.toMatchObject({ code: "approval_not_found" });
      await expect(as.approvals.cancel({ approval_id })).rejects.toMatchObject({ code: "approval_not_found" });
      expect((await as.approvals.list({})).data).toEqual([]);
    }
    await expect(stranger.as.approvals.list({ inbox_id: setting.inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
  });
});

describe("an owner's answer by mail", () => {
  test("approves, and makes no task", async () => {
    const setting = await guarded();
    const { as, service, inbox, owner_id } = setting;
    const draft = await heldMail(setting);
    await answer(service, inbox.email, "Approve, thanks\n\nOn Thu, Jan 1, 2026 agent wrote:\n> | 42 euros\n> reject");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({
      status: "approved",
      decided_by: { owner_id, method: "reply" },
    });
    expect(leftFor(service, ada)).toHaveLength(1);
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
  });

  test("rejects with a comment", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    await answer(setting.service, setting.inbox.email, "Reject, it is too dear.");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "rejected", comment: "it is too dear." });
  });

  test("that is unclear is asked about once more, and never again; then it is a task", async () => {
    const setting = await guarded();
    const { as, service, inbox } = setting;
    const draft = await heldMail(setting);
    const letters = () => leftFor(service, grace).length;
    const before = letters();
    await answer(service, inbox.email, "Approve, but make it 40.");
    expect(letters()).toBe(before + 1);
    expect((await letterTo(service)).text).toContain("could be read either way");
    await answer(service, inbox.email, "Why 42?");
    expect(letters()).toBe(before + 1);
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    expect((await as.tasks.list({})).data).toHaveLength(2);
    await answer(service, inbox.email, "Approve");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "approved" });
  });

  test.each<[string, (setting: Awaited<ReturnType<typeof guarded>>) => Promise<unknown>]>([
    ["forged", ({ service, inbox }) => answer(service, inbox.email, "Approve", grace, forgedFrom("example.com"))],
    ["from somebody else", ({ service, inbox }) => answer(service, inbox.email, "Approve", "eve@example.com")],
    [
      "forged to an inbox that asks for no authentication",
      async ({ service, inbox, as, inbox_id }) => {
        await as.inboxes.update({ inbox_id, require_sender_auth: false });
        await answer(service, inbox.email, "Approve", grace, forgedFrom("example.com"));
      },
    ],
    [
      "made up by the test injector, with stated results",
      async ({ service, as, inbox_id }) => {
        const { message_id } = await letterTo(service);
        const auth = { spf: "pass", dkim: "pass", dmarc: "pass" } as const;
        await as.messages.inject({ inbox_id, from: grace, text: "Approve", in_reply_to: message_id, auth });
        await service.work();
      },
    ],
    [
      "sent by a machine",
      async ({ service, inbox }) => {
        const { message_id } = await letterTo(service);
        for (const mark of ["Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated", "Precedence: bulk"]) {
          await service.receive({ from: grace, to: inbox.email, text: "Approve", in_reply_to: message_id, headers: [mark] });
        }
      },
    ],
    [
      "to another mail in the same thread",
      async ({ service, inbox }) => {
        const { message_id } = await letterTo(service);
        const own = "<own@example.com>";
        await service.receive({ from: grace, to: inbox.email, text: "Fine weather", message_id: own, references: [message_id] });
        await service.receive({ from: grace, to: inbox.email, text: "Approve", in_reply_to: own, references: [message_id, own] });
      },
    ],
    ["that answers nothing", ({ service, inbox }) => service.receive({ from: grace, to: inbox.email, text: "Approve" })],
  ])("%s decides nothing", async (_what, act) => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    await act(setting);
    await setting.service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    expect(leftFor(setting.service, ada)).toEqual([]);
  });

  test("of one owner to the letter of another decides nothing", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    await service.addOwner(account, "anna@example.net");
    const { inbox_id } = { inbox_id: account.inbox.id };
    await service.addOwner(account, grace);
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const draft = await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    await answer(service, account.inbox.email, "Approve", "anna@example.net");
    expect(await approvalOf(account, draft.object === "draft" ? draft.approval_id : "")).toMatchObject({ status: "pending" });
    const own = await letterTo(service, "anna@example.net");
    await service.receive({ from: "anna@example.net", to: account.inbox.email, text: "Approve", in_reply_to: own.message_id });
    expect(await approvalOf(account, draft.object === "draft" ? draft.approval_id : "")).toMatchObject({ status: "approved" });
  });
});

describe("what would take the owner's say away asks the owner", () => {
  test("leaving approval mode", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const asked = await as.inboxes.update({ inbox_id, send_mode: "direct" });
    expect(asked).toMatchObject({
      object: "approval",
      subject_type: "send_mode_change",
      subject_id: inbox_id,
      status: "pending",
    });
    expect(await as.inboxes.update({ inbox_id, send_mode: "direct" })).toMatchObject({ id: asked.id });
    await expect(as.inboxes.update({ inbox_id, send_mode: "direct", display_name: "X" })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect((await as.inboxes.get({ inbox_id })).send_mode).toBe("approval");
    await service.work();
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect((await as.inboxes.get({ inbox_id })).send_mode).toBe("direct");
    expect(await as.messages.send({ inbox_id, to: [ada], text: "x" })).toMatchObject({ object: "message" });
  });

  test("deleting the inbox, at once or by an early end", async () => {
    const setting = await guarded();
    const { as, service, inbox_id, inbox } = setting;
    expect(await as.inboxes.delete({ inbox_id })).toMatchObject({ object: "approval", subject_type: "inbox_delete" });
    const soon = new Date(service.clock.now().getTime() + hour).toISOString();
    await expect(as.inboxes.update({ inbox_id, expires_at: soon })).rejects.toMatchObject({ code: "approval_required" });
    await service.work();
    expect(await as.inboxes.get({ inbox_id })).toMatchObject({ id: inbox_id });
    await answer(service, inbox.email, "Approve");
    await expect(as.inboxes.get({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect(await service.letterslot.parts.storage.count("approvals", { inbox_id }, 10)).toBe(0);
  });

  test("adding an owner, who can't decide what was asked before", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const added = await as.owners.create({ inbox_id, email: "anna@example.net" });
    expect(added).toMatchObject({ object: "approval", subject_type: "owner_add" });
    await service.work();
    expect(leftFor(service, "anna@example.net")).toEqual([]);
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const anna = (await as.owners.list({ inbox_id })).data.find(({ email }) => email === "anna@example.net");
    await service.clock.advance(1000);
    await as.owners.confirm({ inbox_id, owner_id: anna?.id ?? "", code: service.codeFor("anna@example.net") });
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "new words" });
    await as.drafts.send({ inbox_id, draft_id: draft.id });
    await service.work();
    expect((await letterTo(service, "anna@example.net")).token).toMatch(/^\w{40}$/);
  });

  test("an invitation from before the mode can't be confirmed in it", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    await service.addOwner(account, grace);
    const mallory = await account.as.owners.create({ inbox_id, email: "mallory@example.net" });
    await service.work();
    const code = service.codeFor("mallory@example.net");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    await expect(account.as.owners.confirm({ inbox_id, owner_id: mallory.id, code })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    expect(await account.as.owners.get({ inbox_id, owner_id: mallory.id })).toMatchObject({ status: "pending" });
  });

  test("removing an owner, and never the last who could decide", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    const first = await service.addOwner(account, grace);
    const second = await service.addOwner(account, "anna@example.net");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    expect(await account.as.owners.delete({ inbox_id, owner_id: second })).toMatchObject({
      object: "approval",
      subject_type: "owner_delete",
    });
    await service.work();
    await publicly(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await expect(account.as.owners.get({ inbox_id, owner_id: second })).rejects.toMatchObject({ code: "owner_not_found" });
    await expect(account.as.owners.delete({ inbox_id, owner_id: first })).rejects.toMatchObject({ code: "owner_required" });
  });
});
