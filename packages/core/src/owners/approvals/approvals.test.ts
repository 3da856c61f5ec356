import { describe, expect, test } from "vitest";
import {
  ada,
  answer,
  approvalOf,
  grace,
  guarded,
  heldMail,
  hour,
  leftFor,
  letterTo,
  publicly,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../testing/index.ts";

describe("approval mode", () => {
  test("holds every send to outside addresses and returns the draft", async () => {
    const setting = await guarded();
    const { as, inbox_id, service, inbox } = setting;
    const { results } = await service.receive({
      from: grace,
      to: inbox.email,
      subject: "Job",
      text: "Do it",
    });
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

  test("needs a verified owner outside this service to enable, and to send", async () => {
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
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
    const confirmed = account.as.owners.confirmWithCode({ inbox_id, owner_id: inside.id, code });
    await expect(confirmed).rejects.toMatchObject({ code: "address_is_inbox" });
    await expect(account.as.inboxes.update(approval)).rejects.toMatchObject({ code: "owner_required" });
    await service.addOwner(account, grace);
    expect(await account.as.inboxes.update(approval)).toMatchObject({ send_mode: "approval" });
    await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    const letters = (await helper.as.messages.list({ inbox_id: helper.inbox.id })).data;
    expect(letters.map(({ subject }) => subject).filter((subject) => subject.startsWith("Approve"))).toEqual(
      [],
    );
  });

  test("a mail is sent once an owner approves it on the page, and its draft is gone", async () => {
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
    expect(await signedIn(service).approvals.decide({ token, decision: "approve" })).toMatchObject({
      status: "approved",
      decided_by: { owner_id, email: grace, method: "page" },
    });
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
    await expect(as.drafts.get({ inbox_id, draft_id: draft.id })).rejects.toMatchObject({
      code: "draft_not_found",
    });
    expect(
      await as.messages.send({ inbox_id, to: [ada], text: "again", client_id: "offer-1" }),
    ).toMatchObject({
      object: "message",
      idempotent: true,
      status: "sent",
    });
  });

  test("a held mail has the events created, requested, decided, sent", async () => {
    const setting = await guarded();
    const { service, inbox_id } = setting;
    await heldMail(setting);
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const events = await service.letterslot.services.storage.find("events", {
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
    await signedIn(service).approvals.decide({ token, decision: "reject", comment: "Too dear." });
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({
      status: "rejected",
      comment: "Too dear.",
    });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      approval_status: "rejected",
      send_status: "draft",
    });
    expect(leftFor(service, ada)).toEqual([]);
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "41 euros" });
    expect(await as.drafts.send({ inbox_id, draft_id: draft.id })).toMatchObject({
      object: "draft",
      approval_status: "pending",
    });
  });

  test("decides once: repeating it returns the current state, another decision is too late", async () => {
    const setting = await guarded();
    await heldMail(setting);
    const { token } = await letterTo(setting.service);
    const { approvals } = signedIn(setting.service);
    await approvals.decide({ token, decision: "approve" });
    await setting.service.work();
    expect(await approvals.decide({ token, decision: "approve" })).toMatchObject({ status: "approved" });
    await setting.service.work();
    expect(leftFor(setting.service, ada)).toHaveLength(1);
    await expect(approvals.decide({ token, decision: "reject" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    expect(await approvals.review({ token })).toMatchObject({ approval: { status: "approved" }, mail: null });
  });

  test("also asks owners who have unsubscribed from updates", async () => {
    const setting = await guarded();
    const { storage } = setting.service.letterslot.services;
    await storage.update("owners", { id: setting.owner_id }, { unsubscribed_at: "2026-01-01T00:00:00.000Z" });
    await heldMail(setting);
    await answer(setting.service, "Approve");
    expect(leftFor(setting.service, ada)).toHaveLength(1);
  });

  test("holds nothing for a thread that was stopped as a loop", async () => {
    const setting = await guarded();
    const { as, service, inbox, inbox_id } = setting;
    const { results } = await service.receive({ from: ada, to: inbox.email });
    const message_id = results[0]?.message_id ?? "";
    await service.letterslot.services.storage.update(
      "threads",
      { inbox_id },
      { loop_stopped_at: "2026-01-01T00:00:00.000Z" },
    );
    await expect(as.messages.reply({ inbox_id, message_id, text: "x" })).rejects.toMatchObject({
      code: "loop_stopped",
    });
    expect((await as.drafts.list({ inbox_id })).data).toEqual([]);
  });

  test("the same content is asked about once, however often it is sent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const letters = leftFor(service, grace).length;
    const again = await Promise.all(
      Array.from({ length: 5 }, () => as.drafts.send({ inbox_id, draft_id: draft.id })),
    );
    await service.work();
    expect(again.map((each) => each.object === "draft" && each.approval_id)).toEqual(
      again.map(() => draft.approval_id),
    );
    expect(leftFor(service, grace)).toHaveLength(letters);
  });

  test("asks the owners at most a hundred times an hour", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    for (let sent = 0; sent < 100; sent++) {
      const draft = await as.messages.send({ inbox_id, to: [ada], text: String(sent) });
      if (draft.object === "draft") await as.approvals.cancel({ approval_id: draft.approval_id ?? "" });
    }
    await expect(as.messages.send({ inbox_id, to: [ada], text: "x" })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect((await as.drafts.list({ inbox_id, limit: 200 })).data).toHaveLength(100);
    await service.clock.advance(hour);
    expect(await as.messages.send({ inbox_id, to: [ada], text: "x" })).toMatchObject({ object: "draft" });
  });

  test("sending now instead of at a set time needs a new approval", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    const draft = await heldMail(setting, { send_at });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    const now = await as.drafts.send({ inbox_id, draft_id: draft.id });
    expect(now).toMatchObject({ object: "draft", send_at: null, approval_status: "pending" });
    await service.clock.advance(11 * hour);
    await service.work();
    expect(leftFor(service, ada)).toEqual([]);
  });

  test("of many decisions at once one counts", async () => {
    const setting = await guarded();
    const { service, inbox_id } = setting;
    const { approval_id } = await heldMail(setting);
    const { token } = await letterTo(service);
    const { approvals } = signedIn(service);
    const tries = Array.from({ length: 10 }, (_, index) =>
      approvals.decide({ token, decision: index % 2 === 0 ? "approve" : "reject" }),
    );
    const outcomes = await Promise.allSettled(tries);
    await service.work();
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const { status: decided } = await approvalOf(setting, approval_id);
    expect(leftFor(service, ada)).toHaveLength(decided === "approved" ? 1 : 0);
    const events = await service.letterslot.services.storage.find("events", {
      where: { inbox_id },
      limit: 100,
    });
    expect(events.filter(({ type }) => type === "approval.decided")).toHaveLength(1);
  });

  test("expires after 72 hours, and nothing is sent", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await service.clock.advance(72 * hour - 1000);
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    await service.clock.advance(1000);
    await expect(signedIn(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
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

  test("the agent can cancel an approval, once", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const approval_id = draft.approval_id ?? "";
    expect(await as.approvals.cancel({ approval_id })).toMatchObject({
      status: "cancelled",
      decided_by: null,
    });
    await expect(as.approvals.cancel({ approval_id })).rejects.toMatchObject({ code: "approval_closed" });
    const { token } = await letterTo(service);
    await expect(signedIn(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      approval_status: "cancelled",
    });
  });

  test("an edit cancels the approval, even one given for later", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "4200 euros" });
    await expect(signedIn(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });

    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    const later = await heldMail(setting, { send_at, text: "later" });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect(await as.drafts.get({ inbox_id, draft_id: later.id })).toMatchObject({
      approval_status: "approved",
      send_status: "scheduled",
    });
    await as.drafts.update({ inbox_id, draft_id: later.id, to: ["eve@example.net"] });
    await service.clock.advance(11 * hour);
    await service.work();
    expect(leftFor(service, "eve@example.net")).toEqual([]);
    expect(await as.drafts.get({ inbox_id, draft_id: later.id })).toMatchObject({
      approval_status: "pending",
    });
  });

  test("a name put on the inbox after the request was not approved", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    await as.inboxes.update({ inbox_id, display_name: "Your bank" });
    await expect(signedIn(service).approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_closed",
    });
    await service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "cancelled" });
    expect(leftFor(service, ada)).toEqual([]);
  });

  test("a mail approved for later is sent then, and not before", async () => {
    const setting = await guarded();
    const { service } = setting;
    const send_at = new Date(service.clock.now().getTime() + 10 * hour).toISOString();
    await heldMail(setting, { send_at });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
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
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    expect((await as.tasks.get({ task_id })).status).toBe("done");
  });
});
