import { beforeEach, describe, expect, test } from "vitest";
import { exported, type Files, imported, linesIn, replacing } from "../../../../../test/support/archives.ts";
import {
  buildMail,
  createTestService,
  signedBy,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import type { SenderFacts } from "../../model/sender-facts.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OLGA = "olga@owner.example";

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("ada");
  await service.addOwner(account, OLGA);
});

/** Signed facts of a mail whose server SPF doesn't vouch for: its signature is all there is. */
function signedOnly(signed_at: number | null): SenderFacts {
  const facts = signedBy("owner.example");
  const dkim = facts.dkim.map((signature) => ({ ...signature, signed_at }));
  return { ...facts, spf: { result: "none", domain: null }, dkim };
}

/** An order as it was written, to be delivered now or later. */
function written({
  from = OLGA,
  to = account.inbox.email,
  late_ms = 0,
  t = true,
  date,
}: {
  from?: string;
  to?: string;
  late_ms?: number;
  t?: boolean;
  date?: string;
} = {}) {
  const written_at = service.clock.now().getTime() + late_ms;
  const stated = date ?? new Date(written_at).toUTCString();
  const raw = buildMail({ from, to, text: "Pay the plumber.", date: stated });
  const facts = signedOnly(t ? Math.floor(written_at / 1000) : null);
  return { deliver: (at = service) => at.receiveRaw(raw, to, from, facts) };
}

const newest = async ({ as, inbox } = account) =>
  (await as.tasks.list({ inbox_id: inbox.id, status: "all", limit: 1 })).data[0];
const trusted = { trusted: true, untrusted_reason: null };
const doubted = (untrusted_reason: string) => ({ trusted: false, untrusted_reason });

describe("an order is trusted", () => {
  test.each([
    ["at once", 0, 0],
    ["by a clock 9 minutes ahead", 9 * MINUTE, 0],
    ["3 days late, as greylisting may have it", 0, 3 * DAY],
    ["after 29 days", 0, 29 * DAY],
  ])("%s", async (_when, late_ms, wait_ms) => {
    const order = written({ late_ms });
    await service.clock.advance(wait_ms);
    await order.deliver();
    expect(await newest()).toMatchObject(trusted);
  });

  test("when its author was confirmed a minute after writing it", async () => {
    const order = written({ from: "mara@owner.example" });
    await service.clock.advance(MINUTE);
    await service.addOwner(account, "mara@owner.example");
    await order.deliver();
    expect(await newest()).toMatchObject(trusted);
  });
});

describe("an order is a task that isn't trusted", () => {
  test.each([
    ["a year old", 365 * DAY],
    ["after 91 days, when nobody remembers it", 91 * DAY],
    ["after 31 days", 31 * DAY],
  ])("%s", async (_when, wait_ms) => {
    const order = written();
    await service.clock.advance(wait_ms);
    await order.deliver();
    const task = await newest();
    expect(task).toMatchObject(doubted("too_old"));
    const message_id = task?.message_id ?? "";
    const { data } = await account.as.messages.explain({ inbox_id: account.inbox.id, message_id });
    expect(JSON.stringify(data)).toContain("too_old");
  });

  test.each([
    ["dated 2 days ahead, to be sent again then", { late_ms: 2 * DAY, t: false }, "dated_ahead"],
    ["signed 11 minutes ahead", { late_ms: 11 * MINUTE }, "dated_ahead"],
    ["without a Date that can be read", { date: "yesterday at noon" }, "too_old"],
    ["written before its author was confirmed", { late_ms: -11 * MINUTE }, "before_owner"],
  ])("%s", async (_what, change, reason) => {
    await written(change).deliver();
    expect(await newest()).toMatchObject(doubted(reason));
  });

  test("in an inbox of the same name that was made anew", async () => {
    const { username } = account.inbox;
    const order = written();
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await service.clock.advance(2 * DAY);
    const inbox = await account.as.inboxes.create({ username });
    const again = { ...account, inbox };
    await service.addOwner(again, OLGA);
    await order.deliver();
    expect(await newest(again)).toMatchObject(doubted("before_owner"));
    await written().deliver();
    expect(await newest(again)).toMatchObject(trusted);
  });

  test("of somebody on the allowlist, from before they were", async () => {
    await service.clock.advance(DAY);
    const { id: inbox_id } = account.inbox;
    await account.as.allowlist.create({ inbox_id, address: "bo@owner.example" });
    await written({ from: "bo@owner.example", late_ms: -DAY / 2 }).deliver();
    expect(await newest()).toMatchObject(doubted("before_owner"));
    await written({ from: "bo@owner.example" }).deliver();
    expect(await newest()).toMatchObject(trusted);
  });

  test("from before an import of its inbox", async () => {
    const { storage } = service.letterslot.services;
    await service.clock.advance(DAY);
    const imported_at = service.clock.now().toISOString();
    await storage.update("inboxes", { id: account.inbox.id }, { imported_at });
    await written({ late_ms: -MINUTE }).deliver();
    expect(await newest()).toMatchObject(doubted("before_owner"));
    await service.clock.advance(MINUTE);
    await written().deliver();
    expect(await newest()).toMatchObject(trusted);
  });
});

describe("what was seen of orders goes with an export:", () => {
  /** Another service with the account, to which an order comes that the first one had; its words were deleted there. */
  async function movedAfterOrder(
    change: (files: Files) => Files = (files) => files,
    there = createTestService({ clock: service.clock }),
  ) {
    const order = written();
    await order.deliver();
    const task = await newest();
    expect(task).toMatchObject(trusted);
    const { id: inbox_id } = account.inbox;
    await account.as.messages.delete({ inbox_id, message_id: task?.message_id ?? "" });
    const files = change(await exported(service, account.account_id));
    const { api_key } = await imported(there, files, { trustOwners: true });
    const as = there.letterslot.as(await there.letterslot.authenticate(api_key, null));
    const deliver = () => order.deliver(there);
    const tasks = async () => (await as.tasks.list({ status: "all" })).data;
    return { files, there, deliver, tasks };
  }

  test("the same order makes no second task there", async () => {
    const { files, there, deliver, tasks } = await movedAfterOrder();
    const lines = linesIn(files, "seen_signatures");
    expect(lines).toHaveLength(2);
    for (const { hash, place, expires_at } of lines) {
      const kept = await there.letterslot.services.storage.find("seen_signatures", {
        where: { hash: String(hash) },
        limit: 9,
      });
      expect(kept).toMatchObject([{ place, expires_at }]);
      expect(Date.parse(String(expires_at)) - service.clock.now().getTime()).toBe(90 * DAY);
    }
    const before = await tasks();
    await deliver();
    expect(await tasks()).toEqual(before);
  });

  test("without them it would be one again, within the ten minutes that clocks may differ", async () => {
    const { deliver, tasks } = await movedAfterOrder((files) => replacing(files, "seen_signatures", []));
    const before = await tasks();
    await deliver();
    const made = await tasks();
    expect(made).toHaveLength(before.length + 1);
    expect(made.find(({ id }) => before.every((each) => each.id !== id))).toMatchObject(trusted);
  });

  test("an archive has none for an inbox of another account, whose orders it would spoil", async () => {
    const there = createTestService({ clock: service.clock });
    const { inbox } = await there.signUp("other");
    const elsewhere = (files: Files) =>
      linesIn(files, "seen_signatures").map((line) => ({ ...line, place: inbox.id }));
    const moved = movedAfterOrder((files) => replacing(files, "seen_signatures", elsewhere(files)), there);
    await expect(moved).rejects.toThrow("in seen_signatures, belongs to another account here");
  });
});
