import { describe, expect, test } from "vitest";
import { createMemoryStorage, createTestService, forgedFrom } from "../../../testing/index.ts";
import type { Storage } from "../../ports/storage.ts";
import { acceptsRecipient } from "./destination.ts";

const AT = "2026-01-01T00:00:00.000Z";

/** A service whose storage's records aren't cached, as PostgreSQL's. */
function uncachedService() {
  const { version: _, ...storage } = createMemoryStorage();
  return createTestService({ storage: storage satisfies Storage });
}

async function withInbox() {
  const service = uncachedService();
  const account = await service.signUp();
  const { services } = service.letterslot;
  const to = account.inbox.email;
  const accept = () => acceptsRecipient(services, to);
  const send = async () => {
    const { results } = await service.receive({ from: "bo@sender.example", to, text: "Hello.\n" });
    return results[0];
  };
  return { service, account, storage: services.storage, to, accept, send };
}

describe("a mail whose recipient was accepted", () => {
  test("is stored", async () => {
    const { accept, send } = await withInbox();
    expect(await accept()).toBe("ok");
    expect(await send()).toMatchObject({ outcome: "stored" });
    expect(await send()).toMatchObject({ outcome: "stored" });
  });

  test.each([
    ["paused", { status: "paused" as const, paused_at: AT }, "dropped", "inbox_paused"],
    ["expired", { expires_at: "2020-01-01T00:00:00.000Z" }, "refused", "inbox_expired"],
    ["changed", { display_name: "Another" }, "stored", null],
  ])("counts as what its inbox is when it comes: %s", async (_, change, outcome, reason) => {
    const { accept, send, storage, account } = await withInbox();
    await accept();
    await storage.update("inboxes", { id: account.inbox.id }, change);
    expect(await send()).toMatchObject({ outcome, reason });
    expect(await send()).toMatchObject({ outcome, reason });
  });

  test("is refused once its address is gone, and stored where it is then", async () => {
    const { service, accept, send, storage, to } = await withInbox();
    await accept();
    await storage.update("addresses", { address: to }, { inbox_id: null });
    expect(await send()).toMatchObject({ outcome: "refused", reason: "unknown_recipient" });
    const other = await service.signUp("bea");
    await accept();
    await storage.update(
      "addresses",
      { address: to },
      { inbox_id: other.inbox.id, account_id: other.account_id },
    );
    expect(await send()).toMatchObject({ outcome: "stored" });
    const { data } = await other.as.messages.list({ inbox_id: other.inbox.id });
    expect(data).toHaveLength(1);
  });

  test("voids no code of its reader if it isn't received", async () => {
    const { service, account, accept, storage, to } = await withInbox();
    const grace = "grace@example.com";
    const inbox_id = account.inbox.id;
    const owner = await account.as.owners.create({ inbox_id, email: grace });
    await service.work();
    const code = service.codeFor(grace);
    await accept();
    await storage.update("accounts", { id: account.account_id }, { suspended_at: AT });
    const { results } = await service.receive({ from: grace, to, text: `The code is ${code}.` });
    expect(results).toMatchObject([{ outcome: "deferred" }]);
    await storage.update("accounts", { id: account.account_id }, { suspended_at: null });
    expect(await account.as.owners.confirmWithCode({ inbox_id, owner_id: owner.id, code })).toMatchObject({
      status: "verified",
    });
  });

  test("that can't be read is deferred all the same if its account is suspended by then", async () => {
    const { service, account, accept, storage, to } = await withInbox();
    await accept();
    await storage.update("accounts", { id: account.account_id }, { suspended_at: AT });
    const from = "bo@sender.example";
    const { results } = await service.receiveRaw(Buffer.from("\r\n"), to, from, forgedFrom("sender.example"));
    expect(results).toMatchObject([{ outcome: "deferred", reason: "account_suspended" }]);
  });

  test("of a suspended account is to come again", async () => {
    const { accept, send, storage, account } = await withInbox();
    await accept();
    await storage.update("accounts", { id: account.account_id }, { suspended_at: AT });
    expect(await send()).toMatchObject({ outcome: "deferred", reason: "account_suspended" });
  });
});
