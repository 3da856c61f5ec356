import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const open = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const mail = (to = account.inbox.email) =>
    service.receive({ from: "ada@sender.example", to, subject: "Hello" });
  return { service, account, mail, consumers: account.as.consumers };
};

describe("a consumer", () => {
  test("reads from its creation, and returns the same events until it commits", async () => {
    const { consumers, mail } = await open();
    await mail();
    const { id: consumer_id, cursor } = await consumers.create({ client_id: "mine" });
    await mail();
    await mail();
    const page = await consumers.poll({ consumer_id, limit: 1 });
    expect(page).toMatchObject({ has_more: true, data: [{ sequence: Number(cursor) + 1 }] });
    expect(await consumers.poll({ consumer_id, limit: 1 })).toEqual(page);

    const committed = await consumers.commit({ consumer_id, cursor: page.next_cursor });
    expect(committed).toMatchObject({ cursor: page.next_cursor, committed_at: expect.any(String) });
    expect((await consumers.poll({ consumer_id })).data).toMatchObject([{ sequence: Number(cursor) + 2 }]);
  });

  test("is not moved back by an older commit, nor beyond the newest event", async () => {
    const { consumers, mail } = await open();
    const { id: consumer_id, cursor } = await consumers.create({ client_id: "mine" });
    for (let count = 0; count < 5; count++) await mail();
    const newest = Number(cursor) + 5;
    const order = [3, 5, 1, 4, 2].map((step) => String(Number(cursor) + step));
    await Promise.all(order.map((to) => consumers.commit({ consumer_id, cursor: to })));
    expect((await consumers.get({ consumer_id })).cursor).toBe(String(newest));
    expect((await consumers.commit({ consumer_id, cursor: "0" })).cursor).toBe(String(newest));
    for (const beyond of [String(newest + 1), "soon", "-1"])
      await expect(consumers.commit({ consumer_id, cursor: beyond })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
  });

  test("reads its types and its inbox, from a chosen start, and waits", async () => {
    const { consumers, mail, account, service } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    await mail();
    await mail(other.email);
    const { id: consumer_id } = await consumers.create({
      client_id: "mine",
      types: ["message.received"],
      inbox_id: other.id,
      after: "0",
    });
    const { data, next_cursor } = await consumers.poll({ consumer_id });
    expect(data).toMatchObject([{ type: "message.received", inbox_id: other.id }]);
    await consumers.commit({ consumer_id, cursor: next_cursor });
    const waiting = consumers.poll({ consumer_id, wait: 3600 });
    await mail();
    await mail(other.email);
    expect((await waiting).data).toMatchObject([{ inbox_id: other.id }]);
    const idle = await consumers.create({ client_id: "idle" });
    let answered = false;
    const inVain = consumers.poll({ consumer_id: idle.id, wait: 1 }).finally(() => (answered = true));
    while (!answered) await service.clock.advance(1000);
    expect((await inVain).data).toEqual([]);
  });

  test("is the same one for the same client_id", async () => {
    const { consumers } = await open();
    const first = await consumers.create({ client_id: "mine" });
    expect(await consumers.create({ client_id: "mine", types: "message.sent" })).toEqual({
      ...first,
      idempotent: true,
    });
    const raced = await Promise.all([1, 2, 3].map(() => consumers.create({ client_id: "raced" })));
    expect(new Set(raced.map(({ id }) => id)).size).toBe(1);
    expect((await consumers.list({})).data).toHaveLength(2);
  });

  test("that is more than 30 days behind gets an error, and continues after a commit", async () => {
    const { consumers, mail, service, account } = await open();
    const { id: consumer_id } = await consumers.create({ client_id: "mine" });
    await mail();
    await service.clock.advance(LIMITS.events_kept_ms + 1);
    await mail();
    await service.letterslot.sweep();
    await expect(consumers.poll({ consumer_id })).rejects.toMatchObject({ code: "cursor_expired" });
    const { next_cursor } = await account.as.events.list({ limit: 1 });
    await consumers.commit({ consumer_id, cursor: next_cursor });
    expect((await consumers.poll({ consumer_id })).data).toEqual([]);
  });

  test("is gone after its deletion, and another account's is not found", async () => {
    const { consumers, service } = await open();
    const { id: consumer_id } = await consumers.create({ client_id: "mine" });
    const other = (await service.signUp("other")).as.consumers;
    const notThere = { code: "consumer_not_found" };
    const isNotThere = async (on: typeof other) => {
      const attempts = [
        on.get({ consumer_id }),
        on.poll({ consumer_id }),
        on.commit({ consumer_id, cursor: "0" }),
        on.delete({ consumer_id }),
      ];
      await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toMatchObject(notThere)));
    };
    await isNotThere(other);
    expect((await other.list({})).data).toEqual([]);
    expect(await consumers.delete({ consumer_id })).toEqual({
      id: consumer_id,
      object: "event_consumer",
      deleted: true,
    });
    await isNotThere(consumers);
  });

  test("of a key limited to one inbox belongs to that inbox", async () => {
    const { consumers, service, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    const whole = await consumers.create({ client_id: "whole" });
    const { api_key } = await account.as.keys.create({ inbox_id: account.inbox.id });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null)).consumers;
    const own = await scoped.create({ client_id: "own" });
    expect(own.inbox_id).toBe(account.inbox.id);
    expect((await scoped.list({})).data).toEqual([own]);
    await expect(scoped.get({ consumer_id: whole.id })).rejects.toMatchObject({ code: "consumer_not_found" });
    await expect(scoped.create({ client_id: "whole" })).rejects.toMatchObject({ code: "consumer_not_found" });
    await expect(scoped.create({ client_id: "x", inbox_id: other.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    const page = await consumers.list({ limit: 1 });
    expect((await consumers.list({ limit: 1, cursor: page.next_cursor ?? "" })).data).toEqual([whole]);
  });

  test("is refused as the 101st of an account", async () => {
    const { consumers } = await open();
    for (let count = 0; count < LIMITS.consumers_per_account; count++)
      await consumers.create({ client_id: `c${count}` });
    await expect(consumers.create({ client_id: "more" })).rejects.toMatchObject({ code: "consumer_limit" });
    expect((await consumers.list({ limit: 200 })).data).toHaveLength(LIMITS.consumers_per_account);
  });
});
