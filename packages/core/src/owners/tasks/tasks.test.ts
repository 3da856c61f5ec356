import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const owner = "olga@owner.example";

async function withTask() {
  const service = createTestService();
  const account = await service.signUp();
  await service.addOwner(account, owner);
  await service.receive({
    from: owner,
    to: account.inbox.email,
    subject: "Order",
    text: "Please order paper.\n",
    message_id: "<t1@owner.example>",
  });
  const [task] = (await account.as.tasks.list({})).data;
  if (task === undefined) throw new Error("no task");
  return { service, account, as: account.as, inbox_id: account.inbox.id, task };
}

describe("tasks", () => {
  test("are listed by status, pending by default, in pages", async () => {
    const { service, account, as, task } = await withTask();
    for (let n = 2; n <= 4; n++)
      await service.receive({ from: owner, to: account.inbox.email, subject: `n${n}` });
    await as.tasks.update({ task_id: task.id, status: "done" });
    expect((await as.tasks.list({})).data).toHaveLength(3);
    expect((await as.tasks.list({ status: "done" })).data).toMatchObject([{ id: task.id, status: "done" }]);
    const first = await as.tasks.list({ status: "all", limit: 3 });
    const second = await as.tasks.list({ status: "all", limit: 3, cursor: first.next_cursor ?? "" });
    expect(second.data).toMatchObject([{ id: task.id }]);
  });

  test("a waiting list call is woken by the mail that creates a task", async () => {
    const { service, account, as, task } = await withTask();
    await as.tasks.update({ task_id: task.id, status: "in_progress" });
    const waiting = as.tasks.list({ wait: 25 });
    await service.clock.advance(10);
    await service.receive({ from: owner, to: account.inbox.email, subject: "Next" });
    expect((await waiting).data).toMatchObject([{ subject: "Next" }]);
  });

  test("a waiting list call ends in time with an empty page", async () => {
    const { service, as, task } = await withTask();
    await as.tasks.update({ task_id: task.id, status: "done" });
    const waiting = as.tasks.list({ wait: 25 });
    await service.clock.advance(25_001);
    expect(await waiting).toMatchObject({ object: "list", data: [], has_more: false, next_cursor: null });
  });

  test("can move between all states, and each move is an event", async () => {
    const { service, account, as, task } = await withTask();
    for (const status of ["in_progress", "done", "pending", "pending"] as const) {
      expect(await as.tasks.update({ task_id: task.id, status })).toMatchObject({ status });
    }
    const events = await service.letterslot.services.storage.find("events", {
      where: { account_id: account.account_id },
      limit: 100,
    });
    expect(events.filter(({ type }) => type === "task.updated")).toHaveLength(3);
  });

  test("a reply goes to the human in the task's thread and moves the task with it", async () => {
    const { service, as, task } = await withTask();
    const answer = await as.tasks.reply(
      { task_id: task.id, text: "Ordered.", status: "done", client_id: "r1" },
      { idempotencyKey: "k" },
    );
    expect(answer).toMatchObject({
      task: { id: task.id, status: "done" },
      message: {
        to: [owner],
        subject: "Re: Order",
        thread_id: task.thread_id,
        in_reply_to: "<t1@owner.example>",
      },
    });
    const again = await as.tasks.reply({
      task_id: task.id,
      text: "Ordered.",
      status: "done",
      client_id: "r1",
    });
    expect(again).toMatchObject({ idempotent: true, message: { id: answer.message.id } });
    await service.work();
    const left = service.transport.sent.findLast(
      ({ envelope }) => envelope.rcpt_to.includes(owner) && envelope.mail_from !== "",
    );
    expect(answer.message).toMatchObject({ object: "message", message_id: left?.message_id });
  });

  test("the stream starts now, shows each task and continues from its cursor", async () => {
    const { service, account, as } = await withTask();
    const stream = (await as.tasks.stream({}))[Symbol.asyncIterator]();
    const open = (await stream.next()).value;
    expect(open).toMatchObject({ event: "open" });
    const next = stream.next();
    await service.clock.advance(10);
    await service.receive({ from: owner, to: account.inbox.email, subject: "Two" });
    const item = (await next).value;
    expect(item).toMatchObject({
      event: "task.received",
      data: { object: "event", schema_version: "1", data: { task: { subject: "Two" } } },
    });
    const later = (await as.tasks.stream({ last_event_id: open?.id ?? "" }))[Symbol.asyncIterator]();
    await later.next();
    expect((await later.next()).value).toEqual(item);
    const end = stream.next();
    await service.clock.advance(25_001);
    expect((await end).done).toBe(true);
    await expect(as.tasks.stream({ last_event_id: "nonsense" })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("another account's task is not found", async () => {
    const { service, task } = await withTask();
    const other = await service.signUp("helper");
    await expect(other.as.tasks.get({ task_id: task.id })).rejects.toMatchObject({ code: "task_not_found" });
    await expect(other.as.tasks.update({ task_id: task.id, status: "done" })).rejects.toMatchObject({
      code: "task_not_found",
    });
    await expect(other.as.tasks.list({ inbox_id: task.inbox_id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });
});
