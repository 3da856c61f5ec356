import { describe, expect, test } from "vitest";
import { moveAccount } from "../../../test/move-account.ts";
import { createTestService, forgedFrom, type MailParts } from "../../../testing/index.ts";
import { countContacts, countImported } from "../../mailbox/contacts/index.ts";

const BO = "bo@friend.example";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600_000;

async function open() {
  const service = createTestService();
  const account = await service.signUp("ada");
  const { as } = account;
  const inbox_id = account.inbox.id;
  const receive = (more: Partial<MailParts> = {}, facts?: ReturnType<typeof forgedFrom>) =>
    service.receive({ from: `Bo <${BO}>`, to: account.inbox.email, text: "Hi.", ...more }, facts);
  /** What the minute's sweep and its job do. */
  const count = async (ms = 2 * MINUTE_MS) => {
    await service.clock.advance(ms);
    await service.letterslot.sweep();
    await service.work();
  };
  const held = async (id = inbox_id) => {
    const { api_key } = await as.keys.createForInbox({ inbox_id: id, name: "held" });
    return service.letterslot.as(await service.letterslot.authenticate(api_key, null));
  };
  const idOf = async (mail: ReturnType<typeof receive>) => (await mail).results[0]?.message_id ?? "";
  return { service, account, as, inbox_id, receive, count, held, idOf };
}

describe("a contact", () => {
  test("says what mail says of an address, a minute behind", async () => {
    const { service, as, inbox_id, receive, count } = await open();
    const start = service.clock.now().toISOString();
    await receive();
    await receive({ from: `Not Bo <${BO}>` }, forgedFrom("friend.example"));
    await service.clock.advance(1000);
    const sent = await as.messages.send({ inbox_id, to: [BO], text: "Hello." });
    await count(30_000);
    await expect(as.contacts.get({ address: BO })).rejects.toMatchObject({ code: "contact_not_found" });
    await count();
    const contact = await as.contacts.get({ address: "Bo@Friend.example" });
    expect(contact).toEqual({
      ...{ object: "contact", address: BO, names: ["Bo"], first_seen_at: start },
      ...{ last_in_at: start, last_out_at: sent.created_at, in: 2, out: 1, auth: { pass: 1, fail: 1 } },
      ...{ last_thread_id: sent.thread_id, listed: [], suppressed: false, own: false, known: false },
      ...{ metadata: {}, as_of: sent.created_at },
    });
    await count();
    expect(await as.contacts.get({ address: BO })).toEqual(contact);
    expect((await as.contacts.list({})).data).toEqual([contact]);
  });

  test("is known as the gate sees it: a week after mail left to it, unless a stranger named it before", async () => {
    const { service, as, inbox_id, receive, count } = await open();
    await as.inboxes.update({ inbox_id, outbound: { untrusted: "observe" } });
    await receive({ from: "eve@evil.example", text: "Write to carl@evil.example." });
    await service.clock.advance(1000);
    for (const to of [BO, "carl@evil.example"])
      await as.messages.send({ inbox_id, to: [to], text: "Hello." });
    await service.work();
    await count();
    const knownNow = async () =>
      (await as.contacts.list({})).data.map(({ address, known }) => [address, known]);
    const names = [BO, "carl@evil.example", "eve@evil.example"];
    expect(await knownNow()).toEqual(names.map((name) => [name, false]));
    await service.clock.advance(8 * DAY_MS);
    expect(await knownNow()).toEqual(names.map((name) => [name, name === BO]));
  });

  test("tells of lists, suppressions and people in charge", async () => {
    const { service, account, as, inbox_id, receive, count } = await open();
    await service.addOwner(account, "olga@owner.example");
    const other = await as.inboxes.create({ username: "other" });
    for (const from of [BO, "olga@owner.example", "eve@evil.example"]) await receive({ from });
    await as.messages.send({ inbox_id, to: [other.email], text: "Hello." });
    await count();
    await as.lists.create({ direction: "send", type: "block", entry: "evil.example" });
    await as.lists.createForInbox({ inbox_id, direction: "receive", type: "allow", entry: BO });
    await as.allowlist.create({ inbox_id, address: BO });
    await as.suppressions.create({ address: BO });
    const told = (await as.contacts.list({ inbox_id })).data.map(({ address, listed, suppressed, own }) => [
      ...[address, listed, suppressed, own],
    ]);
    expect(told).toEqual([
      [BO, ["tasks", "receive:allow"], true, false],
      ["eve@evil.example", ["send:block"], false, false],
      ["olga@owner.example", [], false, true],
      [other.email, [], false, true],
    ]);
  });

  test("is never the inbox itself, nor the service that writes letters", async () => {
    const { service, account, as, inbox_id, count } = await open();
    await service.addOwner(account, "olga@owner.example");
    await as.messages.send({ inbox_id, to: [account.inbox.email], text: "Note to self." });
    await service.work();
    await count(8 * DAY_MS);
    await count();
    expect((await as.contacts.list({})).data).toEqual([]);
  });
});

describe("contacts", () => {
  test("are listed in pages, in the order of their addresses, each once", async () => {
    const { as, receive, count } = await open();
    const other = await as.inboxes.create({ username: "other" });
    for (const name of ["dee", "bo", "al", "cy"])
      for (const to of ["ada@letterslot.localhost", other.email])
        await receive({ from: `${name}@friend.example`, to });
    await count();
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await as.contacts.list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.data.map(({ address, in: came }) => `${address} ${came}`));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual([
      ["al@friend.example 2", "bo@friend.example 2", "cy@friend.example 2"],
      ["dee@friend.example 2"],
    ]);
    const { next_cursor } = await as.contacts.list({ limit: 1 });
    await expect(as.contacts.list({ q: "bo", cursor: next_cursor ?? "" })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("count a mail as authenticated once a better copy of it has come", async () => {
    const { as, receive, count } = await open();
    const date = "Thu, 01 Jan 2026 00:00:00 +0000";
    const copy = { message_id: "<one@friend.example>", date };
    await receive(copy, forgedFrom("friend.example"));
    await count();
    expect(await as.contacts.get({ address: BO })).toMatchObject({ names: [], auth: { pass: 0, fail: 1 } });
    await receive(copy);
    await count();
    const proven = { in: 1, names: ["Bo"], auth: { pass: 1, fail: 0 } };
    expect(await as.contacts.get({ address: BO })).toMatchObject(proven);
    // One that comes before the mail is counted changes nothing of what is counted.
    const early = { message_id: "<two@friend.example>", date, subject: "Early" };
    await receive(early, forgedFrom("friend.example"));
    await receive(early);
    await count();
    expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 2, auth: { pass: 2, fail: 0 } });
  });

  test("are found by a part of the address or of a name", async () => {
    const { as, receive, count } = await open();
    await receive();
    await receive({ from: "Zoë Ångström <z@other.example>" });
    await count();
    const found = async (q: string) => (await as.contacts.list({ q })).data.map(({ address }) => address);
    expect(await found("FRIEND.ex")).toEqual([BO]);
    expect(await found("angstrom")).toEqual(["z@other.example"]);
    expect(await found("example")).toHaveLength(2);
    expect(await found("nobody")).toEqual([]);
  });

  test("of a key that is held to an inbox are what its mail says alone, with metadata of its own", async () => {
    const { as, inbox_id, receive, count, held } = await open();
    const other = await as.inboxes.create({ username: "other" });
    await receive();
    await receive({ to: other.email, from: "Bobby <bo@friend.example>" });
    await receive({ to: other.email, from: "eve@evil.example" });
    await count();
    const mine = await held();
    expect((await mine.contacts.list({})).data).toMatchObject([{ address: BO, in: 1, names: ["Bo"] }]);
    expect((await as.contacts.list({})).data).toMatchObject([{ address: BO, in: 2 }, { in: 1 }]);
    await expect(mine.contacts.get({ address: "eve@evil.example" })).rejects.toMatchObject({
      code: "contact_not_found",
    });
    await expect(mine.contacts.get({ address: BO, inbox_id: other.id })).rejects.toMatchObject({
      code: expect.stringMatching(/inbox_not_found|contact_not_found/),
    });
    await expect(
      mine.contacts.update({ address: "eve@evil.example", metadata: { a: 1 } }),
    ).rejects.toMatchObject({ code: "contact_not_found" });
    await as.contacts.update({ address: BO, metadata: { vip: true, crm_id: "c-17" } });
    expect((await mine.contacts.update({ address: BO, metadata: { mine: 1 } })).metadata).toEqual({
      mine: 1,
    });
    const changed = await as.contacts.update({ address: BO, metadata: { vip: null, more: "x" } });
    expect(changed).toMatchObject({ address: BO, in: 2, metadata: { crm_id: "c-17", more: "x" } });
    expect((await as.contacts.get({ address: BO, inbox_id })).metadata).toEqual({ mine: 1 });
  });

  test("forget what is deleted for good, and not what is in the trash", async () => {
    const { service, as, inbox_id, receive, count, idOf } = await open();
    const first = await idOf(receive());
    const second = await idOf(receive({ subject: "Another" }));
    const soon = await idOf(receive({ subject: "Soon in the trash", from: "cy@friend.example" }));
    await as.messages.delete({ inbox_id, message_id: soon });
    await count();
    const counts = async () => (await as.contacts.list({})).data.map((each) => [each.address, each.in]);
    expect(await counts()).toEqual([
      [BO, 2],
      ["cy@friend.example", 1],
    ]);
    await as.messages.delete({ inbox_id, message_id: first });
    await as.messages.restore({ inbox_id, message_id: soon });
    await count();
    expect(await counts()).toEqual([
      [BO, 2],
      ["cy@friend.example", 1],
    ]);
    await as.messages.delete({ inbox_id, message_id: first, permanent: true });
    await as.messages.delete({ inbox_id, message_id: soon, permanent: true });
    expect(await counts()).toEqual([[BO, 1]]);
    await as.messages.delete({ inbox_id, message_id: second });
    await service.clock.advance(40 * DAY_MS);
    await count();
    expect(await counts()).toEqual([]);
    const early = await idOf(receive({ subject: "Gone before it is counted" }));
    await as.messages.delete({ inbox_id, message_id: early, permanent: true });
    await count();
    expect(await counts()).toEqual([]);
  });

  test("leave nothing of what was noted of them", async () => {
    const { service, as, inbox_id, receive, count, idOf } = await open();
    const other = await as.inboxes.create({ username: "other" });
    const here = await idOf(receive());
    const there = await idOf(receive({ to: other.email, subject: "There" }));
    await count();
    await as.contacts.update({ address: BO, metadata: { tier: "gold" } });
    await as.contacts.update({ address: BO, inbox_id, metadata: { tier: "here" } });
    const { storage } = service.letterslot.services;
    const noted = async () =>
      (await storage.find("contact_metadata", { where: {}, limit: 9 })).map(
        ({ metadata }) => metadata["tier"],
      );
    await as.messages.delete({ inbox_id, message_id: here, permanent: true });
    expect(await noted()).toEqual(["gold"]);
    await as.messages.delete({ inbox_id: other.id, message_id: there, permanent: true });
    expect(await noted()).toEqual([]);
  });

  test("keep what was noted of them while mail of theirs isn't counted yet", async () => {
    const { service, account, as, inbox_id, receive, count, idOf } = await open();
    const other = await as.inboxes.create({ username: "other" });
    const { storage } = service.letterslot.services;
    const noted = async () =>
      (await storage.find("contact_metadata", { where: {}, limit: 9 })).map(
        ({ metadata }) => metadata["tier"],
      );
    const first = await idOf(receive());
    await count();
    await as.contacts.update({ address: BO, metadata: { tier: "gold" } });
    await as.contacts.update({ address: BO, inbox_id, metadata: { tier: "here" } });
    // New mail of the address, which came to another inbox: nothing here is in doubt.
    const second = await idOf(receive({ to: other.email, subject: "There" }));
    await as.messages.delete({ inbox_id, message_id: first, permanent: true });
    expect(await noted()).toEqual(["gold"]);
    await count();
    expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 1, metadata: { tier: "gold" } });
    // An inbox that is being counted anew may have mail of anybody.
    await countImported(service.letterslot.services, account.account_id);
    await as.messages.delete({ inbox_id: other.id, message_id: second, permanent: true });
    expect(await noted()).toEqual(["gold"]);
  });

  test("go with their inbox, and aren't shown while it is in the trash", async () => {
    const { service, as, inbox_id, receive, count } = await open();
    const other = await as.inboxes.create({ username: "other" });
    await receive({ to: other.email });
    await receive();
    await count();
    await as.contacts.update({ address: BO, inbox_id: other.id, metadata: { a: 1 } });
    await as.inboxes.delete({ inbox_id: other.id });
    expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 1 });
    await as.inboxes.restore({ inbox_id: other.id });
    expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 2 });
    await as.inboxes.delete({ inbox_id: other.id, permanent: true });
    await service.work();
    const { storage } = service.letterslot.services;
    for (const table of ["contacts", "contact_cursors"] as const)
      expect(await storage.find(table, { where: { inbox_id: other.id }, limit: 9 })).toEqual([]);
    expect(await storage.find("contact_metadata", { where: { inbox_id: other.id }, limit: 9 })).toEqual([]);
    expect(await storage.find("contacts", { where: { inbox_id }, limit: 9 })).toHaveLength(1);
  });
});

test("an account that moved counts its mail anew, and keeps what was noted of a contact", async () => {
  const { service, account, as, inbox_id, receive, count } = await open();
  await receive();
  await receive({ from: "cy@other.example" });
  await as.messages.send({ inbox_id, to: [BO], text: "Hello." });
  await count();
  await as.contacts.update({ address: BO, metadata: { tier: "gold" } });
  const { there, as: moved } = await moveAccount(service, account.account_id);
  await twoSweeps(there);
  const listed = (await moved.contacts.list({})).data;
  expect(listed.map(({ address, in: came, out, metadata }) => ({ address, came, out, metadata }))).toEqual([
    { address: BO, came: 1, out: 1, metadata: { tier: "gold" } },
    { address: "cy@other.example", came: 1, out: 0, metadata: {} },
  ]);
});

async function twoSweeps(there: ReturnType<typeof createTestService>) {
  for (let minute = 0; minute < 2; minute++) {
    await there.clock.advance(2 * MINUTE_MS);
    await there.letterslot.sweep();
    await there.work();
  }
}

test("what the second half of an import brings in is counted, though newer mail was counted before", async () => {
  const { service, account, as, inbox_id, receive, count, idOf } = await open();
  const message_id = await idOf(receive({ from: "cy@other.example" }));
  await receive();
  await as.messages.delete({ inbox_id, message_id });
  await count();
  const { there, as: moved } = await moveAccount(service, account.account_id, twoSweeps);
  const cursors = { where: { inbox_id }, limit: 1 };
  expect(await there.letterslot.services.storage.find("contact_cursors", cursors)).toHaveLength(1);
  await twoSweeps(there);
  const listed = (await moved.contacts.list({})).data;
  expect(listed.map(({ address, in: came }) => [address, came])).toEqual([
    [BO, 1],
    ["cy@other.example", 1],
  ]);
});

test("counting anew goes on where it was killed", async () => {
  const { service, account, as, receive, count } = await open();
  const { services } = service.letterslot;
  const { storage } = services;
  for (let mail = 0; mail < 60; mail++) await receive({ subject: `Mail ${mail}` });
  await count();
  await countImported(services, account.account_id);
  const [found] = await storage.find("jobs", { where: { subject_id: account.account_id }, limit: 1 });
  const id = found?.id ?? "";
  const run = async (how: Partial<typeof services>) => {
    const [job] = await storage.update("jobs", { id }, { lease: "here" });
    if (job === undefined) throw new Error("the job has ended");
    await countContacts({ ...services, ...how }, job);
  };
  const yieldToEventLoop = () => Promise.reject(new Error("killed"));
  await expect(run({ yieldToEventLoop })).rejects.toThrow("killed");
  expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 50 });
  // What was counted before the kill isn't counted again: a mark on it stays.
  await storage.update("contacts", { inbox_id: account.inbox.id }, { names: ["Mark"] });
  await run({});
  expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 60, names: ["Bo", "Mark"] });
  expect(await storage.get("jobs", id)).toBeUndefined();
});

test("mail is counted that was in the trash before any other came", async () => {
  const { as, inbox_id, receive, count, idOf } = await open();
  const message_id = await idOf(receive());
  await as.messages.delete({ inbox_id, message_id });
  await count();
  expect(await as.contacts.get({ address: BO })).toMatchObject({ in: 1 });
});

test("an inbound mail writes nothing for contacts, and an idle minute neither", async () => {
  const { service, receive, count } = await open();
  const { storage } = service.letterslot.services;
  await receive();
  expect(await storage.count("contacts", {}, 9)).toBe(0);
  await count();
  const job = await storage.get("jobs", "job_contacts");
  await count();
  expect(await storage.get("jobs", "job_contacts")).toEqual(job);
  await service.clock.advance(2 * DAY_MS);
  await service.work();
  expect((await storage.get("jobs", "job_contacts"))?.payload).toEqual(job?.payload);
});
