import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { checkMayForce, isLeased, leaseFault } from "./rules.ts";

test("a lease ends with its time, and its token opens it", () => {
  const thread = { assignee: "bo", claimed_until: "2026-01-01T00:00:10.000Z", claim_token: "h" };
  const [during, after] = ["2026-01-01T00:00:09.999Z", "2026-01-01T00:00:10.000Z"] as const;
  expect(isLeased({ claimed_until: null }, during)).toBe(false);
  expect(leaseFault(thread, null, after)).toBeUndefined();
  expect(leaseFault(thread, "h", during)).toBeUndefined();
  expect(leaseFault(thread, "x", during)).toMatchObject({
    code: "thread_claimed",
    message: 'The thread is claimed by "bo" until 2026-01-01T00:00:10.000Z.',
  });
  expect(leaseFault({ ...thread, assignee: null }, null, during)?.message).toContain(
    "the worker of its task",
  );
});

test("only who may change threads takes one from others", () => {
  expect(() => checkMayForce(["task_write"], true)).toThrow(
    expect.objectContaining({ param: "thread_update" }),
  );
  expect(() => checkMayForce(["task_write"], false)).not.toThrow();
  expect(() => checkMayForce(null, true)).not.toThrow();
});

async function open() {
  const service = createTestService();
  const account = await service.signUp("ada");
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  await as.allowlist.create({ inbox_id, address: "bo@friend.example" });
  const receive = async (subject = "Hi") => {
    const { results } = await service.receive({ from: "bo@friend.example", to: inbox.email, subject });
    const message_id = results[0]?.message_id ?? "";
    return { message_id, thread_id: (await as.messages.get({ inbox_id, message_id })).thread_id };
  };
  const assign = (thread_id: string, more: object = {}) =>
    as.threads.assign({ inbox_id, thread_id, assignee: "worker-1", lease_seconds: 300, ...more });
  return { service, account, as, inbox_id, receive, assign };
}
const CLAIMED = { code: "thread_claimed" };

describe("a thread", () => {
  test("belongs to one worker for the time of a lease", async () => {
    const { service, as, inbox_id, receive, assign } = await open();
    const { thread_id } = await receive();
    const held = await assign(thread_id, { note: "Refund" });
    expect(held).toMatchObject({
      ...{ object: "thread_assignment", assignee: "worker-1", note: "Refund", claim_active: true },
      claim_token: expect.any(String),
    });
    await expect(assign(thread_id, { assignee: "worker-2" })).rejects.toMatchObject(CLAIMED);
    await service.clock.advance(299_000);
    const claim_token = held.claim_token ?? "";
    expect(await assign(thread_id, { claim_token })).toMatchObject({ claim_token: null, claim_active: true });
    await service.clock.advance(299_000);
    await expect(assign(thread_id, { assignee: "worker-2" })).rejects.toMatchObject(CLAIMED);
    await service.clock.advance(1_000);
    expect(await assign(thread_id, { assignee: "worker-2" })).toMatchObject({ assignee: "worker-2" });
    const { data } = await as.events.list({ types: ["thread.assigned"] });
    expect(data.map(({ data: said }) => [said["previous" as never], said["assignee" as never]])).toEqual([
      [null, "worker-1"],
      ["worker-1", "worker-1"],
      ["worker-1", "worker-2"],
    ]);
    expect(JSON.stringify(await as.threads.get({ inbox_id, thread_id }))).not.toContain("claim_token");
  });

  test("is taken by force with an event, and given back with the token", async () => {
    const { as, inbox_id, receive, assign } = await open();
    const { thread_id } = await receive();
    await assign(thread_id);
    const forced = await assign(thread_id, { assignee: "boss", force: true });
    const { data } = await as.events.list({ types: ["thread.assigned"] });
    expect(data.at(-1)).toMatchObject({ data: { assignee: "boss", previous: "worker-1", forced: true } });
    const unassign = (claim_token?: string) =>
      as.threads.unassign({ inbox_id, thread_id, ...(claim_token === undefined ? {} : { claim_token }) });
    await expect(unassign()).rejects.toMatchObject(CLAIMED);
    expect(await unassign(forced.claim_token ?? "")).toMatchObject({ assignee: null, claim_active: false });
  });

  test("is found by whom it is for", async () => {
    const { as, inbox_id, receive, assign } = await open();
    const [first, second] = [await receive(), await receive("Other")];
    await assign(first.thread_id, { lease_seconds: undefined });
    const ids = async (filter: object) =>
      (await as.threads.list({ inbox_id, ...filter })).data.map(({ id }) => id);
    expect(await ids({ assignee: "worker-1" })).toEqual([first.thread_id]);
    expect(await ids({ unassigned: true })).toEqual([second.thread_id]);
    expect(await ids({ unassigned: false })).toEqual([first.thread_id]);
  });
});

describe("while another holds a thread", () => {
  test("nothing is written in it without the token, and a dry run says so", async () => {
    const { service, as, inbox_id, receive, assign } = await open();
    const { thread_id, message_id } = await receive();
    const draft = await as.drafts.create({
      ...{ inbox_id, kind: "reply", in_reply_to: message_id, text: "Later." },
    });
    const { claim_token } = await assign(thread_id);
    const one = { inbox_id, message_id };
    const ways = [
      (more: object) => as.messages.reply({ ...one, text: "x", ...more }),
      (more: object) => as.messages.replyAll({ ...one, text: "x", ...more }),
      (more: object) => as.messages.forward({ ...one, to: ["cy@x.example"], ...more }),
      (more: object) =>
        as.messages.send({
          inbox_id,
          to: ["bo@friend.example"],
          text: "x",
          in_reply_to: message_id,
          ...more,
        }),
      (more: object) => as.drafts.send({ inbox_id, draft_id: draft.id, ...more }),
      (more: object) =>
        as.drafts.create({
          ...{ inbox_id, kind: "reply", in_reply_to: message_id, text: "x" },
          ...{ send_at: new Date(service.clock.now().getTime() + 3600_000).toISOString(), ...more },
        }),
    ];
    for (const way of ways) await expect(way({})).rejects.toMatchObject(CLAIMED);
    for (const way of ways)
      expect(await way({ dry_run: true })).toMatchObject({
        would: "refuse",
        checks: expect.arrayContaining([expect.objectContaining({ code: "thread_claimed" })]),
      });
    for (const way of ways) await way({ claim_token });
    const news = await as.messages.send({ inbox_id, to: ["bo@friend.example"], text: "Another thread." });
    expect(news.object).toBe("message");
  });

  test("a draft that waits for its time is changed with the token alone", async () => {
    const { service, as, inbox_id, receive, assign } = await open();
    const { thread_id, message_id } = await receive();
    const send_at = new Date(service.clock.now().getTime() + 3600_000).toISOString();
    const { id: draft_id } = await as.drafts.create({
      ...{ inbox_id, kind: "reply", in_reply_to: message_id, text: "Later.", send_at },
    });
    const { claim_token } = await assign(thread_id);
    const change = { inbox_id, draft_id, text: "Something else." };
    await expect(as.drafts.update(change)).rejects.toMatchObject(CLAIMED);
    expect(await as.drafts.update({ ...change, claim_token: claim_token ?? "" })).toMatchObject({
      text: "Something else.",
    });
  });

  test("a person's decision still sends", async () => {
    const { service, account, as, inbox_id, receive, assign } = await open();
    await service.addOwner(account, "olga@owner.example");
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    const { thread_id, message_id } = await receive();
    const asked = await as.messages.reply({ inbox_id, message_id, text: "Yes." });
    if (asked.object !== "draft") throw new Error("nobody was asked");
    await assign(thread_id);
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: "olga@owner.example" });
    const olga = service.letterslot.asOwner({ email: "olga@owner.example", account_id });
    const approval_id = asked.approval_id ?? "";
    const { digest } = await olga.approvals.get({ approval_id });
    await olga.approvals.decideInSession({ approval_id, decision: "approve", digest });
    await service.work();
    expect(service.transport.sent.map(({ envelope }) => envelope.rcpt_to)).toContainEqual([
      "bo@friend.example",
    ]);
  });
});

describe("the claim of a task", () => {
  test("leases its thread by the same token, until the work ends", async () => {
    const { as, inbox_id, receive } = await open();
    const { message_id, thread_id } = await receive();
    const { task, claim_token } = await as.tasks.claim({ lease_seconds: 300 });
    const task_id = task?.id ?? "";
    await expect(as.messages.reply({ inbox_id, message_id, text: "x" })).rejects.toMatchObject(CLAIMED);
    await expect(as.tasks.reply({ task_id, text: "x" })).rejects.toMatchObject(CLAIMED);
    const token = { claim_token: claim_token ?? "" };
    await as.tasks.heartbeat({ task_id, ...token, lease_seconds: 600 });
    const { claimed_until } = await as.threads.get({ inbox_id, thread_id });
    expect(claimed_until).toBe((await as.tasks.get({ task_id })).claim?.expires_at);
    await as.tasks.reply({ task_id, text: "Done.", ...token });
    await as.tasks.complete({ task_id, ...token });
    expect((await as.threads.get({ inbox_id, thread_id })).claimed_until).toBeNull();
    await as.messages.reply({ inbox_id, message_id, text: "P.S." });
  });

  test("passes over tasks whose thread another holds", async () => {
    const { as, receive, assign } = await open();
    const [first, second] = [await receive("One"), await receive("Two")];
    const { claim_token } = await assign(first.thread_id);
    expect((await as.tasks.claim({})).task?.thread_id).toBe(second.thread_id);
    expect((await as.tasks.claim({})).task).toBeNull();
    expect(claim_token).not.toBeNull();
  });

  test("passes over any number of them", async () => {
    const { as, receive, assign } = await open();
    for (let count = 0; count < 41; count++) await assign((await receive(`Held ${count}`)).thread_id);
    const { thread_id } = await receive("Free");
    expect((await as.tasks.claim({})).task?.thread_id).toBe(thread_id);
  });

  test("comes to a worker that waits when the lease is given back, or its work ends", async () => {
    const { service, account, as, inbox_id, receive, assign } = await open();
    const { thread_id, message_id } = await receive();
    const { claim_token } = await assign(thread_id);
    const waitForTask = async () => {
      const waiting = as.tasks.claim({ wait: 25 });
      await service.clock.advance(10);
      return waiting;
    };
    const given = waitForTask();
    await service.clock.advance(20);
    await as.threads.unassign({ inbox_id, thread_id, claim_token: claim_token ?? "" });
    const { task, claim_token: token } = await given;
    expect(task?.thread_id).toBe(thread_id);
    const { message_id: in_reply_to } = await as.messages.get({ inbox_id, message_id });
    await service.receive({
      ...{ from: "bo@friend.example", to: account.inbox.email, subject: "Re: Hi", text: "More." },
      in_reply_to: in_reply_to ?? "",
    });
    const done = waitForTask();
    await service.clock.advance(20);
    await as.tasks.complete({ task_id: task?.id ?? "", claim_token: token ?? "" });
    const next = await done;
    expect(next.task?.thread_id).toBe(thread_id);
    expect(next.task?.id).not.toBe(task?.id);
  });

  test("a lease that runs out frees the thread", async () => {
    const { service, as, inbox_id, receive } = await open();
    const { thread_id } = await receive();
    await as.tasks.claim({ lease_seconds: 30 });
    await service.clock.advance(30_000);
    await service.work();
    expect((await as.threads.get({ inbox_id, thread_id })).claimed_until).toBeNull();
  });

  test("of two workers at once, one gets a thread", async () => {
    const { receive, assign } = await open();
    for (let round = 0; round < 20; round++) {
      const { thread_id } = await receive(`Round ${round}`);
      const ends = await Promise.allSettled([1, 2, 3].map((at) => assign(thread_id, { assignee: `w${at}` })));
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });
});
