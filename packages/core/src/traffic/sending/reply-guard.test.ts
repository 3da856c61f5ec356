import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const ADA = "ada@example.com";
let service: TestService;
let account: TestAccount;
let message_id: string;

const here = () => ({ inbox_id: account.inbox.id });
const reply = (more: Record<string, unknown> = {}) =>
  account.as.messages.reply({ ...here(), message_id, text: "Yes.", ...more });
const replied = { code: "already_replied", kind: "conflict" };

async function receive(subject: string): Promise<string> {
  await service.receive({ from: ADA, to: account.inbox.email, subject, text: "Will you come?" });
  return (await account.as.messages.list({ ...here(), direction: "inbound" })).data[0]?.id ?? "";
}

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  await account.as.inboxes.update({ ...here(), reply_guard: true });
  message_id = await receive("Party");
});

test("is off at first, can be set when an inbox is made, and then says so", async () => {
  const plain = await account.as.inboxes.create({});
  const guarded = await account.as.inboxes.create({ reply_guard: true });
  expect([plain.reply_guard, guarded.reply_guard]).toEqual([false, true]);
  await account.as.inboxes.update({ ...here(), reply_guard: false });
  await reply();
  await reply();
});

describe("a second reply to one message", () => {
  test("is refused, by every way, and leaves nothing behind", async () => {
    await account.as.allowlist.create({ ...here(), address: ADA });
    const asked = await receive("Order");
    const [task] = (await account.as.tasks.list(here())).data;
    await account.as.messages.reply({ ...here(), message_id: asked, text: "Yes." });
    const send_at = new Date(service.clock.now().getTime() + 3600_000).toISOString();
    const answers = { kind: "reply" as const, in_reply_to: asked, text: "Yes." };
    const draft = await account.as.drafts.create({ ...here(), ...answers });
    const ways = [
      () => account.as.messages.reply({ ...here(), message_id: asked, text: "Yes." }),
      () => account.as.messages.replyAll({ ...here(), message_id: asked, text: "Yes." }),
      () => account.as.messages.send({ ...here(), to: [ADA], text: "Yes.", in_reply_to: asked }),
      () => account.as.tasks.reply({ task_id: task?.id ?? "", text: "Yes.", status: "done" }),
      () => account.as.drafts.send({ ...here(), draft_id: draft.id }),
      () => account.as.drafts.create({ ...here(), ...answers, send_at }),
      () => account.as.drafts.update({ ...here(), draft_id: draft.id, send_at }),
    ];
    for (const way of ways) await expect(way()).rejects.toMatchObject(replied);
    expect((await account.as.tasks.list(here())).data[0]?.status).toBe(task?.status);
    expect((await account.as.messages.list({ ...here(), direction: "outbound" })).data).toHaveLength(1);
    expect((await account.as.drafts.list(here())).data).toMatchObject([{ send_status: "draft" }]);
  });

  test("leaves if the call says so, and to another message anyway", async () => {
    await reply();
    await reply({ allow_multiple: true });
    const draft = await account.as.drafts.create({
      ...here(),
      ...{ kind: "reply" as const, in_reply_to: message_id, text: "And:" },
    });
    await account.as.drafts.send({ ...here(), draft_id: draft.id, allow_multiple: true });
    message_id = await receive("Party");
    await reply();
    expect((await account.as.messages.list({ ...here(), direction: "outbound" })).data).toHaveLength(4);
  });

  test("is refused also where the first is in the trash", async () => {
    const first = await reply();
    await service.work();
    await account.as.messages.delete({ ...here(), message_id: first.id });
    await expect(reply()).rejects.toMatchObject(replied);
  });

  test("is said by a dry run", async () => {
    await reply();
    const tried: unknown = await reply({ dry_run: true });
    expect(tried).toMatchObject({ object: "send_check", would: "refuse" });
    expect(tried).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: "reply", code: "already_replied" })]),
    });
    expect(await reply({ dry_run: true, allow_multiple: true })).toMatchObject({ would: "send" });
  });

  test("a repeated call gets its first answer", async () => {
    const first = await reply({ client_id: "one" });
    expect(await reply({ client_id: "one" })).toMatchObject({ id: first.id, idempotent: true });
  });

  test("counts while the first one waits for its time or an owner, until that ends", async () => {
    await service.addOwner(account, "grace@example.com");
    await account.as.inboxes.update({ ...here(), send_mode: "approval" });
    const held = await reply();
    await expect(reply()).rejects.toMatchObject(replied);
    const approval_id = held.object === "draft" ? (held.approval_id ?? "") : "";
    await account.as.approvals.cancel({ approval_id });
    const again = await reply();
    const { digest, id } = await account.as.approvals.get({
      approval_id: again.object === "draft" ? (again.approval_id ?? "") : "",
    });
    await service.letterslot
      .asOwner({ email: "grace@example.com", account_id: "" })
      .approvals.decideInSession({ approval_id: id, digest, decision: "approve" });
    await expect(reply()).rejects.toMatchObject(replied);
    await service.work();
    expect(service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(ADA))).toHaveLength(1);
    await expect(reply()).rejects.toMatchObject(replied);
  });

  test("is let through when the first one failed", async () => {
    service.transport.refuse(ADA, "permanent_failure");
    const first = await reply();
    await service.work();
    expect(await account.as.messages.get({ ...here(), message_id: first.id })).toMatchObject({
      status: "failed",
    });
    await reply();
  });
});

test("of two replies at once one leaves", async () => {
  const both = await Promise.allSettled([reply(), reply()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find((each) => each.status === "rejected")?.reason).toMatchObject(replied);
  await service.work();
  expect(service.transport.sent).toHaveLength(1);
});
