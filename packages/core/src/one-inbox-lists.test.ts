import { beforeAll, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../testing/index.ts";

let service: TestService;
let account: TestAccount;
let inbox_id: string;
let other_id: string;

beforeAll(async () => {
  service = createTestService();
  account = await service.signUp("ada-main");
  const { as, inbox } = account;
  inbox_id = inbox.id;
  other_id = (await as.inboxes.create({ username: "second" })).id;
  for (const id of [inbox_id, other_id]) {
    await as.drafts.create({ inbox_id: id, text: "x" });
    await as.keys.createForInbox({ inbox_id: id, name: "of one" });
    await as.webhooks.create({ url: "https://receiver.example/", inbox_ids: [id] });
    await as.consumers.create({ client_id: `of ${id}`, inbox_id: id });
    await as.phoneNumbers.create({ inbox_id: id, area_code: "415" });
  }
  await as.webhooks.create({ url: "https://receiver.example/" });
  await as.consumers.create({ client_id: "of all" });
});

type Row = { inbox_id?: string | null; inbox_ids?: string[] };
type Page = { data: Row[]; has_more: boolean; next_cursor: string | null };
const call = (name: string, input: object) =>
  service.letterslot.call(account.caller, name, input as Record<string, unknown>) as Promise<Page>;

describe.each(["drafts.listAll", "keys.list", "webhooks.list", "consumers.list", "phoneNumbers.list"])(
  "%s",
  (name) => {
    test("shows what belongs to one inbox", async () => {
      const all = await call(name, {});
      const one = await call(name, { inbox_id: other_id });
      expect(one.data.length).toBe(1);
      expect(all.data.length).toBeGreaterThan(1);
      expect([one.data[0]?.inbox_id, one.data[0]?.inbox_ids].flat()).toContain(other_id);
    });

    test("fails for an inbox of somebody else, and for a cursor of another filter", async () => {
      const stranger = await service.signUp(`of-${name.split(".")[0]?.toLowerCase()}`);
      await expect(call(name, { inbox_id: stranger.inbox.id })).rejects.toMatchObject({
        code: "inbox_not_found",
      });
      const { next_cursor } = await call(name, { limit: 1 });
      await expect(call(name, { inbox_id: other_id, cursor: next_cursor })).rejects.toMatchObject({
        code: "invalid_cursor",
      });
    });

    test("shows a key of one inbox nothing of another", async () => {
      const key = await account.as.keys.createForInbox({ inbox_id, name: "held" });
      const held = await service.letterslot.authenticate(key.api_key, null);
      await expect(service.letterslot.call(held, name, { inbox_id: other_id })).rejects.toMatchObject({
        code: "inbox_not_found",
      });
      await account.as.keys.delete({ key_id: key.id });
    });
  },
);

test("a list that is always whole says so", async () => {
  expect(await call("grants.list", {})).toEqual({
    object: "list",
    data: [],
    has_more: false,
    next_cursor: null,
  });
});
