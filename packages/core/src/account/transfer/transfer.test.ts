import { describe, expect, test } from "vitest";
import { dkimKeyInTurn } from "../../../testing/dkim-keys.ts";
import {
  createManualClock,
  createMemoryBlobs,
  createMemoryStorage,
  createTestService,
  provenDomain,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { customDomain, signingKey } from "../../kernel/addresses/custom-domains.ts";
import { publicKeyHash } from "../../kernel/addresses/known-keys.ts";
import { columnsOf, type TableName, tables } from "../../model/tables.ts";
import type { Storage } from "../../ports/storage.ts";
import { type Store, type TransferProgress, transferStore } from "./transfer.ts";

const emptyStore = (): Store => ({
  storage: createMemoryStorage(),
  blobs: createMemoryBlobs(createManualClock()),
});
const storeOf = ({ letterslot }: TestService): Store => letterslot.services;

/** A service with more records of all kinds than one batch holds. */
async function lived() {
  const service = createTestService();
  const account = await service.signUp("ada", "boss@example.com");
  await service.work();
  await account.as.webhooks.create({
    url: "https://receiver.example.com/",
    headers: { Authorization: "Bearer hidden" },
  });
  const { email: to } = account.inbox;
  const numbers = Array.from({ length: 120 }, (_, number) => number);
  const from = "eve@sender.example";
  await Promise.all(
    numbers.map((number) =>
      service.receive({ from, to, subject: `Rechnung ${number}`, text: `Betrag ${number}` }),
    ),
  );
  await account.as.messages.send({
    inbox_id: account.inbox.id,
    to: ["eve@sender.example"],
    text: "See there.",
    attachments: [{ filename: "a.txt", content_base64: Buffer.from("Grüße").toString("base64") }],
  });
  await account.as.consumers.create({ client_id: "mine" });
  await provenDomain(service.letterslot.services, account.account_id, {
    domain: "agents.example.com",
    private_key: await dkimKeyInTurn(),
  });
  await account.as.inboxes.create({ username: "ada", domain: "agents.example.com" });
  await service.work();
  const other = await service.signUp("other");
  await service.receive({ from: "eve@sender.example", to: other.inbox.email, subject: "Not yours" });
  return { service, account, other };
}

/** The key of a domain is remembered as one of the service's. */
async function expectKnown({ storage }: Store, name: string) {
  const domain = await customDomain(storage, name);
  const hash = publicKeyHash(domain?.dkim_public_key ?? "");
  expect(await storage.get("known_keys", hash)).toEqual({ hash });
}

/** The same account on a service with another store. */
async function on(store: Store, account: TestAccount) {
  const service = createTestService({ storage: store.storage, blobs: store.blobs });
  const caller = await service.letterslot.authenticate(account.api_key, null);
  return { service, as: service.letterslot.as(caller) };
}

describe("a transfer of everything", () => {
  test("results in a service with the same data and behaviour", async () => {
    const { service, account } = await lived();
    const to = emptyStore();
    const report = await transferStore(storeOf(service), to);
    expect(report).toMatchObject({ different: [], missing_blobs: [] });
    expect(report.tables.map(({ table }) => table)).toEqual(Object.keys(tables));
    expect(report.tables.find(({ table }) => table === "messages")?.source.records).toBeGreaterThan(
      LIMITS.list_default,
    );
    expect(report.blobs).toBeGreaterThan(120);

    const moved = await on(to, account);
    const inbox_id = account.inbox.id;
    const list = { inbox_id, limit: 200 };
    expect(await moved.as.messages.list(list)).toEqual(await account.as.messages.list(list));
    expect((await moved.as.search.messages({ q: "rechnung betrag 77" })).data).toHaveLength(1);
    const [newest] = (await moved.as.messages.list({ inbox_id, limit: 1 })).data;
    const message_id = newest?.id ?? "";
    expect(await moved.as.messages.raw({ inbox_id, message_id })).toEqual(
      await account.as.messages.raw({ inbox_id, message_id }),
    );

    const own = await customDomain(to.storage, "agents.example.com");
    expect(own && signingKey(moved.service.letterslot.services, own)).toMatchObject({
      private_key: expect.stringContaining("PRIVATE KEY"),
    });
    await expectKnown(to, "agents.example.com");
    const mail = { from: "eve@sender.example", to: "ada@agents.example.com" };
    expect((await moved.service.receive(mail)).results).toMatchObject([{ outcome: "stored" }]);

    const { next_cursor: after } = await account.as.events.list({ after: "0", limit: 200 });
    await moved.service.receive({
      from: "eve@sender.example",
      to: account.inbox.email,
      subject: "After the move",
    });
    await moved.service.work();
    const events = (await moved.as.events.list({ after, limit: 200 })).data;
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map((_, index) => Number(after) + 1 + index),
    );
    expect(moved.service.receivers.posted.at(-1)?.headers).toMatchObject({ Authorization: "Bearer hidden" });
  });

  test("continues after an interruption, and copies what changed meanwhile", async () => {
    const { service, account } = await lived();
    const to = emptyStore();
    for (const breaks of [3, 5, 4]) {
      const broken = { ...to, storage: breakingAfter(to.storage, breaks) };
      await expect(transferStore(storeOf(service), broken)).rejects.toThrow("the machine stopped");
    }
    await account.as.inboxes.update({ inbox_id: account.inbox.id, display_name: "Ada, moved" });
    expect((await transferStore(storeOf(service), to)).different).toEqual([]);
    const moved = await on(to, account);
    expect(await moved.as.inboxes.get({ inbox_id: account.inbox.id })).toMatchObject({
      display_name: "Ada, moved",
    });
    expect((await moved.as.search.messages({ q: "rechnung betrag 3" })).data).toHaveLength(1);
    expect((await transferStore(storeOf(service), to)).different).toEqual([]);
  });

  test("reports different records and missing blobs", async () => {
    const { service, account } = await lived();
    const to = emptyStore();
    await to.storage.insert("counters", {
      name: "left over",
      count: 1,
      expires_at: "2027-01-01T00:00:00.000Z",
    });
    const [use] = await service.letterslot.services.storage.find("blob_uses", { where: {}, limit: 1 });
    const hash = use?.hash ?? "";
    await service.letterslot.services.blobs.delete(hash, new Date(service.clock.now().getTime() + 1));
    const report = await transferStore(storeOf(service), to);
    expect(report.different).toEqual(["counters"]);
    expect(report.missing_blobs).toEqual([hash]);
    expect((await (await on(to, account)).as.me.get({})).object).toBeDefined();
  });

  test("reports its progress", async () => {
    const { service } = await lived();
    const seen: TransferProgress[] = [];
    await transferStore(storeOf(service), emptyStore(), { progress: (now) => void seen.push(now) });
    expect(seen).toContainEqual({ step: "copying", what: "accounts", done: 2 });
    expect(seen.findLast(({ step, what }) => step === "copying" && what === "blobs")?.done).toBeGreaterThan(
      120,
    );
    expect(seen.some(({ step }) => step === "verifying")).toBe(true);
  });
});

describe("a transfer of one account", () => {
  test("copies the account and nothing of others, and leaves the destination's accounts unchanged", async () => {
    const { service, account, other } = await lived();
    const live = createTestService();
    const resident = await live.signUp("resident");
    await live.receive({ from: "eve@sender.example", to: resident.inbox.email, subject: "Mine" });
    const to = storeOf(live);
    const before = await resident.as.messages.list({ inbox_id: resident.inbox.id });

    const report = await transferStore(storeOf(service), to, { account_id: account.account_id });
    expect(report.different).toEqual([]);
    const moved = await on(to, account);
    expect((await moved.as.search.messages({ q: "rechnung betrag 77" })).data).toHaveLength(1);
    expect(await resident.as.messages.list({ inbox_id: resident.inbox.id })).toEqual(before);
    await expect(on(to, other)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await to.storage.get("inboxes", other.inbox.id)).toBeUndefined();
    await expectKnown(to, "agents.example.com");
    const again = await transferStore(storeOf(service), to, { account_id: account.account_id });
    expect(again).toEqual(report);
  });

  test("is refused if another account has its address", async () => {
    const { service, account } = await lived();
    const live = createTestService();
    await live.signUp("ada");
    await expect(
      transferStore(storeOf(service), storeOf(live), { account_id: account.account_id }),
    ).rejects.toThrow(
      "addresses can't be written: the destination may hold other records with the same keys",
    );
  });

  test.each(Object.keys(tables) as TableName[])("knows the account of the records of %s", (table) => {
    const { of } = tables[table];
    // Sessions and signatures that were seen belong to no account: they are made anew.
    const anew = ["sessions", "session_challenges", "recoveries", "remembered_browsers", "seen_signatures"];
    // Keys of the service itself move with the whole store alone.
    anew.push("oauth_clients", "oauth_records", "service_keys", "known_keys");
    // So do passkeys, which are a person's.
    anew.push("passkeys", "passkey_challenges");
    if (of === null) return expect(["accounts", "counters", "slots", ...anew]).toContain(table);
    expect(columnsOf(table).map(({ name }) => name)).toContain(of);
  });
});

/** The storage; fails after this many transactions. */
function breakingAfter(storage: Storage, transactions: number): Storage {
  let left = transactions;
  return {
    ...storage,
    transaction: (run) =>
      left-- > 0
        ? storage.transaction(run)
        : Promise.reject(fail("storage_unavailable", { message: "the machine stopped" })),
  };
}
