import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  provenDomain,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const minute = 60_000;
const code = (name: string) => expect.objectContaining({ code: name });

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const storage = () => service.letterslot.services.storage;
const issued = (address: string) => storage().get("addresses", address);
const asOwner = (email: string, { account_id } = account) =>
  service.letterslot.asOwner({ email, account_id });
const move = (to: string, by = grace) => asOwner(by).account.update({ first_owner_email: to });

/** Grace has charge and was noted; her rights as an owner are gone. */
async function inCharge() {
  const owner_id = await service.addOwner(account, grace);
  await asOwner(grace).authority.create({ account_id: account.account_id });
  await account.as.owners.delete({ inbox_id: account.inbox.id, owner_id });
}

const authorityOf = async (email: string) =>
  (await storage().find("authorities", { where: { email }, limit: 9 }))[0];

describe("an account owner moves the noted first address", () => {
  test("to a verified owner, who then takes charge once nobody has it", async () => {
    await inCharge();
    await service.addOwner(account, heidi);
    const { account_id } = account;
    expect(await move("Heidi@Example.ORG")).toEqual({
      id: account_id,
      object: "account",
      first_owner_email: heidi,
    });
    await asOwner(grace).authority.delete({ authority_id: (await authorityOf(grace))?.id ?? "" });
    await expect(asOwner(grace).authority.create({ account_id })).rejects.toThrow(code("account_not_found"));
    expect(await asOwner(heidi).authority.create({ account_id })).toMatchObject({
      object: "authority",
      email: heidi,
      inbox_id: null,
    });
  });

  test("and the old one is free for an inbox once its person has no other right", async () => {
    const cfo = "cfo@firm.test";
    const mail = { receiving: false, sending: true };
    await provenDomain(service.letterslot.services, account.account_id, { domain: "firm.test", mail });
    const owner_id = await service.addOwner(account, cfo);
    await service.addOwner(account, grace);
    await service.letterslot.operator.accounts.authority.give({
      account_id: account.account_id,
      email: grace,
    });
    const inbox_id = account.inbox.id;
    await move(grace);
    await move(cfo);
    // The owner's record held the address meanwhile.
    expect(await issued(cfo)).toMatchObject({ kind: "person" });
    await account.as.owners.delete({ inbox_id, owner_id });
    expect(await issued(cfo)).toMatchObject({ kind: "person" });
    await move(grace);
    expect(await issued(cfo)).toBeUndefined();
    expect(await issued(grace)).toMatchObject({ kind: "person" });
    expect(await account.as.inboxes.create({ username: "cfo", domain: "firm.test" })).toMatchObject({
      email: cfo,
    });
  });

  test("to nobody who proved nothing here, to no inbox and to nobody inside", async () => {
    await inCharge();
    await expect(move("ceo@bank.test")).rejects.toThrow(code("owner_not_found"));
    await account.as.owners.create({ inbox_id: account.inbox.id, email: heidi });
    await expect(move(heidi)).rejects.toThrow(code("owner_not_found"));
    await expect(move(account.inbox.email)).rejects.toThrow(code("invalid_address"));
    const eve = await service.signUp("eve");
    await service.addOwner(eve, "olga@owner.example");
    await expect(move("olga@owner.example")).rejects.toThrow(code("owner_not_found"));
    expect(await issued("ceo@bank.test")).toBeUndefined();
    expect(await storage().get("accounts", account.account_id)).toMatchObject({ first_owner_email: grace });
  });

  test("in the transaction that takes the address: an inbox there leaves all as it was", async () => {
    await inCharge();
    const cfo = "cfo@firm.test";
    const mail = { receiving: false, sending: true };
    await service.addOwner(account, cfo);
    // As an older version left it: an inbox has the address of an owner.
    await storage().delete("addresses", { address: cfo });
    const eve = await service.signUp("eve");
    await provenDomain(service.letterslot.services, eve.account_id, { domain: "firm.test", mail });
    await eve.as.inboxes.create({ username: "cfo", domain: "firm.test" });
    await expect(move(cfo)).rejects.toThrow(code("address_is_inbox"));
    expect(await storage().get("accounts", account.account_id)).toMatchObject({ first_owner_email: grace });
    expect(await issued(grace)).toMatchObject({ kind: "person" });
  });

  test("to one of several that are noted at once: only that one is held", async () => {
    await inCharge();
    const people = ["a", "b", "c", "d"].map((name) => `${name}@firm.test`);
    const owned = [];
    for (const email of people) owned.push(await service.addOwner(account, email));
    const removed = Promise.all(
      owned.map((owner_id) => account.as.owners.delete({ inbox_id: account.inbox.id, owner_id })),
    );
    const moved = await Promise.allSettled(people.map((email) => move(email)));
    await removed;
    const noted = (await storage().get("accounts", account.account_id))?.first_owner_email;
    for (const email of people) expect((await issued(email)) !== undefined).toBe(email === noted);
    for (const each of moved)
      if (each.status === "rejected") expect(each.reason).toEqual(code("owner_not_found"));
  });

  test("of no account that is being erased", async () => {
    await inCharge();
    await service.addOwner(account, heidi);
    const person = asOwner(grace);
    await Promise.allSettled([
      service.letterslot.operator.accounts.delete(account.account_id),
      person.account.update({ first_owner_email: heidi }),
    ]);
    expect((await storage().get("accounts", account.account_id))?.first_owner_email ?? null).toBeNull();
    await expect(service.letterslot.operator.accounts.note(account.account_id, heidi)).rejects.toThrow(
      code("account_not_found"),
    );
  });
});

describe("nobody else moves it", () => {
  test("no key, no owner without authority, nobody with authority over an inbox alone", async () => {
    await inCharge();
    await service.addOwner(account, heidi);
    await expect(account.as.account.update({ first_owner_email: heidi })).rejects.toThrow(code("owner_only"));
    await expect(move(heidi, heidi)).rejects.toThrow(code("account_not_found"));
    const { account_id, inbox } = account;
    const inbox_id = inbox.id;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: heidi, inbox_id });
    await expect(move(heidi, heidi)).rejects.toThrow(code("permission_denied"));
  });

  test("in a session that is older than ten minutes", async () => {
    await inCharge();
    await service.addOwner(account, heidi);
    const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const { challenge } = await publicly.sessions.start({ email: grace });
    await service.work();
    const { text } = await parseMail(service.transport.sent.at(-1)?.raw ?? new Uint8Array());
    const signed_in = { email: grace, code: /\b\d{6}\b/.exec(text)?.[0] ?? "", challenge };
    const { session_token = "" } = (await publicly.sessions.create(signed_in)) as { session_token?: string };
    const inSession = async () => {
      const person = await service.letterslot.authenticateSession(session_token, null);
      if (person === undefined) throw new Error("no session");
      const place = { account_id: account.account_id };
      const caller = await service.letterslot.callerFor(person, "account.update", place);
      return service.letterslot.call(caller, "account.update", { first_owner_email: heidi });
    };
    await service.clock.advance(10 * minute);
    await expect(inSession()).rejects.toThrow(code("recent_sign_in_required"));
    await service.clock.advance(-1);
    expect(await inSession()).toMatchObject({ first_owner_email: heidi });
  });

  test("for a workspace, which has its parent's", async () => {
    await inCharge();
    const { account_id } = account;
    const workspace = await account.as.workspaces.create({ name: "Team", inbox_quota: 2 });
    const sub = await storage().get("workspaces", workspace.id);
    const person = service.letterslot.asOwner({ email: grace, account_id: sub?.account_id ?? "" });
    await expect(person.account.update({ first_owner_email: grace })).rejects.toThrow(
      code("invalid_request"),
    );
    expect(await storage().get("accounts", account_id)).toMatchObject({ first_owner_email: grace });
  });
});
