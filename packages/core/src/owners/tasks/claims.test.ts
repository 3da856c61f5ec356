import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const owner = "olga@owner.example";
const minute = 60_000;

async function withTasks(count = 1) {
  const service = createTestService();
  const account = await service.signUp();
  await service.addOwner(account, owner);
  for (let n = 1; n <= count; n++)
    await service.receive({ from: owner, to: account.inbox.email, subject: `Order ${n}`, text: "Paper.\n" });
  return { service, account, as: account.as, inbox_id: account.inbox.id };
}

async function withClaim() {
  const setting = await withTasks();
  const { task, claim_token } = await setting.as.tasks.claim({ lease_seconds: 60 });
  return { ...setting, task_id: task?.id ?? "", claim_token: claim_token ?? "" };
}

describe("a claim", () => {
  test("returns the oldest pending task with a lease, and nothing when there is none", async () => {
    const { as, service } = await withTasks(2);
    const first = await as.tasks.claim({ lease_seconds: 60 });
    expect(first).toMatchObject({
      object: "task_claim",
      claim_token: expect.stringMatching(/^\w{40}$/),
      task: {
        subject: "Order 1",
        status: "in_progress",
        attempts: 1,
        claim: { expires_at: "2026-01-01T00:01:00.000Z" },
      },
    });
    expect(await as.tasks.claim({})).toMatchObject({ task: { subject: "Order 2" } });
    expect(await as.tasks.claim({})).toEqual({ object: "task_claim", task: null, claim_token: null });
    const events = await service.letterslot.services.storage.find("events", { where: {}, limit: 100 });
    expect(events.filter(({ type }) => type === "task.updated")).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain(first.claim_token);
  });

  test("never gives one task to two of many workers at once", async () => {
    const { as } = await withTasks(10);
    const claims = await Promise.all(Array.from({ length: 25 }, () => as.tasks.claim({})));
    const taken = claims.flatMap(({ task }) => (task === null ? [] : [task.id]));
    expect(taken).toHaveLength(10);
    expect(new Set(taken).size).toBe(10);
  });

  test("looks at the oldest thousand pending tasks for one whose thread nobody holds", async () => {
    const { as, service, inbox_id } = await withTasks(2);
    const { storage } = service.letterslot.services;
    const [first, second] = await storage.find("tasks", {
      where: {},
      order: { by: "id", direction: "asc" },
      limit: 2,
    });
    if (first === undefined || second === undefined) throw new Error("no tasks");
    const more = Array.from({ length: LIMITS.tasks_looked_at - 1 }, (_, nth) => ({
      ...first,
      id: `${first.id}${nth}`,
      message_id: `msg_${nth}`,
    }));
    await storage.transaction(async (tx) => tx.append("tasks", more));
    const assigned = { inbox_id, thread_id: first.thread_id ?? "", assignee: "bo", force: false };
    await as.threads.assign({ ...assigned, lease_seconds: 60 });
    expect(await as.tasks.claim({})).toMatchObject({ task: null });
    await storage.delete("tasks", { id: `${first.id}0` });
    expect(await as.tasks.claim({})).toMatchObject({ task: { id: second.id } });
    await service.clock.advance(minute);
    expect(await as.tasks.claim({})).toMatchObject({ task: { id: first.id } });
  });

  test("waits for the mail that creates a task", async () => {
    const { as, service, account } = await withTasks(0);
    const waiting = as.tasks.claim({ wait: 25 });
    await service.clock.advance(10);
    await service.receive({ from: owner, to: account.inbox.email, subject: "Now" });
    expect(await waiting).toMatchObject({ task: { subject: "Now" } });
  });

  test("claims nothing for a worker that has hung up", async () => {
    const { as, service, account } = await withTasks(0);
    const gone = new AbortController();
    const waiting = as.tasks.claim({ wait: 25 }, { signal: gone.signal });
    await service.clock.advance(10);
    gone.abort();
    await service.receive({ from: owner, to: account.inbox.email });
    expect(await waiting).toMatchObject({ task: null });
    expect((await as.tasks.list({})).data).toHaveLength(1);
  });

  test("with a key of one inbox claims only that inbox's tasks", async () => {
    const { service, account, as } = await withTasks();
    const second = await as.inboxes.create({ username: "second" });
    const scoped = service.letterslot.as({ ...account.caller, inbox_ids: [second.id] });
    expect(await scoped.tasks.claim({})).toMatchObject({ task: null });
    await expect(scoped.tasks.claim({ inbox_id: account.inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    const { task, claim_token } = await as.tasks.claim({});
    const report = { task_id: task?.id ?? "", claim_token: claim_token ?? "" };
    await expect(scoped.tasks.complete(report)).rejects.toMatchObject({ code: "task_not_found" });
    const stranger = await service.signUp("eve");
    await expect(stranger.as.tasks.complete(report)).rejects.toMatchObject({ code: "task_not_found" });
    await expect(stranger.as.tasks.claim({ inbox_id: account.inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });
});

describe("a lease", () => {
  test("that expires returns the task, and its worker loses it at that moment", async () => {
    const { as, service, task_id, claim_token } = await withClaim();
    await service.clock.advance(minute);
    await expect(as.tasks.complete({ task_id, claim_token })).rejects.toMatchObject({ code: "claim_lost" });
    await expect(as.tasks.heartbeat({ task_id, claim_token })).rejects.toMatchObject({ code: "claim_lost" });
    await service.work();
    expect(await as.tasks.get({ task_id })).toMatchObject({
      status: "pending",
      attempts: 1,
      claim: null,
      last_error: expect.stringContaining("lease"),
    });
    const again = await as.tasks.claim({});
    expect(again).toMatchObject({ task: { id: task_id, attempts: 2 } });
    await expect(as.tasks.fail({ task_id, claim_token, reason: "late" })).rejects.toMatchObject({
      code: "claim_lost",
    });
  });

  test("is extended by each heartbeat", async () => {
    const { as, service, task_id, claim_token } = await withClaim();
    for (let beat = 0; beat < 5; beat++) {
      await service.clock.advance(minute - 1);
      await service.work();
      expect(await as.tasks.heartbeat({ task_id, claim_token, lease_seconds: 60 })).toMatchObject({
        status: "in_progress",
      });
    }
    await service.clock.advance(minute - 1);
    await service.work();
    expect(await as.tasks.get({ task_id })).toMatchObject({ status: "in_progress" });
    await service.clock.advance(1);
    await service.work();
    expect(await as.tasks.get({ task_id })).toMatchObject({ status: "pending" });
  });

  test("ends when somebody moves the task", async () => {
    const { as, service, task_id, claim_token } = await withClaim();
    await as.tasks.update({ task_id, status: "pending" });
    await expect(as.tasks.heartbeat({ task_id, claim_token })).rejects.toMatchObject({ code: "claim_lost" });
    await service.clock.advance(minute);
    await service.work();
    expect(await as.tasks.get({ task_id })).toMatchObject({
      status: "pending",
      last_error: null,
      attempts: 0,
    });
    expect(await service.letterslot.services.storage.count("jobs", {}, 10)).toBe(0);
  });

  test("stays when the worker's own reply doesn't change the status", async () => {
    const { as, task_id, claim_token } = await withClaim();
    await as.tasks.reply({ task_id, claim_token, text: "On it.", status: "in_progress" });
    expect(await as.tasks.complete({ task_id, claim_token, result: "Ordered." })).toMatchObject({
      status: "done",
      result: "Ordered.",
    });
  });
});

describe("a report", () => {
  test("of completion ends the task, and a repeat gets the same answer", async () => {
    const { as, task_id, claim_token } = await withClaim();
    const done = await as.tasks.complete({ task_id, claim_token, result: "Ordered." });
    expect(done).toMatchObject({ status: "done", result: "Ordered.", claim: null });
    expect(await as.tasks.complete({ task_id, claim_token, result: "Ordered." })).toEqual(done);
    await expect(as.tasks.complete({ task_id, claim_token: "x".repeat(40) })).rejects.toMatchObject({
      code: "claim_lost",
    });
    await expect(as.tasks.fail({ task_id, claim_token, reason: "no" })).rejects.toMatchObject({
      code: "claim_lost",
    });
  });

  test.each([
    ["an object", { order: "A-1001", boxes: [2, null, true], __proto__: null }],
    ["a list", [1, "two", { three: 3 }]],
    ["a number", -1.5],
    ["a boolean", false],
    ["an empty text", ""],
    ["a text that reads like JSON", '{"a":1}'],
    ["null", null],
    ["16 KB", "x".repeat(LIMITS.task_result_bytes - '""'.length)],
  ])("of completion takes any JSON: %s", async (_, result) => {
    const { as, task_id, claim_token } = await withClaim();
    expect(await as.tasks.complete({ task_id, claim_token, result })).toMatchObject({ status: "done" });
    expect((await as.tasks.get({ task_id })).result).toEqual(result);
    expect((await as.tasks.list({ status: "done" })).data[0]?.result).toEqual(result);
    const { data } = await as.events.list({ types: "task.updated" });
    expect(data.at(-1)?.data).toMatchObject({ task: { id: task_id, result } });
  });

  test.each([
    ["more than 16 KB", "x".repeat(LIMITS.task_result_bytes - 1)],
    ["more than 16 KB of letters with several bytes", ["ü".repeat(LIMITS.task_result_bytes / 2)]],
    ["too deep", Array.from({ length: 65 }).reduce<unknown>((inner) => [inner], 0)],
    ["far too deep", JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)],
    ["no JSON", () => 1],
    ["no JSON inside", { big: 1n }],
  ])("with a result that is %s is invalid_result", async (_, result) => {
    const { as, task_id, claim_token } = await withClaim();
    await expect(as.tasks.complete({ task_id, claim_token, result })).rejects.toMatchObject({
      code: "invalid_result",
      param: "result",
    });
    expect(await as.tasks.get({ task_id })).toMatchObject({ status: "in_progress", result: null });
  });

  test("of failure makes the task pending again, and after the fifth it is done as failed", async () => {
    const { as } = await withTasks();
    for (let attempt = 1; attempt <= 5; attempt++) {
      const { task, claim_token } = await as.tasks.claim({});
      expect(task).toMatchObject({ attempts: attempt });
      const report = { task_id: task?.id ?? "", claim_token: claim_token ?? "", reason: `try ${attempt}` };
      const failed = await as.tasks.fail(report);
      expect(failed).toMatchObject({
        status: attempt < 5 ? "pending" : "done",
        result: attempt < 5 ? null : "failed",
        last_error: `try ${attempt}`,
      });
      expect(await as.tasks.fail(report)).toEqual(failed);
    }
    expect(await as.tasks.claim({})).toMatchObject({ task: null });
  });

  test("of failure wakes a worker that waits for a task", async () => {
    const { as, service, task_id, claim_token } = await withClaim();
    const waiting = as.tasks.claim({ wait: 25 });
    await service.clock.advance(10);
    await as.tasks.fail({ task_id, claim_token, reason: "no paper" });
    expect(await waiting).toMatchObject({ task: { id: task_id, attempts: 2 } });
  });
});
