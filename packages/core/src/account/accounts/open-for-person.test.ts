import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const grace = { email: "grace@example.com", session_id: null, ip: "203.0.113.9" };

let service: TestService;
beforeEach(() => {
  service = createTestService();
});

describe("an account that a person opens", () => {
  test("has one inbox and no key; they have charge of it, and own the inbox", async () => {
    const { letterslot } = service;
    const inbox = await letterslot.openAccountFor(grace, { username: "Ada" });
    expect(inbox).toMatchObject({ email: "ada@letterslot.localhost", send_mode: "direct" });
    const { account_id, id: inbox_id } = inbox;
    const as = letterslot.asOwner({ email: grace.email, account_id });
    expect((await as.authority.list({})).data).toMatchObject([
      { email: grace.email, inbox_id: null, given_by: grace.email },
    ]);
    expect((await as.owners.list({ inbox_id })).data).toMatchObject([
      { email: grace.email, status: "verified" },
    ]);
    expect((await as.keys.list({})).data).toEqual([]);
    expect(await letterslot.services.storage.get("accounts", account_id)).toMatchObject({
      claimed: true,
      first_owner_email: grace.email,
    });
    await service.work();
    expect(service.transport.sent).toEqual([]);
  });

  test("takes work from them by mail at once", async () => {
    const { email, account_id } = await service.letterslot.openAccountFor(grace, { username: "ada" });
    await service.receive({ from: grace.email, to: email, subject: "Book the hall", text: "For the 12th." });
    const as = service.letterslot.asOwner({ email: grace.email, account_id });
    expect((await as.tasks.list({})).data).toHaveLength(1);
  });

  test("needs a free name", async () => {
    await service.signUp("ada");
    const open = (username: string) => service.letterslot.openAccountFor(grace, { username });
    await expect(open("ada")).rejects.toMatchObject({ code: "username_taken" });
    await expect(open("no-reply")).rejects.toMatchObject({ code: "username_reserved" });
    await expect(open("a b")).rejects.toMatchObject({ code: "invalid_username" });
    expect((await service.letterslot.choicesOf(grace)).accounts).toEqual([]);
  });

  test("is refused while ONBOARDING is closed, from a busy network, and to an address inside", async () => {
    const inside = { ...grace, email: "bob@letterslot.localhost" };
    await expect(service.letterslot.openAccountFor(inside, { username: "ada" })).rejects.toMatchObject({
      code: "invalid_address",
    });
    const { signups_per_ip_hour } = LIMITS;
    for (let n = 0; n < signups_per_ip_hour; n++)
      await service.letterslot.openAccountFor(grace, { username: `agent-${n}` });
    await expect(service.letterslot.openAccountFor(grace, { username: "more" })).rejects.toMatchObject({
      code: "rate_limited",
    });
    service = createTestService({ onboarding: "closed" });
    await expect(service.letterslot.openAccountFor(grace, { username: "ada" })).rejects.toMatchObject({
      code: "onboarding_closed",
    });
  });

  test("is one of two that ask for one name at once", async () => {
    const heidi = { ...grace, email: "heidi@example.org" };
    const opened = await Promise.allSettled(
      [grace, heidi].map((person) => service.letterslot.openAccountFor(person, { username: "ada" })),
    );
    expect(opened.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const choices = await Promise.all([grace, heidi].map((person) => service.letterslot.choicesOf(person)));
    expect(choices.map(({ accounts }) => accounts.length).sort((a, b) => a - b)).toEqual([0, 1]);
  });
});

describe("what a person may give apps access to", () => {
  test("is the whole account and its inboxes for its account owner, and for others their inboxes", async () => {
    const { account_id, id } = await service.letterslot.openAccountFor(grace, { username: "ada" });
    const as = service.letterslot.asOwner({ email: grace.email, account_id });
    const second = await as.inboxes.create({ username: "bea" });
    const email = "heidi@example.org";
    await service.letterslot.operator.accounts.authority.give({ account_id, email, inbox_id: second.id });
    const whose = async (of: string) =>
      (await service.letterslot.choicesOf({ ...grace, email: of })).accounts.map(
        ({ permissions, inboxes, ...choice }) => ({
          ...choice,
          keys: permissions === null || permissions.includes("key_read"),
          inboxes: inboxes.map((inbox) => inbox.id),
        }),
      );
    expect(await whose(grace.email)).toEqual([
      { account_id, account_owner: true, keys: true, inboxes: [second.id, id] },
    ]);
    expect(await whose(email)).toEqual([
      { account_id, account_owner: false, keys: false, inboxes: [second.id] },
    ]);
    expect(await whose("ivan@example.net")).toEqual([]);
  });

  test("names the accounts that nobody has charge of yet, to the first who was verified", async () => {
    const account = await service.signUp("agent");
    await service.addOwner(account, grace.email);
    await service.addOwner(account, "heidi@example.org");
    const { account_id } = account;
    expect(await service.letterslot.choicesOf(grace)).toEqual({
      accounts: [],
      to_take_charge_of: [{ account_id, inbox_email: account.inbox.email }],
    });
    expect(await service.letterslot.choicesOf({ ...grace, email: "heidi@example.org" })).toEqual({
      accounts: [],
      to_take_charge_of: [],
    });
    await service.letterslot.asOwner({ email: grace.email, account_id }).authority.create({ account_id });
    const { accounts, to_take_charge_of } = await service.letterslot.choicesOf(grace);
    expect([accounts.length, to_take_charge_of]).toEqual([1, []]);
  });
});
