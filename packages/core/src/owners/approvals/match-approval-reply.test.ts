import { describe, expect, test } from "vitest";
import {
  ada,
  answer,
  approvalOf,
  grace,
  guarded,
  heldMail,
  leftFor,
  letterTo,
} from "../../../test/approval-inbox.fixture.ts";
import { createTestService, forgedFrom } from "../../../testing/index.ts";

describe("an owner's reply by mail", () => {
  test("approves, and makes no task", async () => {
    const setting = await guarded();
    const { as, service, owner_id } = setting;
    const draft = await heldMail(setting);
    await answer(service, "Approve, thanks\n\nOn Thu, Jan 1, 2026 agent wrote:\n> | 42 euros\n> reject");
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
    await answer(setting.service, "Reject, it is too dear.");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({
      status: "rejected",
      comment: "it is too dear.",
    });
  });

  test("that is unclear is asked about once more; the next one is a task", async () => {
    const setting = await guarded();
    const { as, service } = setting;
    const draft = await heldMail(setting);
    const letters = () => leftFor(service, grace).length;
    const before = letters();
    await answer(service, "Approve, but make it 40.");
    expect(letters()).toBe(before + 1);
    expect((await letterTo(service)).text).toContain("couldn't tell from your reply");
    await answer(service, "Why 42?");
    expect(letters()).toBe(before + 1);
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    expect((await as.tasks.list({})).data).toHaveLength(2);
    await answer(service, "Approve");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "approved" });
  });

  test.each<[string, (setting: Awaited<ReturnType<typeof guarded>>) => Promise<unknown>]>([
    ["forged", ({ service }) => answer(service, "Approve", { facts: forgedFrom("example.com") })],
    ["from somebody else", ({ service }) => answer(service, "Approve", { from: "eve@example.com" })],
    [
      "forged, to an inbox without sender authentication",
      async ({ service, as, inbox_id }) => {
        await as.inboxes.update({ inbox_id, require_sender_auth: false });
        await answer(service, "Approve", { facts: forgedFrom("example.com") });
      },
    ],
    [
      "injected, with claimed authentication results",
      async ({ service, as, inbox_id }) => {
        const { message_id } = await letterTo(service);
        const auth = { spf: "pass", dkim: "pass", dmarc: "pass" } as const;
        await as.messages.inject({ inbox_id, from: grace, text: "Approve", in_reply_to: message_id, auth });
        await service.work();
      },
    ],
    [
      "sent automatically",
      async ({ service }) => {
        const { message_id, reply_to } = await letterTo(service);
        for (const mark of [
          "Auto-Submitted: auto-replied",
          "Auto-Submitted: auto-generated",
          "Precedence: bulk",
        ]) {
          await service.receive({
            from: grace,
            to: reply_to[0]?.address ?? "",
            text: "Approve",
            in_reply_to: message_id,
            headers: [mark],
          });
        }
      },
    ],
    [
      "that replies to another mail in the same thread",
      async ({ service, inbox }) => {
        const { message_id, reply_to } = await letterTo(service);
        const own = "<own@example.com>";
        await service.receive({
          from: grace,
          to: inbox.email,
          text: "Fine weather",
          message_id: own,
          references: [message_id],
        });
        await service.receive({
          from: grace,
          to: reply_to[0]?.address ?? "",
          text: "Approve",
          in_reply_to: own,
          references: [message_id, own],
        });
      },
    ],
    [
      "to the inbox and not to the letter's reply address",
      ({ service, inbox }) => answer(service, "Approve", { to: inbox.email }),
    ],
    [
      "that replies to nothing",
      ({ service, inbox }) => service.receive({ from: grace, to: inbox.email, text: "Approve" }),
    ],
  ])("%s decides nothing", async (_what, act) => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    await act(setting);
    await setting.service.work();
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
    expect(leftFor(setting.service, ada)).toEqual([]);
  });

  test("to another owner's letter decides nothing", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    await service.addOwner(account, "anna@example.net");
    const { inbox_id } = { inbox_id: account.inbox.id };
    await service.addOwner(account, grace);
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const draft = await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    await answer(service, "Approve", { from: "anna@example.net" });
    expect(await approvalOf(account, draft.object === "draft" ? draft.approval_id : "")).toMatchObject({
      status: "pending",
    });
    const own = await letterTo(service, "anna@example.net");
    await service.receive({
      from: "anna@example.net",
      to: own.reply_to[0]?.address ?? "",
      text: "Approve",
      in_reply_to: own.message_id,
    });
    expect(await approvalOf(account, draft.object === "draft" ? draft.approval_id : "")).toMatchObject({
      status: "approved",
    });
  });
});
