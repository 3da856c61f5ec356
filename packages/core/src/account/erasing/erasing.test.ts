import { beforeEach, describe, expect, test } from "vitest";
import { furnish } from "../../../../../test/support/furnished-account.ts";
import { createMortalStorage } from "../../../../../test/support/mortal-storage.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { createTestStorage } from "../../../testing/test-storage.ts";
import { takeFromPlan } from "../../limits/plans/index.ts";
import { tablesOfAccount } from "../../model/belonging.ts";
import { type TableName, tables } from "../../model/tables.ts";
import { scanTable } from "../transfer/scan.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const day = 24 * 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const code = (name: string) => expect.objectContaining({ code: name });
const storage = () => service.letterslot.services.storage;
const asOwner = (email: string, account_id = account.account_id) =>
  service.letterslot.asOwner({ email, account_id });

/** The person as the account's first owner, who has taken charge. */
async function takeCharge(of: TestAccount = account, email = grace) {
  await service.addOwner(of, email);
  const owner = asOwner(email, of.account_id);
  await owner.authority.create({ account_id: of.account_id });
  return owner;
}

/** Works, sweeps and waits for a day, after which nothing of a deleted account is left. */
async function aDayLater() {
  for (let hour = 0; hour < 24; hour++) {
    await service.work();
    await service.clock.advance(3600_000);
    await service.letterslot.sweep();
  }
  await service.work();
}

/** The tables that have a record with one of these texts, and the records. */
async function recordsWith(texts: readonly string[]) {
  const found = new Map<TableName, string[]>();
  for (const table of Object.keys(tables) as TableName[])
    for await (const batch of scanTable(storage(), table))
      for (const record of batch.map((each) => JSON.stringify(each)))
        if (texts.some((text) => record.includes(text)))
          found.set(table, [...(found.get(table) ?? []), record]);
  return found;
}

/** The hashes of the blobs that something uses. */
async function usedBlobs(): Promise<Set<string>> {
  const hashes = new Set<string>();
  for await (const batch of scanTable(storage(), "blob_uses"))
    for (const { hash } of batch) hashes.add(hash as string);
  return hashes;
}

describe("who may delete an account", () => {
  test("an account owner, at once: no key works any more, and the answer says what is left", async () => {
    const owner = await takeCharge();
    const deleted = await owner.account.delete({});
    expect(deleted).toEqual({
      id: account.account_id,
      object: "account",
      deleted: true,
      keys_revoked: 1,
      erased_by: new Date(service.clock.now().getTime() + day).toISOString(),
      kept: ["addresses"],
    });
    await expect(service.letterslot.authenticate(account.api_key, null)).rejects.toThrow(
      code("api_key_revoked"),
    );
    await expect(owner.inboxes.list({})).rejects.toThrow(code("account_not_found"));
    await service.work();
    await expect(service.letterslot.authenticate(account.api_key, null)).rejects.toThrow(
      code("invalid_api_key"),
    );
  });

  test("a key with full access asks, and the account owner's decision deletes it", async () => {
    const owner = await takeCharge();
    const asked = await account.as.account.delete({});
    if (asked.object !== "approval") throw new Error("it was not asked");
    expect(asked).toMatchObject({
      subject_type: "account_delete",
      subject_id: account.account_id,
      status: "pending",
    });
    expect(asked.summary).toContain(`the whole account of ${account.inbox.email}, with`);
    expect(asked.summary).not.toContain(account.account_id);
    expect(await account.as.account.delete({})).toEqual(asked);
    // It is the same request, whichever inboxes there are by then: a "no" to it counts.
    await account.as.inboxes.create({ username: "another" });
    expect(await account.as.account.delete({})).toEqual(asked);
    await service.work();
    expect(service.transport.sent.at(-1)?.envelope.rcpt_to).toEqual([grace]);
    expect((await account.as.me.get({})).account_id).toBe(account.account_id);

    const { approval } = await owner.approvals.content({ approval_id: asked.id });
    await owner.approvals.decideInSession({
      approval_id: asked.id,
      decision: "approve",
      digest: approval.digest,
    });
    await expect(service.letterslot.authenticate(account.api_key, null)).rejects.toThrow(
      code("api_key_revoked"),
    );
    await service.work();
    expect(await storage().get("accounts", account.account_id)).toBeUndefined();
  });

  test("rejected, it stays as it is", async () => {
    const owner = await takeCharge();
    const asked = await account.as.account.delete({});
    if (asked.object !== "approval") throw new Error("it was not asked");
    const { digest } = asked;
    await owner.approvals.decideInSession({ approval_id: asked.id, decision: "reject", digest });
    await service.work();
    expect((await account.as.inboxes.list({})).data).toHaveLength(1);
  });

  test("the first address that was verified decides while nobody has charge", async () => {
    await service.addOwner(account, grace);
    const asked = await account.as.account.delete({});
    if (asked.object !== "approval") throw new Error("it was not asked");
    await asOwner(grace).approvals.decideInSession({
      approval_id: asked.id,
      decision: "approve",
      digest: asked.digest,
    });
    await aDayLater();
    expect(await recordsWith([account.account_id])).toEqual(new Map([["addresses", expect.anything()]]));
  });

  test("nobody else: not an owner of an inbox, whom it isn't even shown to", async () => {
    await takeCharge();
    await service.addOwner(account, heidi);
    const { authority } = service.letterslot.operator.accounts;
    await authority.give({ account_id: account.account_id, email: heidi, inbox_id: account.inbox.id });
    await expect(asOwner(heidi).account.delete({})).rejects.toThrow(code("permission_denied"));
    const asked = await account.as.account.delete({});
    if (asked.object !== "approval") throw new Error("it was not asked");
    const decision = { approval_id: asked.id, decision: "approve" as const, digest: asked.digest };
    await expect(asOwner(heidi).approvals.decideInSession(decision)).rejects.toThrow(
      code("approval_not_found"),
    );
  });

  test.each([
    ["a key with some permissions", { permissions: ["inbox_delete" as const] }],
    ["a key that is limited to an inbox", { inbox: true }],
  ])("%s is refused", async (_, { inbox, ...terms }: { inbox?: boolean; permissions?: "inbox_delete"[] }) => {
    await takeCharge();
    const { api_key } = await account.as.keys.create({
      ...terms,
      ...(inbox === true ? { inbox_id: account.inbox.id } : {}),
    });
    const caller = await service.letterslot.authenticate(api_key, null);
    await expect(service.letterslot.as(caller).account.delete({})).rejects.toThrow(code("permission_denied"));
  });

  test("a key of an account without an owner, or without an inbox to ask from, is told so", async () => {
    await expect(account.as.account.delete({})).rejects.toThrow(code("owner_required"));
    await takeCharge();
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await expect(account.as.account.delete({})).rejects.toThrow(code("owner_required"));
    expect(await asOwner(grace).account.delete({})).toMatchObject({ deleted: true });
  });

  test("the operator, once", async () => {
    const { accounts } = service.letterslot.operator;
    expect(await accounts.delete(account.account_id)).toMatchObject({ keys_revoked: 1 });
    expect(await accounts.show(account.account_id)).toMatchObject({ deleted_at: expect.any(String) });
    for (const id of [account.account_id, "acct_nobody"])
      await expect(accounts.delete(id)).rejects.toThrow(code("account_not_found"));
    await service.work();
    await expect(accounts.show(account.account_id)).rejects.toThrow(code("account_not_found"));
  });
});

describe("a deleted account", () => {
  test("leaves in no table and no blob anything but its addresses", async () => {
    const eve = await furnish(service, "eve");
    const ofEve = await recordsWith([eve.account_id]);
    const ada = await furnish(service, "ada");
    const blobs = await usedBlobs();
    await service.letterslot.operator.accounts.delete(ada.account_id);
    await service.work();
    const still = await usedBlobs();
    await aDayLater();

    const ids = Object.entries(ada).flatMap(([name, id]) => (name.endsWith("_id") ? [id as string] : []));
    const left = await recordsWith([...ids, "ada-"]);
    expect([...left.keys()].filter((table) => !KEPT_FOR_SAFETY.includes(table))).toEqual(["addresses"]);
    for (const address of left.get("addresses") ?? [])
      expect(JSON.parse(address)).toMatchObject({ inbox_id: null });
    for (const sighting of left.get("seen_signatures") ?? [])
      expect(Object.keys(JSON.parse(sighting) as object).toSorted()).toEqual([
        "expires_at",
        "hash",
        "named",
        "place",
      ]);
    const erased = [...blobs].filter((hash) => !still.has(hash));
    expect(erased.length).toBeGreaterThanOrEqual(5);
    for (const hash of erased) expect(await service.letterslot.services.blobs.get(hash)).toBeUndefined();
    for (const hash of await usedBlobs())
      expect(await service.letterslot.services.blobs.get(hash)).toBeDefined();
    const leftOfEve = await recordsWith([eve.account_id]);
    // A lease of hers ended with the time of its task's claim.
    const withoutLeases = (records: string[] = []) =>
      records.map((record) =>
        record.replaceAll(/"(?:claimed_until|claim_token|assignee)":(?:null|"[^"]*")/g, ""),
      );
    for (const table of LASTING)
      expect([table, withoutLeases(leftOfEve.get(table))]).toEqual([table, withoutLeases(ofEve.get(table))]);
  });

  test("is taken charge of by nobody, not by the first address that was verified in it", async () => {
    await service.addOwner(account, grace);
    const { account_id } = account;
    await service.letterslot.operator.accounts.delete(account_id);
    await expect(asOwner(grace).authority.create({ account_id })).rejects.toThrow(code("owner_required"));
    const { authority } = service.letterslot.operator.accounts;
    await expect(authority.give({ account_id, email: heidi })).rejects.toThrow(code("account_not_found"));
  });

  test("has no room for what a call in progress makes", async () => {
    const { operator, services } = service.letterslot;
    await operator.accounts.delete(account.account_id);
    for (const resource of ["inboxes", "workspaces"] as const)
      await expect(
        storage().transaction((tx) =>
          takeFromPlan(services, tx, account.account_id, resource, 1, service.clock.now()),
        ),
      ).rejects.toThrow(code("account_deleted"));
  });

  test("gives its addresses to nobody", async () => {
    await service.letterslot.operator.accounts.delete(account.account_id);
    await aDayLater();
    const eve = await service.signUp("eve");
    await expect(eve.as.inboxes.create({ username: "agent" })).rejects.toThrow(code("username_taken"));
  });

  test("takes its workspaces along, those that were deleted before among them", async () => {
    const owner = await takeCharge();
    const gone = await account.as.workspaces.create({ name: "Gone", inbox_quota: 1 });
    await account.as.workspaces.delete({ workspace_id: gone.id });
    const open = await account.as.workspaces.create({ name: "Open", inbox_quota: 2 });
    const as = service.letterslot.as(await service.letterslot.authenticate(open.api_key ?? "", null));
    const room = await as.inboxes.create({ username: "room" });
    await service.receive({ from: "ada@sender.example", to: room.email, text: "Hello" });
    await service.work();
    await owner.account.delete({});
    await expect(as.inboxes.list({})).rejects.toThrow(code("account_deleted"));
    await aDayLater();
    for (const { account_id } of [gone, open])
      expect([...(await recordsWith([account_id])).keys()]).toEqual(
        account_id === open.account_id ? ["addresses"] : [],
      );
  });

  test("that is a workspace's gives its place and its bytes back", async () => {
    const owner = await takeCharge();
    const open = await account.as.workspaces.create({ name: "Open", inbox_quota: 2 });
    const as = service.letterslot.as(await service.letterslot.authenticate(open.api_key ?? "", null));
    const room = await as.inboxes.create({ username: "room" });
    await service.receive({ from: "ada@sender.example", to: room.email, text: "Hello" });
    const there = service.letterslot.asOwner({ email: grace, account_id: open.account_id });
    expect(await there.account.delete({})).toMatchObject({ id: open.account_id });
    await expect(owner.workspaces.get({ workspace_id: open.id })).rejects.toThrow(
      code("workspace_not_found"),
    );
    await aDayLater();
    expect(await storage().get("accounts", account.account_id)).toMatchObject({ sub_account_bytes: 0 });
    const { usage } = await service.letterslot.operator.accounts.show(account.account_id);
    expect(usage).toMatchObject({ inboxes: { used: 1 }, workspaces: { used: 0 } });
  });

  test("gets no mail, and no more letters", async () => {
    await takeCharge();
    await service.letterslot.operator.accounts.delete(account.account_id);
    const mail = { from: "ada@sender.example", to: account.inbox.email, text: "Hello" };
    expect((await service.receive(mail)).results).toMatchObject([{ outcome: "deferred" }]);
    await service.work();
    const sent = service.transport.sent.length;
    expect((await service.receive(mail)).results).toMatchObject([{ outcome: "refused" }]);
    await aDayLater();
    expect(service.transport.sent).toHaveLength(sent);
  });
});

/** Tables in which time alone changes nothing. */
const LASTING = [
  "inboxes",
  "messages",
  "threads",
  "drafts",
  "owners",
  "list_entries",
  "oauth_grants",
] as const;

/** Hashes of signatures, by which a mail that was sent to it can't act elsewhere; they end after 90 days. */
const KEPT_FOR_SAFETY: readonly TableName[] = ["seen_signatures"];

test("every table of an account is erased by it, or goes with what is named here", () => {
  const found = tablesOfAccount().map(({ table }) => table);
  const others = (Object.keys(tables) as TableName[]).filter(
    (table) => tables[table].of === "account_id" && !found.includes(table),
  );
  // A workspace goes with the deletion of its sub-account, entries with their list.
  expect(others.filter((table) => table !== "addresses")).toEqual(["workspaces", "list_entries"]);
});

describe("at the same time", () => {
  test("of two who delete it, one does", async () => {
    const owner = await takeCharge();
    const { operator } = service.letterslot;
    const both = await Promise.allSettled([
      owner.account.delete({}),
      operator.accounts.delete(account.account_id),
      owner.account.delete({}),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await storage().count("jobs", { kind: "account.erase" }, 10)).toBe(1);
  });

  test("inboxes, workspaces, keys and mail that come in between are refused or erased", async () => {
    const owner = await takeCharge();
    const { operator } = service.letterslot;
    await Promise.allSettled([
      ...Array.from({ length: 4 }, () => account.as.inboxes.create({})),
      ...Array.from({ length: 4 }, () => account.as.workspaces.create({ name: "Late", inbox_quota: 1 })),
      operator.accounts.delete(account.account_id),
      ...Array.from({ length: 4 }, () => owner.inboxes.create({})),
      ...Array.from({ length: 4 }, () => account.as.keys.create({})),
      ...Array.from({ length: 4 }, (_, n) =>
        service.receive({ from: "ada@sender.example", to: account.inbox.email, text: `Hello ${n}` }),
      ),
      service.work(),
    ]);
    await aDayLater();
    expect([...(await recordsWith([account.account_id])).keys()]).toEqual(["addresses"]);
  });
});

describe("a worker that dies while it erases an account", () => {
  test("at any call to the storage, is followed by one that goes on", { timeout: 240_000 }, async () => {
    const mortal = createMortalStorage(createTestStorage().storage);
    const dying = createTestService({ storage: mortal.storage });
    const { operator, services } = dying.letterslot;
    const other = await dying.signUp("other");
    let deaths = 0;
    for (let call = 1, done = false; !done; call += 7) {
      const one = await dying.signUp(`agent${call}`);
      const workspace = await one.as.workspaces.create({ name: "Room", inbox_quota: 1 });
      await one.as.inboxes.create({});
      await one.as.webhooks.create({ url: "https://receiver.example/hook" });
      await dying.receive({ from: "ada@sender.example", to: one.inbox.email, text: "Hello" });
      await dying.work();
      await operator.accounts.delete(one.account_id);
      mortal.dieBefore(call);
      // It fails in whatever way a call to a storage that is gone does.
      await dying.work().catch(() => {});
      done = !mortal.revive();
      if (!done) deaths++;
      // Two hours later every lease has run out, and the last look is over.
      for (let tries = 0; tries < 2; tries++) {
        await dying.clock.advance(2 * 3600_000);
        await dying.work();
      }
      for (const id of [one.account_id, workspace.account_id])
        for (const table of Object.keys(tables) as TableName[])
          for await (const batch of scanTable(services.storage, table))
            for (const record of batch)
              if (table !== "addresses" && JSON.stringify(record).includes(id))
                throw new Error(`dead before call ${call}, ${table} is left: ${JSON.stringify(record)}`);
    }
    expect(deaths).toBeGreaterThan(10);
    expect((await other.as.inboxes.list({})).data).toHaveLength(1);
  });
});
