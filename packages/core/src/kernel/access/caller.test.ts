import { describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { PERMISSION_NAMES } from "../../catalogue/permissions.ts";
import type { BoundOperations } from "../../letterslot.ts";
import { operations } from "../../operations.ts";
import type { Operation } from "../operation.ts";
import { type AccountCaller, reaches, withinReach } from "./caller.ts";

describe("a caller reaches", () => {
  test.each([
    ["its account's records", null, { account_id: "a", inbox_id: "inb_1" }, true],
    ["not another account's", null, { account_id: "b", inbox_id: null }, false],
    ["those of its inbox", ["inb_1"], { account_id: "a", inbox_id: "inb_1" }, true],
    ["those of each of its inboxes", ["inb_1", "inb_2"], { account_id: "a", inbox_id: "inb_2" }, true],
    ["not those of another inbox", ["inb_1"], { account_id: "a", inbox_id: "inb_2" }, false],
    [
      "not those of the account when it is held to inboxes",
      ["inb_1"],
      { account_id: "a", inbox_id: null },
      false,
    ],
    ["nothing that is not there", null, undefined, false],
  ])("%s", (_, inbox_ids, record, reached) => {
    expect(reaches({ account_id: "a", inbox_ids }, record)).toBe(reached);
  });

  test.each([
    [null, undefined, { account_id: "a" }],
    [null, "inb_1", { inbox_id: "inb_1" }],
    [["inb_1"], undefined, { inbox_id: "inb_1" }],
    [["inb_1", "inb_2"], undefined, { inbox_id: { in: ["inb_1", "inb_2"] } }],
    [["inb_1", "inb_2"], "inb_2", { inbox_id: "inb_2" }],
  ])("held to %j and naming %j, lists %j", (inbox_ids, named, where) => {
    expect(withinReach({ account_id: "a", inbox_ids }, named)).toEqual(where);
  });
});

/** An account of three inboxes with a mail in each, and a caller who is held to the first two. */
async function threeInboxes(service: TestService) {
  const account = await service.signUp("one");
  const two = await account.as.inboxes.create({ username: "two" });
  const three = await account.as.inboxes.create({ username: "three" });
  const from = "olga@else.example";
  for (const { id: inbox_id } of [account.inbox, two, three])
    await account.as.allowlist.create({ inbox_id, address: from });
  for (const { id: inbox_id } of [account.inbox, two, three, account.inbox, two])
    await account.as.messages.inject({ inbox_id, from, text: "Hello", auth: { dkim: "pass" } });
  const inbox_ids = [account.inbox.id, two.id];
  return {
    account,
    one: account.inbox,
    two,
    three,
    as: service.letterslot.as({ ...account.caller, inbox_ids }),
  };
}

/** All items of a list, read by pages of one. */
async function readAll(
  list: (page: { limit: number; cursor?: string }) => Promise<unknown>,
): Promise<string[]> {
  const inboxes: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = (await list({ limit: 1, ...(cursor === undefined ? {} : { cursor }) })) as {
      data: { inbox_id: string; message?: { inbox_id: string } }[];
      next_cursor: string | null;
    };
    inboxes.push(...page.data.map((item) => item.message?.inbox_id ?? item.inbox_id));
    if (page.next_cursor === null) return inboxes;
    cursor = page.next_cursor;
  }
}

describe("a caller held to two inboxes of three", () => {
  const lists: [string, (as: BoundOperations) => Parameters<typeof readAll>[0]][] = [
    ["tasks", (as) => (page) => as.tasks.list({ ...page, status: "all" })],
    ["threads", (as) => (page) => as.threads.listAll(page)],
    ["search hits", (as) => (page) => as.search.messages({ ...page, q: "hello" })],
  ];
  test.each(lists)("pages through the %s of both, newest first, each once", async (_, list) => {
    const service = createTestService();
    const { one, two, as, account } = await threeInboxes(service);
    const all = await readAll(list(account.as));
    const seen = await readAll(list(as));
    expect(seen).toEqual(all.filter((inbox_id) => inbox_id === one.id || inbox_id === two.id));
    expect(seen.length).toBeGreaterThan(1);
  });

  test("sees both in the list of inboxes, and works in both", async () => {
    const { one, two, three, as } = await threeInboxes(createTestService());
    expect((await as.inboxes.list({})).data.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await as.inboxes.list({ limit: 1 })).has_more).toBe(true);
    expect((await as.messages.list({ inbox_id: two.id })).data).toHaveLength(2);
    await expect(as.messages.list({ inbox_id: three.id })).rejects.toMatchObject({ code: "inbox_not_found" });
    await expect(as.tasks.list({ inbox_id: three.id })).rejects.toMatchObject({ code: "inbox_not_found" });
  });

  test("claims the oldest task of both", async () => {
    const { one, as } = await threeInboxes(createTestService());
    expect((await as.tasks.claim({ lease_seconds: 60 })).task?.inbox_id).toBe(one.id);
  });

  test("reads the events of both and of no other", async () => {
    const { one, two, as } = await threeInboxes(createTestService());
    const { data } = await as.events.list({ after: "0", limit: 200 });
    expect(new Set(data.map(({ inbox_id }) => inbox_id))).toEqual(new Set([one.id, two.id]));
  });

  test("makes webhooks for both, and sees none that see more", async () => {
    const { one, two, as, account } = await threeInboxes(createTestService());
    const wide = await account.as.webhooks.create({ url: "https://hooks.example/wide" });
    const own = await as.webhooks.create({ url: "https://hooks.example/own" });
    expect(own).toMatchObject({ inbox_ids: [one.id, two.id] });
    expect((await as.webhooks.list({})).data.map(({ id }) => id)).toEqual([own.id]);
    await expect(as.webhooks.get({ webhook_id: wide.id })).rejects.toMatchObject({
      code: "webhook_not_found",
    });
  });

  test("names the inbox where only one can be meant", async () => {
    const { one, as } = await threeInboxes(createTestService());
    await expect(as.consumers.create({ client_id: "c" })).rejects.toMatchObject({ param: "inbox_id" });
    expect((await as.consumers.create({ client_id: "c", inbox_id: one.id })).inbox_id).toBe(one.id);
    await expect(as.lists.list({ direction: "receive", type: "block" })).rejects.toMatchObject({
      code: "permission_denied",
      param: undefined,
    });
  });
});

describe("the kinds of caller", () => {
  const all = Object.entries(operations).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, each]) => [`${group}.${verb}`, each as unknown as Operation] as const),
  );
  const app = (caller: AccountCaller): AccountCaller => ({
    ...caller,
    type: "app",
    permissions: PERMISSION_NAMES,
    grant_id: "grt_1",
    token_hash: "hash",
    client_id: "client",
  });

  test.each(all.filter(([, { callers }]) => callers?.includes("key") === false))(
    "%s is an owner's act: a key and an app are told owner_only",
    async (name) => {
      const service = createTestService();
      const { caller } = await service.signUp();
      for (const agent of [caller, app(caller)])
        await expect(service.letterslot.call(agent, name, {})).rejects.toMatchObject({ code: "owner_only" });
    },
  );

  test.each(all.filter(([, { callers }]) => callers?.includes("owner") === false))(
    "%s speaks for the agent: an owner is told key_only",
    async (name) => {
      const service = createTestService();
      const { caller, inbox } = await service.signUp();
      const { account_id, ip } = caller;
      const owner: AccountCaller = {
        ...{ type: "owner", account_id, ip, permissions: null, inbox_ids: null },
        ...{ email: "olga@owner.example", account_owner: true, session_id: null },
      };
      await expect(service.letterslot.call(owner, name, { inbox_id: inbox.id })).rejects.toMatchObject({
        code: "key_only",
      });
    },
  );
});
