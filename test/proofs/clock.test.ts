import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMemoryTransport,
  createMemoryWebhookHttp,
  createTestService,
  type TestAccount,
} from "../../packages/core/testing/index.ts";

const HOUR_MS = 3600_000;
const OWNER = "mara@family.example.com";
const FRIEND = "bo@example.org";

function service() {
  const made = createTestService();
  const { clock } = made;
  /** Steps the wall clock without time passing, as a time server does. */
  const jump = (milliseconds: number) => clock.set(new Date(clock.now().getTime() + milliseconds));
  return { ...made, jump };
}

/** Everything that can be waited for, with a wait of twenty seconds. */
const waits: Record<string, (account: TestAccount) => Promise<object>> = {
  messages: ({ as, inbox }) => as.messages.wait({ inbox_id: inbox.id, wait: 20 }),
  tasks: ({ as }) => as.tasks.list({ wait: 20 }),
  "a task to work on": ({ as }) => as.tasks.claim({ wait: 20 }),
  events: async ({ as }) =>
    as.events.list({ after: (await as.events.list({ limit: 200 })).next_cursor, wait: 20 }),
};

/** Whether a wait ended without a result. */
function nothingIn(answer: unknown): boolean {
  const { timed_out, task, data } = answer as { timed_out?: boolean; task?: unknown; data?: unknown[] };
  return timed_out ?? (task === null || data?.length === 0);
}

const AHEAD = ["an hour ahead", HOUR_MS] as const;
const BACK = ["an hour back", -HOUR_MS] as const;

describe.each([AHEAD, BACK])("when the wall clock jumps %s", (_, by) => {
  test.each(Object.entries(waits))(
    "a wait for %s ends after its timeout, neither at once nor an hour later",
    async (_name, wait) => {
      const { clock, jump, signUp } = service();
      let answer: unknown;
      const waiting = wait(await signUp("ada")).then((found) => (answer = found));
      await clock.advance(5_000);
      jump(by);
      await clock.advance(14_999);
      expect(answer).toBeUndefined();
      await clock.advance(1);
      expect(nothingIn(await waiting)).toBe(true);
    },
  );

  test.each(Object.entries(waits))("a wait for %s is answered by the next mail", async (_name, wait) => {
    const made = service();
    const account = await made.signUp("ada");
    await made.addOwner(account, OWNER);
    await made.clock.advance(1);
    const waiting = wait(account);
    await made.clock.advance(5_000);
    made.jump(by);
    await made.receive({ from: OWNER, to: account.inbox.email, subject: "Order", text: "Paper.\n" });
    await made.clock.advance(10);
    expect(nothingIn(await waiting)).toBe(false);
  });

  test("a mail that is being sent is sent once", async () => {
    const clock = createManualClock();
    const transport = createMemoryTransport();
    let accepted = () => {};
    const slow = {
      ...transport,
      send: async (mail: Parameters<typeof transport.send>[0]) => {
        const results = await transport.send(mail);
        await new Promise<void>((resolve) => (accepted = resolve));
        return results;
      },
    };
    const made = createTestService({ clock, transport: slow });
    const { as, inbox } = await made.signUp("ada");
    const stop = made.letterslot.work();
    const { id } = await as.messages.send({ inbox_id: inbox.id, to: [FRIEND], text: "x" });
    await clock.advance(10);
    expect(transport.attempts).toHaveLength(1);
    clock.set(new Date(clock.now().getTime() + by));
    await made.letterslot.sweep();
    await clock.advance(1_000);
    // Another mail wakes the worker too.
    await as.inboxes.update({ inbox_id: inbox.id, display_name: "Ada" });
    await clock.advance(1_000);
    expect(transport.attempts).toHaveLength(1);
    accepted();
    await clock.advance(10);
    await stop();
    expect(await as.messages.get({ inbox_id: inbox.id, message_id: id })).toMatchObject({
      status: "sent",
      delivery_events: [{ type: "sent" }],
    });
  });

  test("a delivery in progress is posted once", async () => {
    const clock = createManualClock();
    const receivers = createMemoryWebhookHttp();
    let answered = () => {};
    const slow = {
      ...receivers,
      post: async (request: Parameters<typeof receivers.post>[0]) => {
        const response = await receivers.post(request);
        await new Promise<void>((resolve) => (answered = resolve));
        return response;
      },
    };
    const made = createTestService({ clock, webhookHttp: slow });
    const { as, inbox } = await made.signUp("ada");
    await as.webhooks.create({ url: "https://receiver.example/hook", events: ["message.received"] });
    const stop = made.letterslot.work();
    await as.messages.inject({ inbox_id: inbox.id, from: FRIEND, text: "x" });
    await clock.advance(10);
    expect(receivers.posted).toHaveLength(1);
    clock.set(new Date(clock.now().getTime() + by));
    await made.letterslot.sweep();
    await clock.advance(1_000);
    expect(receivers.posted).toHaveLength(1);
    answered();
    await clock.advance(1_000);
    await stop();
    expect(receivers.posted).toHaveLength(1);
  });

  test("a task held by a worker gets one result, whether or not its lease has ended", async () => {
    const made = service();
    const account = await made.signUp("ada");
    await made.addOwner(account, OWNER);
    await made.receive({ from: OWNER, to: account.inbox.email, subject: "Order", text: "Paper.\n" });
    const claim = async () => {
      const { task, claim_token } = await account.as.tasks.claim({ lease_seconds: 60 });
      return task === null || claim_token === null ? undefined : { task_id: task.id, claim_token };
    };
    const first = await claim();
    made.jump(by);
    await made.work();
    const second = await claim();
    const reports = [first, second].filter((held) => held !== undefined);
    const codes = await Promise.all(
      reports.map((held) =>
        account.as.tasks.complete({ ...held, result: held.claim_token }).then(
          () => "done",
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    expect(codes).toEqual(by > 0 ? ["claim_lost", "done"] : ["done"]);
    expect((await account.as.tasks.list({ status: "all" })).data).toMatchObject([
      { status: "done", result: reports.at(-1)?.claim_token },
    ]);
  });

  test("new mail is delivered at once", async () => {
    const made = service();
    const { as, inbox } = await made.signUp("ada");
    const stop = made.letterslot.work();
    made.jump(by);
    await as.messages.send({ inbox_id: inbox.id, to: [FRIEND], text: "x" });
    await made.clock.advance(10);
    await stop();
    expect(made.transport.sent).toHaveLength(1);
  });

  test("a repeated call with an Idempotency-Key is still recognised", async () => {
    const made = service();
    const { as, inbox } = await made.signUp("ada");
    const send = () =>
      as.messages.send({ inbox_id: inbox.id, to: [FRIEND], text: "x" }, { idempotencyKey: "once" });
    const first = await send();
    made.jump(by);
    expect(await send()).toMatchObject({ id: first.id, idempotent: true });
  });

  test("ids keep increasing, so that a list continues where its page ended", async () => {
    const made = service();
    const { as, inbox } = await made.signUp("ada");
    const inject = (subject: string) =>
      as.messages.inject({ inbox_id: inbox.id, from: FRIEND, subject, text: "x" });
    await inject("one");
    await inject("two");
    made.jump(by);
    await inject("three");
    const subjects: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { subject: string }[]; next_cursor: string | null } = await as.messages.list({
        inbox_id: inbox.id,
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      });
      subjects.push(...page.data.map(({ subject }) => subject));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(subjects).toEqual(["three", "two", "one"]);
    const { data } = await as.events.list({ after: "0", types: ["message.received"] });
    expect(data.map(({ sequence }) => sequence)).toEqual(
      data.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
  });
});

describe("around 13:00 UTC", () => {
  test.each([
    ["jumps ahead over it and back again", [HOUR_MS, -HOUR_MS]],
    ["jumps back over it and ahead again", [-HOUR_MS, HOUR_MS]],
  ])("a clock that %s includes each update in one digest", async (_, jumps) => {
    const clock = createManualClock(new Date("2026-01-01T12:30:00.000Z"));
    const made = createTestService({ clock });
    const account = await made.signUp("ada");
    const inbox_id = account.inbox.id;
    const owner_id = await made.addOwner(account, OWNER);
    await account.as.owners.update({ inbox_id, owner_id, digest: "daily" });
    await account.as.updates.create({ inbox_id, kind: "progress", text: "Half of it is done." });
    const digests = () =>
      made.transport.sent.filter(({ raw }) => Buffer.from(raw).includes("Half of it is done.")).length;
    const look = async () => {
      await made.letterslot.sweep();
      await made.work();
    };
    if (jumps[0] === -HOUR_MS) await clock.advance(HOUR_MS);
    for (const by of jumps) {
      await look();
      clock.set(new Date(clock.now().getTime() + by));
      await look();
    }
    for (let quarter = 0; quarter < 8; quarter++) {
      await clock.advance(HOUR_MS / 4);
      await look();
    }
    expect(digests()).toBe(1);
  });
});
