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

describe("only an owner decides", () => {
  test("an API key is refused, even with the token", async () => {
    const setting = await guarded();
    await heldMail(setting);
    const { token } = await letterTo(setting.service);
    await expect(setting.as.approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "owner_only",
    });
    await expect(setting.as.approvals.review({ token })).rejects.toMatchObject({ code: "owner_only" });
    await expect(
      setting.as.approvals.reviewAttachment({ token, attachment_id: "att_x" }),
    ).rejects.toMatchObject({
      code: "owner_only",
    });
  });

  test("the agent finds no token anywhere", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    await heldMail(setting);
    const { token } = await letterTo(service);
    const messages = (await as.messages.list({ inbox_id })).data;
    const raws = await Promise.all(messages.map(({ id }) => as.messages.raw({ inbox_id, message_id: id })));
    const { storage } = service.letterslot.services;
    const events = await storage.find("events", { where: { inbox_id }, limit: 100 });
    const letters = await storage.find("approval_letters", { where: {}, limit: 10 });
    const seen =
      JSON.stringify([messages, events, letters, await as.approvals.list({})]) +
      raws.map(({ bytes }) => new TextDecoder().decode(bytes)).join();
    expect(token).toMatch(/^lso[a-z2-7]{38}$/);
    expect(seen).not.toContain(token);
    expect(JSON.stringify(await storage.find("jobs", { where: {}, limit: 100 }))).not.toContain(token);
  });

  test("a removed owner can't, and those who can see the attachments", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    await service.addOwner(account, grace);
    const anna = await service.addOwner(account, "anna@example.net");
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
    await expect(publicly(service).approvals.reviewAttachment(other)).rejects.toMatchObject({
      code: "attachment_not_found",
    });

    await account.as.owners.delete({ inbox_id, owner_id: anna });
    await service.work();
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    const { approvals } = signedIn(service, "anna@example.net");
    await expect(approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "approval_link_invalid",
    });
  });

  test("the link alone decides nothing, nor does another mailbox's session", async () => {
    const setting = await guarded();
    const { service } = setting;
    const draft = await heldMail(setting);
    const { token } = await letterTo(service);
    for (const caller of [publicly(service), signedIn(service, "anna@example.net")])
      await expect(caller.approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
        code: "session_required",
      });
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
  });

  test("another verified owner reads what is asked and decides nothing", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    await service.addOwner(account, grace);
    await service.addOwner(account, "anna@example.net");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const draft = await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    if (draft.object !== "draft") throw new Error("the mail was not held");
    await service.work();
    const { token } = await letterTo(service, "anna@example.net");
    expect(await publicly(service).approvals.review({ token })).toMatchObject({ decides: false });
    const anna = signedIn(service, "anna@example.net");
    await expect(anna.approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
      code: "authority_required",
    });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect((await signedIn(service).authority.list({})).data).toMatchObject([
      { email: grace, inbox_id: null },
    ]);
  });

  test("an invented token opens nothing", async () => {
    const { service } = await guarded();
    const { approvals } = publicly(service);
    for (const token of ["", "x", "a".repeat(40)]) {
      await expect(approvals.review({ token })).rejects.toMatchObject({ code: "approval_link_invalid" });
      await expect(approvals.decide({ token, decision: "approve" })).rejects.toMatchObject({
        code: "approval_link_invalid",
      });
    }
  });

  test("another account and a key of another inbox see no approval", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    const stranger = await setting.service.signUp("stranger");
    const other = await setting.as.inboxes.create({ username: "other" });
    const key = await setting.as.keys.createForInbox({ inbox_id: other.id });
    const scoped = setting.service.letterslot.as(
      await setting.service.letterslot.authenticate(key.api_key, null),
    );
    for (const as of [stranger.as, scoped]) {
      const approval_id = draft.approval_id ?? "";
      await expect(as.approvals.get({ approval_id })).rejects.toMatchObject({ code: "approval_not_found" });
      await expect(as.approvals.cancel({ approval_id })).rejects.toMatchObject({
        code: "approval_not_found",
      });
      expect((await as.approvals.list({})).data).toEqual([]);
    }
    await expect(stranger.as.approvals.list({ inbox_id: setting.inbox_id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });
});

describe("changes that would bypass the owner need the owner's approval", () => {
  test("leaving approval mode", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const asked = await as.inboxes.update({ inbox_id, send_mode: "direct" });
    expect(asked).toMatchObject({
      object: "approval",
      subject_type: "outbound_change",
      subject_id: inbox_id,
      status: "pending",
    });
    expect(await as.inboxes.update({ inbox_id, send_mode: "direct" })).toMatchObject({ id: asked.id });
    await expect(
      as.inboxes.update({ inbox_id, send_mode: "direct", display_name: "X" }),
    ).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect((await as.inboxes.get({ inbox_id })).send_mode).toBe("approval");
    await service.work();
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect((await as.inboxes.get({ inbox_id })).send_mode).toBe("direct");
    expect(await as.messages.send({ inbox_id, to: [ada], text: "x" })).toMatchObject({ object: "message" });
  });

  test("deleting the inbox, directly or by an earlier expiry", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    expect(await as.inboxes.delete({ inbox_id, permanent: true })).toMatchObject({
      object: "approval",
      subject_type: "inbox_delete",
    });
    const soon = new Date(service.clock.now().getTime() + hour).toISOString();
    await expect(as.inboxes.update({ inbox_id, expires_at: soon })).rejects.toMatchObject({
      code: "approval_required",
    });
    await service.work();
    expect(await as.inboxes.get({ inbox_id })).toMatchObject({ id: inbox_id });
    const { token } = await letterTo(service);
    // By reply only the sending of a mail is decided.
    await answer(service, "Approve");
    expect(await as.inboxes.get({ inbox_id })).toMatchObject({ id: inbox_id });
    await signedIn(service).approvals.decide({ token, decision: "approve" });
    await service.work();
    await expect(as.inboxes.get({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect(await service.letterslot.services.storage.count("approvals", { inbox_id }, 10)).toBe(0);
  });

  test("adding an owner, who can't decide earlier requests", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    const added = await as.owners.create({ inbox_id, email: "anna@example.net" });
    expect(added).toMatchObject({ object: "approval", subject_type: "owner_add" });
    await service.work();
    expect(leftFor(service, "anna@example.net")).toEqual([]);
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const anna = (await as.owners.list({ inbox_id })).data.find(({ email }) => email === "anna@example.net");
    await service.clock.advance(1000);
    await as.owners.confirmWithCode({
      inbox_id,
      owner_id: anna?.id ?? "",
      code: service.codeFor("anna@example.net"),
    });
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    await as.drafts.update({ inbox_id, draft_id: draft.id, text: "new words" });
    await as.drafts.send({ inbox_id, draft_id: draft.id });
    await service.work();
    expect((await letterTo(service, "anna@example.net")).token).toMatch(/^lso[a-z2-7]{38}$/);
  });

  test("an invitation from before approval mode can't be confirmed in it", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    await service.addOwner(account, grace);
    const mallory = await account.as.owners.create({ inbox_id, email: "mallory@example.net" });
    await service.work();
    const code = service.codeFor("mallory@example.net");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    await expect(
      account.as.owners.confirmWithCode({ inbox_id, owner_id: mallory.id, code }),
    ).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    expect(await account.as.owners.get({ inbox_id, owner_id: mallory.id })).toMatchObject({
      status: "pending",
    });
  });

  test("removing an owner, even the last; whoever decides goes on deciding", async () => {
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
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await expect(account.as.owners.get({ inbox_id, owner_id: second })).rejects.toMatchObject({
      code: "owner_not_found",
    });
    const asked = await account.as.owners.delete({ inbox_id, owner_id: first });
    expect(asked).toMatchObject({ object: "approval", subject_type: "owner_delete" });
    await service.work();
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    expect((await account.as.owners.list({ inbox_id })).data).toEqual([]);
    await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    const { token } = await letterTo(service);
    expect(await signedIn(service).approvals.decide({ token, decision: "approve" })).toMatchObject({
      status: "approved",
      decided_by: { owner_id: null, email: grace },
    });
  });
});
