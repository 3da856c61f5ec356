import { describe, expect, test } from "vitest";
import {
  answer,
  approvalOf,
  guarded,
  letterTo,
  publicly,
  signedIn,
} from "../../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../../testing/index.ts";
import type { Permission } from "../../../catalogue/permissions.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";

const ADA = "+14155550199";
const BOB = "+16045550198";
const HOUR_MS = 3600_000;
const OBSERVED = { untrusted: "observe", content: "observe", new_recipients: "observe" } as const;

/** An inbox in approval mode with a number. */
async function withNumber() {
  const setting = await guarded(createTestService());
  const { as, inbox_id, service } = setting;
  const { e164 } = await as.phoneNumbers.create({ inbox_id, area_code: "415" });
  const decide = async (decision: "approve" | "reject") => {
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision });
    await service.work();
  };
  const text = (input: Record<string, unknown> = {}) =>
    as.messages.sendSms({ inbox_id, to: ADA, text: "Two boxes arrive on Friday.", ...input });
  const call = (input: Record<string, unknown> = {}) =>
    as.messages.call({ inbox_id, to: ADA, say: "Two boxes arrive on Friday.", ...input });
  /** A text or call that is held, after the owner's letter was sent. */
  const held = async (act: ReturnType<typeof text>) => {
    const draft = await act;
    if (draft.object !== "draft") throw new Error("it was not held");
    await service.work();
    return draft;
  };
  const { phone } = service;
  const texts = () => phone.texts.filter(({ message_id }) => message_id !== null);
  return { ...setting, e164, decide, text, call, held, texts, calls: () => phone.calls };
}

const code = (expected: string) => expect.objectContaining({ code: expected });

describe("a text in approval mode", () => {
  test("waits for an owner, who reads its words, and leaves once they approve", async () => {
    const { as, inbox_id, service, text, held, texts, decide, e164 } = await withNumber();
    const draft = await held(text({ client_id: "one" }));
    expect(draft).toMatchObject({
      object: "draft",
      kind: "sms",
      to: [ADA],
      text: "Two boxes arrive on Friday.",
      call_mode: null,
      approval_status: "pending",
      client_id: "one",
    });
    expect(texts()).toEqual([]);
    const letter = await letterTo(service);
    expect(letter.text).toContain(`Send this text message to ${ADA}?`);
    expect(letter.text).toContain("| Two boxes arrive on Friday.");
    const { token } = letter;
    expect(await publicly(service).approvals.review({ token })).toMatchObject({
      approval: { summary: `Text message to ${ADA}: Two boxes arrive on Friday.` },
      mail: { kind: "sms", from: e164, to: [ADA], text: "Two boxes arrive on Friday.", call_mode: null },
    });
    expect(await text({ client_id: "one" })).toMatchObject({ id: draft.id, idempotent: true });
    await decide("approve");
    expect(texts()).toMatchObject([{ from: e164, to: ADA, text: "Two boxes arrive on Friday." }]);
    await expect(as.drafts.get({ inbox_id, draft_id: draft.id })).rejects.toEqual(code("draft_not_found"));
    expect(await text({ client_id: "one" })).toMatchObject({ object: "message", status: "sent" });
    await service.work();
    expect(texts()).toHaveLength(1);
  });

  test("is decided by a reply to the letter, which always has all its words", async () => {
    const { service, text, held, texts } = await withNumber();
    await held(text({ text: "x ".repeat(800) }));
    await answer(service, "APPROVE");
    expect(texts()).toHaveLength(1);
  });

  test("does not leave when it is rejected", async () => {
    const { as, inbox_id, text, held, texts, decide } = await withNumber();
    const { id } = await held(text());
    await decide("reject");
    expect(texts()).toEqual([]);
    expect(await as.drafts.get({ inbox_id, draft_id: id })).toMatchObject({ approval_status: "rejected" });
  });

  test.for<[Record<string, unknown>, string]>([
    [{ text: "Something else." }, "its words"],
    [{ to: [BOB] }, "its number"],
  ])("a change of %j voids the approval (%s)", async ([change]) => {
    const { as, inbox_id, service, text, held, texts } = await withNumber();
    const { id, approval_id } = await held(text());
    const one = { inbox_id, draft_id: id };
    expect(await as.drafts.update({ ...one, ...change })).toMatchObject(change);
    expect(await approvalOf({ as }, approval_id)).toMatchObject({ status: "cancelled" });
    await service.work();
    expect(texts()).toEqual([]);
    expect(await as.drafts.send(one)).toMatchObject({ object: "draft", approval_status: "pending" });
  });

  test.for<[Record<string, unknown>, string, string]>([
    [{ html: "<p>Hi</p>" }, "invalid_draft", "html"],
    [{ cc: ["bob@example.org"] }, "invalid_draft", "cc"],
    [{ bcc: ["bob@example.org"] }, "invalid_draft", "bcc"],
    [{ subject: "Hi" }, "invalid_draft", "subject"],
    [{ reply_to: "bob@example.org" }, "invalid_draft", "reply_to"],
    [{ headers: { "X-A": "b" } }, "invalid_draft", "headers"],
    [{ labels: ["a"] }, "invalid_draft", "labels"],
    [{ send_at: "2026-01-02T00:00:00Z" }, "invalid_draft", "send_at"],
    [{ add_attachments: [{ filename: "a", content_base64: "YQ==" }] }, "invalid_draft", "add_attachments"],
    [{ to: ["bob@example.org"] }, "invalid_e164", "to"],
    [{ to: [ADA, BOB] }, "invalid_e164", "to"],
    [{ to: [] }, "invalid_e164", "to"],
    [{ text: "" }, "missing_text", "text"],
    [{ text: null }, "missing_text", "text"],
    [{ text: "x".repeat(1_601) }, "text_too_long", "text"],
  ])("can't be changed to %j: %s", async ([change, refusal, param]) => {
    const { as, inbox_id, text, held } = await withNumber();
    const { id, approval_id } = await held(text());
    await expect(as.drafts.update({ inbox_id, draft_id: id, ...change })).rejects.toMatchObject({
      code: refusal,
      param,
    });
    expect(await approvalOf({ as }, approval_id)).toMatchObject({ status: "pending" });
  });

  test("is checked again when it leaves: the number must be reachable, and no STOP have come", async () => {
    const { as, inbox_id, service, text, held, texts, decide, e164 } = await withNumber();
    const { id } = await held(text());
    const one = { inbox_id, draft_id: id };
    await as.drafts.update({ ...one, to: ["+442071838750"] });
    await expect(as.drafts.send(one)).rejects.toEqual(code("international_not_allowed"));
    await as.drafts.update({ ...one, to: [ADA] });
    await as.drafts.send(one);
    await service.work();
    await service.phone.text({ from: ADA, to: e164, text: "STOP" });
    await decide("approve");
    expect(texts()).toEqual([]);
    expect(await as.drafts.get(one)).toMatchObject({
      send_status: "failed",
      send_error: "recipient_suppressed",
    });
  });

  test("keeps its draft when the provider refuses it, to be sent again", async () => {
    const { as, inbox_id, service, text, held, texts, decide } = await withNumber();
    const { id } = await held(text());
    service.phone.failNext("sendSms", new TelephonyFailure("refused", "30034: not registered"));
    await decide("approve");
    const one = { inbox_id, draft_id: id };
    expect(await as.drafts.get(one)).toMatchObject({
      send_status: "failed",
      send_error: "30034: not registered",
    });
    await as.drafts.send(one);
    await service.work();
    expect(texts()).toHaveLength(1);
    await expect(as.drafts.get(one)).rejects.toEqual(code("draft_not_found"));
  });

  test("leaves without asking once the inbox is direct again", async () => {
    const { as, inbox_id, service, text, held, texts } = await withNumber();
    const { id } = await held(text());
    await service.letterslot.services.storage.update(
      "inboxes",
      { id: inbox_id },
      { effective_send_mode: "direct", effective_outbound: OBSERVED },
    );
    expect(await as.drafts.send({ inbox_id, draft_id: id })).toMatchObject({
      object: "message",
      channel: "sms",
      status: "queued",
    });
    await service.work();
    expect(texts()).toHaveLength(1);
  });

  test("is refused before it is held where it would be refused without", async () => {
    const { as, inbox_id, service, text, e164 } = await withNumber();
    await service.phone.text({ from: ADA, to: e164, text: "STOP" });
    await expect(text()).rejects.toEqual(code("recipient_suppressed"));
    await as.phoneNumbers.delete({ inbox_id });
    await expect(text({ to: BOB })).rejects.toEqual(code("phone_number_not_found"));
    expect((await as.drafts.list({ inbox_id })).data).toEqual([]);
  });

  test("is sent by who may send texts or drafts, not by who may send mail only", async () => {
    const { as, inbox_id, service, text, held } = await withNumber();
    const { id } = await held(text());
    const send = async (permissions: Permission[]) => {
      const { api_key } = await as.keys.create({ permissions });
      const key = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
      return key.drafts.send({ inbox_id, draft_id: id });
    };
    await expect(send(["message_send"])).rejects.toMatchObject({
      code: "permission_denied",
      param: "sms_send",
    });
    await expect(send(["message_send", "call_place"])).rejects.toEqual(code("permission_denied"));
    await expect(send(["message_send", "sms_send"])).resolves.toMatchObject({ object: "draft" });
    await expect(send(["draft_send"])).resolves.toMatchObject({ object: "draft" });
  });

  test("can be deleted", async () => {
    const { as, inbox_id, service, text, held, texts } = await withNumber();
    const { id } = await held(text());
    await as.drafts.delete({ inbox_id, draft_id: id });
    await service.clock.advance(HOUR_MS);
    await service.work();
    expect(texts()).toEqual([]);
  });
});

describe("a call in approval mode", () => {
  test("waits for an owner, who reads what is said, and is placed once they approve", async () => {
    const { as, inbox_id, service, call, held, calls, decide } = await withNumber();
    const draft = await held(call({ mode: "say_and_record" }));
    expect(draft).toMatchObject({ kind: "call", to: [ADA], call_mode: "say_and_record" });
    const letter = await letterTo(service);
    expect(letter.text).toContain(`Place this call to ${ADA}?`);
    expect(letter.text).toContain("it is recorded");
    expect(letter.text).toContain("| Two boxes arrive on Friday.");
    expect(calls()).toEqual([]);
    await decide("approve");
    expect(calls()).toMatchObject([
      { to: ADA, heard: expect.stringContaining("Two boxes arrive on Friday.") },
    ]);
    await expect(as.drafts.get({ inbox_id, draft_id: draft.id })).rejects.toEqual(code("draft_not_found"));
  });

  test("its mode is bound by the approval", async () => {
    const { inbox_id, service, call, held, calls, decide } = await withNumber();
    const { id } = await held(call());
    const { storage } = service.letterslot.services;
    await storage.update("drafts", { id }, { call_mode: "say_and_record" } satisfies Partial<DraftRecord>);
    await expect(decide("approve")).rejects.toEqual(code("approval_closed"));
    await service.work();
    expect(calls()).toEqual([]);
    expect(await storage.count("messages", { inbox_id, channel: "voice" }, 10)).toBe(0);
  });

  test("a text is not approved by the approval of a call with the same words", async () => {
    const { inbox_id, service, call, held, calls, texts, decide } = await withNumber();
    const { id } = await held(call());
    const { storage } = service.letterslot.services;
    await storage.update("drafts", { id }, { kind: "sms", call_mode: null } satisfies Partial<DraftRecord>);
    await expect(decide("approve")).rejects.toEqual(code("approval_closed"));
    await service.work();
    expect([calls(), texts()]).toEqual([[], []]);
    expect(await storage.count("messages", { inbox_id, channel: "sms" }, 10)).toBe(0);
  });

  test("can't say nothing, or too much, after a change", async () => {
    const { as, inbox_id, call, held } = await withNumber();
    const { id } = await held(call());
    const one = { inbox_id, draft_id: id };
    await expect(as.drafts.update({ ...one, text: " " })).rejects.toEqual(code("missing_say"));
    await expect(as.drafts.update({ ...one, text: "x".repeat(1_001) })).rejects.toEqual(code("say_too_long"));
  });
});

describe("drafts of mail", () => {
  test("go to addresses, and can't be made as texts or calls", async () => {
    const { as, inbox_id } = await withNumber();
    const { id } = await as.drafts.create({ inbox_id, to: ["ada@example.org"], text: "x" });
    await expect(as.drafts.update({ inbox_id, draft_id: id, to: [ADA] })).rejects.toMatchObject({
      code: "invalid_address",
      param: "to",
    });
    for (const kind of ["sms", "call"])
      await expect(as.drafts.create({ inbox_id, kind: kind as "new", text: "x" })).rejects.toMatchObject({
        param: "kind",
      });
  });
});

describe("a task from a text", () => {
  const withTask = async (mode: "direct" | "approval" = "direct") => {
    const setting = await withNumber();
    const { as, inbox_id, service, e164 } = setting;
    await service.letterslot.services.storage.update(
      "inboxes",
      { id: inbox_id },
      { effective_send_mode: mode, effective_outbound: OBSERVED, sms_tasks: true },
    );
    await as.allowlist.create({ inbox_id, address: ADA });
    await service.phone.text({ from: ADA, to: e164, text: "Please order paper." });
    await service.work();
    const [task] = (await as.tasks.list({})).data;
    if (task === undefined) throw new Error("the text made no task");
    return { ...setting, task };
  };

  test("is answered by a text, and its status is set with it", async () => {
    const { as, service, texts, task, e164 } = await withTask();
    const reply = await as.tasks.reply({ task_id: task.id, text: "Two boxes.", status: "done" });
    expect(reply).toMatchObject({
      task: { id: task.id, status: "done" },
      message: { object: "message", channel: "sms", to: [ADA], thread_id: task.thread_id },
    });
    await service.work();
    expect(texts()).toMatchObject([{ from: e164, to: ADA, text: "Two boxes." }]);
  });

  test("needs the permission to send texts, and words", async () => {
    const { as, service, task } = await withTask();
    const { api_key } = await as.keys.create({ permissions: ["message_send", "task_read"] });
    const key = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(key.tasks.reply({ task_id: task.id, text: "x" })).rejects.toMatchObject({
      code: "permission_denied",
      param: "sms_send",
    });
    await expect(as.tasks.reply({ task_id: task.id })).rejects.toEqual(code("missing_text"));
    await expect(as.tasks.reply({ task_id: task.id, html: "<p>x</p>" })).rejects.toMatchObject({
      code: "not_a_mail",
      param: "html",
    });
  });

  test("sets the task's status when the held answer is approved", async () => {
    const { as, service, task, texts, decide } = await withTask("approval");
    const reply = await as.tasks.reply({ task_id: task.id, text: "Two boxes.", status: "done" });
    expect(reply).toMatchObject({ message: { object: "draft", kind: "sms" }, task: { status: task.status } });
    await service.work();
    await decide("approve");
    expect(texts()).toHaveLength(1);
    expect(await as.tasks.get({ task_id: task.id })).toMatchObject({ status: "done" });
  });
});
