import { expect, test } from "vitest";
import { answer, approvalOf, grace, guarded, heldMail, hour } from "../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../testing/index.ts";

/** The Message-ID of a mail that was sent. */
const idOf = (sent: object): string => ("message_id" in sent ? String(sent.message_id) : "");

const SUBJECT = "Abwesenheitsnotiz: Plan";

async function withOwner() {
  const service = createTestService();
  const account = await service.signUp("agent");
  await service.addOwner(account, grace);
  const { as, inbox } = account;
  const tasks = async (mail: Record<string, unknown>) => {
    await service.receive({ from: grace, to: inbox.email, text: "I am away.", ...mail });
    return (await as.tasks.list({})).data.length;
  };
  const sent = await as.messages.send({ inbox_id: inbox.id, to: [grace], subject: "Plan", text: "Look." });
  await service.work();
  return { service, as, inbox, tasks, in_reply_to: idOf(sent) };
}

test.each([
  ["X-Autoreply: yes"],
  ["X-Autorespond: vacation"],
  ["X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent"],
  ["X-MS-Exchange-Inbox-Rules-Loop: grace@example.com"],
  ["Content-Type: multipart/report; report-type=disposition-notification; boundary=b"],
])("an owner's mail with %s makes no task", async (line) => {
  const { tasks } = await withOwner();
  expect(await tasks({ headers: [line] })).toBe(0);
});

test("a subject of an automatic reply makes no task minutes after our own mail, and one later or by itself", async () => {
  const { service, tasks, in_reply_to } = await withOwner();
  const away = { subject: SUBJECT, in_reply_to };
  await service.clock.advance(60_000);
  expect(await tasks(away)).toBe(0);
  expect(await tasks({ subject: "Re: Plan", in_reply_to })).toBe(1);
  expect(await tasks({ subject: SUBJECT })).toBe(2);
  expect(await tasks({ subject: SUBJECT, in_reply_to: "<other@example.com>" })).toBe(3);
  await service.clock.advance(hour);
  expect(await tasks(away)).toBe(4);
  expect(await tasks({ subject: SUBJECT, headers: ["Precedence: bulk"] })).toBe(4);
});

test("the minutes count from when our mail left, not from when it was written", async () => {
  const { service, as, inbox, tasks } = await withOwner();
  service.transport.refuse(grace, "temporary_failure");
  const late = await as.messages.send({ inbox_id: inbox.id, to: [grace], subject: "Plan", text: "Look." });
  await service.work();
  service.transport.accept(grace);
  await service.clock.advance(hour);
  await service.work();
  expect(await tasks({ subject: SUBJECT, in_reply_to: idOf(late) })).toBe(0);
});

test("an automatic reply to a letter decides nothing, whatever it says", async () => {
  const setting = await guarded();
  const draft = await heldMail(setting);
  await answer(setting.service, "APPROVE", { subject: "Automatic reply: Approval" });
  expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
  await answer(setting.service, "APPROVE", { subject: "Re: Approval" });
  expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "approved" });
});
