import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { createLocalSignals } from "../../ports/local/local-signals.ts";
import type { Signals } from "../../ports/signals.ts";
import type { StreamItem } from "./stream.ts";

const day = 24 * 3600_000;

const open = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const mail = (subject: string, to = account.inbox.email) =>
    service.receive({ from: "ada@sender.example", to, subject });
  return { service, account, mail, events: account.as.events };
};
const scopedKey = async ({ letterslot }: TestService, account: TestAccount, inbox_id = account.inbox.id) => {
  const { api_key } = await account.as.keys.create({ inbox_id });
  return letterslot.as(await letterslot.authenticate(api_key, null));
};
const subjects = ({ data }: { data: { data: Record<string, unknown> }[] }) =>
  data.map((event) => (event.data["message"] as { subject: string }).subject);

describe("the feed", () => {
  test("lists events oldest first, and continues where the last page ended", async () => {
    const { events, mail, account } = await open();
    const { next_cursor: after } = await events.list({});
    for (const subject of ["one", "two", "three"]) await mail(subject);
    const first = await events.list({ after, limit: 2 });
    expect(subjects(first)).toEqual(["one", "two"]);
    expect(first).toMatchObject({
      object: "list",
      has_more: true,
      next_cursor: String(first.data[1]?.sequence),
    });
    expect(first.data[0]).toMatchObject({
      object: "event",
      type: "message.received",
      schema_version: "1",
      account_id: account.account_id,
      inbox_id: account.inbox.id,
    });
    const second = await events.list({ after: first.next_cursor, limit: 2 });
    expect(subjects(second)).toEqual(["three"]);
    expect(second.has_more).toBe(false);
    expect(await events.list({ after: second.next_cursor })).toEqual({
      object: "list",
      data: [],
      has_more: false,
      next_cursor: second.next_cursor,
    });
  });

  test("moves its cursor past events that the filters exclude", async () => {
    const { events, mail, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    const { next_cursor: after } = await events.list({});
    await mail("one");
    await mail("two", other.email);
    await mail("three");
    const newest = (await events.list({ after })).next_cursor;
    expect(await events.list({ after, types: "task.received,message.sent" })).toMatchObject({
      data: [],
      next_cursor: newest,
    });
    const ofOther = await events.list({ after, inbox_id: other.id });
    expect([subjects(ofOther), ofOther.next_cursor]).toEqual([["two"], newest]);
    const inInbox = await events.listInbox({
      inbox_id: account.inbox.id,
      after,
      types: ["message.received"],
      limit: 1,
    });
    expect([subjects(inInbox), inInbox.has_more]).toEqual([["one"], true]);
    expect(
      subjects(await events.listInbox({ inbox_id: account.inbox.id, after: inInbox.next_cursor })),
    ).toEqual(["three"]);
  });

  test("starts after a time", async () => {
    const { events, mail, service } = await open();
    for (let number = 0; number < 20; number++) {
      await mail(`mail ${number}`);
      await service.clock.advance(10_000);
    }
    const at = (number: number) =>
      new Date(service.clock.now().getTime() - (20 - number) * 10_000).toISOString();
    expect(subjects(await events.list({ after: at(17) }))).toEqual(["mail 18", "mail 19"]);
    expect(subjects(await events.list({ after: at(0), limit: 1 }))).toEqual(["mail 1"]);
    expect((await events.list({ after: "2027-01-01T00:00:00+01:00" })).data).toEqual([]);
    expect((await events.list({ after: "2025-01-01T00:00:00Z" })).data[0]).toMatchObject({ sequence: 1 });
  });

  test.each([
    [{ after: "soon" }, { code: "invalid_cursor", param: "after" }],
    [{ after: "4711" }, { code: "invalid_cursor", param: "after" }],
    [{ types: "message.read" }, { code: "invalid_event_type" }],
    [{ limit: 201 }, { code: "invalid_limit" }],
    [{ wait: -1 }, { code: "invalid_wait" }],
    [{ inbox_id: "inb_unknown" }, { code: "inbox_not_found" }],
  ])("refuses %j", async (input, failure) => {
    const { events } = await open();
    await expect(events.list(input)).rejects.toMatchObject(failure);
  });

  test("wakes waiting callers for a matching event, and not before", async () => {
    const { events, mail, service, account } = await open();
    const { next_cursor: after } = await events.list({});
    const waiting = events.list({ after, types: "message.sent", wait: 3600 });
    await mail("not this");
    await account.as.messages.send({
      inbox_id: account.inbox.id,
      to: ["eve@example.com"],
      subject: "this",
      text: "x",
    });
    await service.work();
    expect(subjects(await waiting)).toEqual(["this"]);

    const { next_cursor } = await events.list({ after });
    const inVain = events.list({ after: next_cursor, wait: 3600 });
    await service.clock.advance(LIMITS.event_wait_max_seconds * 1000);
    expect(await inVain).toMatchObject({ data: [], has_more: false, next_cursor });
  });

  test("is cursor_expired only when the cursor's next events have expired after 30 days", async () => {
    const { events, mail, service } = await open();
    await mail("old");
    const old = await events.list({});
    await service.clock.advance(day);
    await mail("newer");
    await service.clock.advance(29 * day + 1);
    await service.letterslot.sweep();
    for (const after of ["0", String(Number(old.next_cursor) - 1), "2026-01-01T00:00:00Z"])
      await expect(events.list({ after })).rejects.toMatchObject({
        code: "cursor_expired",
        kind: "gone",
        param: "after",
      });
    expect(subjects(await events.list({ after: old.next_cursor }))).toEqual(["newer"]);
    expect(subjects(await events.list({}))).toEqual(["newer"]);
    const last_event_id = String(Number(old.next_cursor) - 1);
    await expect(events.stream({ last_event_id })).rejects.toMatchObject({
      code: "cursor_expired",
      param: "Last-Event-ID",
    });
  });

  test("from before the first event that is left is cursor_expired, once an inbox was purged", async () => {
    const { events, mail, service, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    await mail("gone");
    const { next_cursor: after } = await events.list({ after: "0" });
    await mail("kept", other.email);
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await service.work();
    const expired = { code: "cursor_expired", kind: "gone" };
    await expect(events.list({ after: "0" })).rejects.toMatchObject({ ...expired, param: "after" });
    await expect(events.stream({ last_event_id: "0" })).rejects.toMatchObject(expired);
    expect(subjects(await events.list({ types: "message.received" }))).toEqual(["kept"]);
    // A reader that has already read the deleted events continues, and so does a reader of another inbox.
    expect(subjects(await events.list({ after, types: "message.received" }))).toEqual(["kept"]);
    const alone = await events.list({ after: "0", inbox_id: other.id, types: "message.received" });
    expect(subjects(alone)).toEqual(["kept"]);
    const scoped = (await scopedKey(service, { ...account, inbox: other })).events;
    expect(subjects(await scoped.list({ after: "0", types: "message.received" }))).toEqual(["kept"]);
  });

  test("is not expired by an inbox that was purged in between", async () => {
    const { events, mail, service, account } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    await mail("first", other.email);
    await mail("gone");
    await mail("last", other.email);
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await service.work();
    expect(subjects(await events.list({ after: "0", types: "message.received" }))).toEqual(["first", "last"]);
  });

  test("for a key limited to one inbox has only that inbox's events", async () => {
    const { service, account, mail } = await open();
    const other = await account.as.inboxes.create({ username: "second" });
    const scoped = (await scopedKey(service, account)).events;
    const { next_cursor: after } = await scoped.list({});
    await mail("other", other.email);
    await mail("own");
    expect(subjects(await scoped.list({ after }))).toEqual(["own"]);
    await expect(scoped.list({ inbox_id: other.id })).rejects.toMatchObject({ code: "inbox_not_found" });
    await expect(scoped.stream({ inbox_id: other.id })).rejects.toMatchObject({ code: "inbox_not_found" });
  });

  test("of another account has none of this one's events", async () => {
    const { service, mail } = await open();
    const stranger = await service.signUp("stranger");
    const { next_cursor: after } = await stranger.as.events.list({});
    await mail("mine");
    expect((await stranger.as.events.list({ after })).data).toEqual([]);
  });
});

describe("those who wait for events", () => {
  test("are woken only by writes that concern them", async () => {
    const local = createLocalSignals();
    const woken: string[] = [];
    const signals: Signals = {
      ...local,
      subscribe: (channel, listener) =>
        local.subscribe(channel, () => {
          woken.push(channel);
          listener();
        }),
    };
    const service = createTestService({ signals });
    const account = await service.signUp();
    const other = await account.as.inboxes.create({ username: "second" });
    const scoped = await scopedKey(service, account);
    const { next_cursor: after } = await account.as.events.list({});
    const waiting = scoped.events.list({ after, wait: 25 });
    const tasks = scoped.tasks.list({ wait: 25 });
    await service.receive({ from: "ada@sender.example", to: other.email, subject: "not theirs" });
    expect(woken).toEqual([]);
    await service.receive({ from: "ada@sender.example", to: account.inbox.email, subject: "theirs" });
    expect(subjects(await waiting)).toEqual(["theirs"]);
    expect(new Set(woken)).toEqual(new Set([`events:${account.inbox.id}`]));
    await service.clock.advance(LIMITS.task_wait_max_seconds * 1000);
    expect((await tasks).data).toEqual([]);
  });

  test("are at most 25 polls and streams of one key", async () => {
    const { events, service } = await open();
    const { next_cursor: after } = await events.list({});
    const half = Math.floor(LIMITS.concurrent_streams_per_key / 2);
    const polls = Array.from({ length: half }, () => events.list({ after, wait: 25 }));
    const streams = Array.from({ length: LIMITS.concurrent_streams_per_key - half }, async () => {
      for await (const _ of await events.stream({}));
    });
    await service.clock.advance(0);
    await expect(events.list({ after, wait: 25 })).rejects.toMatchObject({ code: "rate_limited" });
    await expect(events.stream({})).rejects.toMatchObject({ code: "rate_limited", retry_after_seconds: 1 });
    expect((await events.list({ after })).data).toEqual([]);
    await service.clock.advance(LIMITS.stream_ms);
    await Promise.all([...polls, ...streams]);
    expect((await events.stream({ after }))[Symbol.asyncIterator]).toBeDefined();
  });
});

describe("the stream", () => {
  const read = async (stream: AsyncIterable<StreamItem>) => {
    const items: StreamItem[] = [];
    for await (const item of stream) items.push(item);
    return items;
  };

  test("starts with its cursor, shows events, and ends after 25 seconds", async () => {
    const { events, mail, service } = await open();
    await mail("before");
    const { next_cursor } = await events.list({});
    const items = read(await events.stream({}));
    await mail("during");
    await service.clock.advance(LIMITS.stream_ms);
    const [opening, shown, ...rest] = await items;
    expect(opening).toEqual({ id: next_cursor, event: "open", data: { cursor: next_cursor } });
    expect(shown).toMatchObject({
      id: String(Number(next_cursor) + 1),
      event: "message.received",
      data: { object: "event" },
    });
    expect(rest).toEqual([]);
  });

  test("starts after a cursor, which Last-Event-ID overrides, and filters by types and inbox", async () => {
    const { events, mail, service, account } = await open();
    const { next_cursor: after } = await events.list({});
    for (const subject of ["one", "two"]) await mail(subject);
    const own = { inbox_id: account.inbox.id, types: "message.received" };
    const [whole, resumed, other] = await Promise.all([
      events.stream({ after, ...own }),
      events.stream({ after, ...own, last_event_id: String(Number(after) + 1) }),
      events.stream({ after, types: "task.received" }),
    ]);
    const streams = Promise.all([whole, resumed, other].map(read));
    await service.clock.advance(LIMITS.stream_ms);
    expect((await streams).map((items) => items.length)).toEqual([3, 2, 1]);
    for (const last_event_id of ["soon", "2026-01-01T00:00:00Z", "4711"])
      await expect(events.stream({ last_event_id })).rejects.toMatchObject({
        code: "invalid_cursor",
        param: "Last-Event-ID",
      });
  });
});
