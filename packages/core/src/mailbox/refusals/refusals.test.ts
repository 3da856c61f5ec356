import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const note = (
  caller: AccountCaller = account.caller,
  call: { operation?: string; status?: number; inbox_id?: string; param?: string } = {},
) =>
  service.letterslot.refusals.note({
    caller,
    operation: call.operation ?? "messages.send",
    fields: ["to"],
    error: {
      status: call.status ?? 403,
      type: "authentication_error",
      code: "permission_denied",
      param: call.param,
    },
    inbox_id: call.inbox_id,
    source: "http",
    request_id: "req_1",
  });
const written = async () => {
  await service.clock.advance(LIMITS.refusals_written_ms);
  await service.letterslot.refusals.write();
};
const list = async (as = account.as) => (await as.refusals.list({})).data;

describe("a refused call", () => {
  test("is written a second later, with nothing that it said; equal ones of a minute are one", async () => {
    note(account.caller, { inbox_id: account.inbox.id, param: "to[0]" });
    note(account.caller, { inbox_id: account.inbox.id, param: "to[0]" });
    expect(await list()).toEqual([]);
    await written();
    note(account.caller, { inbox_id: account.inbox.id, param: "olga@owner.example" });
    await written();
    expect(await list()).toMatchObject([
      {
        object: "refusal",
        operation: "messages.send",
        status: 403,
        error: { code: "permission_denied", param: "to" },
        key_id: account.caller.key.id,
        client_id: null,
        inbox_id: account.inbox.id,
        count: 3,
        request_id: "req_1",
      },
    ]);
    await service.clock.advance(60_000);
    note(account.caller, { param: "olga@owner.example" });
    await written();
    const [newest] = await list();
    expect([newest?.count, newest?.error.param]).toEqual([1, null]);
  });

  test("at another inbox is a record of its own, also within a minute", async () => {
    const second = await account.as.inboxes.create({ username: "second" });
    for (const inbox_id of [account.inbox.id, second.id, second.id]) note(account.caller, { inbox_id });
    await written();
    const of = async (inbox_id: string) => (await account.as.refusals.list({ inbox_id })).data;
    expect(await of(account.inbox.id)).toMatchObject([{ inbox_id: account.inbox.id, count: 1 }]);
    expect(await of(second.id)).toMatchObject([{ inbox_id: second.id, count: 2 }]);
  });

  test("of two processes is one record, whose count has both", async () => {
    const other = createTestService({ storage: service.letterslot.services.storage });
    for (const { letterslot } of [service, other])
      letterslot.refusals.note({
        caller: account.caller,
        operation: "messages.send",
        fields: [],
        error: { status: 429, type: "rate_limited", code: "rate_limited", param: undefined },
        inbox_id: "not an id",
        source: "mcp",
        request_id: "req_2",
      });
    await Promise.all([service.letterslot.refusals.write(), other.letterslot.refusals.write()]);
    expect(await list()).toMatchObject([{ count: 2, inbox_id: null, source: "mcp" }]);
  });

  test("is kept for 7 days", async () => {
    note();
    await written();
    await service.clock.advance(LIMITS.refusals_kept_ms - 2 * LIMITS.refusals_written_ms);
    await service.letterslot.sweep();
    expect(await list()).toHaveLength(1);
    await service.clock.advance(2 * LIMITS.refusals_written_ms);
    await service.letterslot.sweep();
    expect(await list()).toEqual([]);
  });

  test("is dropped when a thousand wait, and nobody waits for any of them", async () => {
    for (let n = 0; n < LIMITS.refusals_waiting; n++)
      expect(note(account.caller, { operation: `op.${n}` })).toBe(true);
    expect(note(account.caller, { operation: "op.more" })).toBe(false);
    expect(note(account.caller, { operation: "op.0" })).toBe(true);
    await written();
    expect(note(account.caller, { operation: "op.more" })).toBe(true);
  });

  test("isn't one when the service failed, or a person asked", async () => {
    note(account.caller, { status: 503 });
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: "grace@example.com" });
    const person = { email: "grace@example.com", session_id: null, ip: null };
    note(await service.letterslot.callerFor(person, "inboxes.list", { account_id }));
    await written();
    expect(await list()).toEqual([]);
  });

  test("goes with the account", async () => {
    note();
    await written();
    const { storage } = service.letterslot.services;
    await service.letterslot.operator.accounts.delete(account.account_id);
    await service.work();
    expect(await storage.find("refusals", { where: { account_id: account.account_id }, limit: 9 })).toEqual(
      [],
    );
  });
});

describe("the list", () => {
  test("is narrowed by status, code, operation, key, inbox and time, and paged", async () => {
    const second = await account.as.inboxes.create({ username: "second" });
    note(account.caller, { operation: "messages.send", inbox_id: account.inbox.id });
    note(account.caller, { operation: "drafts.create", inbox_id: second.id, status: 404 });
    await written();
    const of = async (asked: Parameters<typeof account.as.refusals.list>[0]) =>
      (await account.as.refusals.list(asked)).data.map(({ operation }) => operation);
    expect(await of({})).toEqual(["drafts.create", "messages.send"]);
    expect(await of({ status: 404 })).toEqual(["drafts.create"]);
    expect(await of({ operation: "messages.send" })).toEqual(["messages.send"]);
    expect(await of({ inbox_id: second.id })).toEqual(["drafts.create"]);
    expect(await of({ key_id: account.caller.key.id, code: "permission_denied" })).toHaveLength(2);
    expect(await of({ code: "inbox_paused" })).toEqual([]);
    expect(await of({ after: service.clock.now().toISOString() })).toEqual([]);
    const first = await account.as.refusals.list({ limit: 1 });
    expect(first).toMatchObject({ has_more: true, data: [{ operation: "drafts.create" }] });
    const next = await account.as.refusals.list({ limit: 1, cursor: first.next_cursor ?? "" });
    expect(next).toMatchObject({ has_more: false, data: [{ operation: "messages.send" }] });
  });

  test("shows a key that is limited to an inbox its own alone, and other accounts nothing", async () => {
    const { api_key } = await account.as.keys.createForInbox({
      inbox_id: account.inbox.id,
      permissions: ["event_read"],
    });
    const caller = await service.letterslot.authenticate(api_key, null);
    note(caller, { operation: "keys.list" });
    note(account.caller, { operation: "messages.send", inbox_id: account.inbox.id });
    await written();
    const scoped = await list(service.letterslot.as(caller));
    expect(scoped.map(({ operation }) => operation)).toEqual(["keys.list"]);
    expect(await list()).toHaveLength(2);
    expect(await list((await service.signUp("stranger")).as)).toEqual([]);
  });

  test("shows a person who has charge of an inbox what was refused there", async () => {
    const { account_id, inbox } = account;
    const email = "heidi@example.org";
    await service.letterslot.operator.accounts.authority.give({ account_id, email, inbox_id: inbox.id });
    note(account.caller, { operation: "messages.send", inbox_id: inbox.id });
    note(account.caller, { operation: "keys.list" });
    await written();
    const seen = await list(service.letterslot.asOwner({ email, account_id }));
    expect(seen.map(({ operation }) => operation)).toEqual(["messages.send"]);
  });
});
