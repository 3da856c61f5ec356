import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { OwnerCaller } from "../../kernel/access/caller.ts";
import { parseMail } from "../../mail/parse.ts";
import { undoPairing } from "./undo.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const minute = 60_000;

let service: TestService;
beforeEach(() => {
  service = createTestService();
});

const publicly = (ip = "203.0.113.9") => service.letterslot.as({ type: "public", ip });
const failsWith = (code: string, more: object = {}) => expect.objectContaining({ code, ...more });

/** Signs a person in, who may be new; answers what their session calls. */
async function signIn(email: string, { ip = "198.51.100.7", isNew = true } = {}) {
  const { challenge } = await publicly(ip).sessions.start({ email, new: isNew });
  await service.work();
  const session = await publicly(ip).sessions.create({ email, code: service.codeFor(email), challenge });
  const { session_token } = session as typeof session & { session_token: string };
  const bound = async (name: string) => {
    const person = await service.letterslot.authenticateSession(session_token, ip);
    if (person === undefined) throw new Error("the session has ended");
    return service.letterslot.as(await service.letterslot.callerFor(person, name, {})).pairings;
  };
  type Pairings = Awaited<ReturnType<typeof bound>>;
  return {
    create: async (input: Parameters<Pairings["create"]>[0] = {}) =>
      (await bound("pairings.create")).create(input),
    list: async () => (await (await bound("pairings.list")).list({})).data,
    undo: async (pairing_id: string) => (await bound("pairings.delete")).delete({ pairing_id }),
  };
}

const withKey = async (api_key: string) =>
  service.letterslot.as(await service.letterslot.authenticate(api_key, null));
const pair = (input: Parameters<ReturnType<typeof publicly>["pairings"]["pair"]>[0], ip?: string) =>
  publicly(ip).pairings.pair(input);

describe("a person who is new", () => {
  test("makes a code, and has charge of the agent and of its account from its first moment", async () => {
    const person = await signIn(grace);
    const made = await person.create();
    expect(made).toMatchObject({
      object: "pairing",
      status: "open",
      inbox_id: null,
      send_mode: "guarded",
      expires_at: "2026-01-01T00:10:00.000Z",
    });
    expect(made.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const paired = await pair({ code: made.code.toLowerCase(), username: "ada", client_name: "Claude <b>" });
    expect(paired).toMatchObject({
      object: "paired",
      owner_email_masked: "g***@example.com",
      inbox: { email: "ada@letterslot.localhost", send_mode: "guarded", release_by: "authority" },
    });
    const as = await withKey(paired.api_key);
    const me = await as.me.get({});
    expect(me.access).toEqual({ permissions: made.permissions, inbox_ids: null });
    const { account_id, inbox } = paired;
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    expect((await owner.authority.list({})).data).toMatchObject([{ email: grace, inbox_id: null }]);
    expect((await owner.owners.list({ inbox_id: inbox.id })).data).toMatchObject([
      { email: grace, status: "verified" },
    ]);
    expect(await service.letterslot.services.storage.get("accounts", account_id)).toMatchObject({
      claimed: true,
      first_owner_email: grace,
    });
    expect(await person.list()).toMatchObject([
      {
        id: made.id,
        status: "paired",
        account_id,
        inbox_id: inbox.id,
        inbox_created: true,
        key_id: paired.api_key_id,
        client_name: "Claude <b>",
        network: "203.0.113.0/24",
      },
    ]);
  });

  test("gets what to give to the agent: by the CLI, or by one request without it", async () => {
    const person = await signIn(grace);
    const { code, sentence, command, request } = await person.create();
    const { baseUrl } = service.letterslot.services.options;
    expect(command).toMatch(/^npx -y @letterslot\/cli@\d+\.\d+ init --url /);
    expect(sentence).toContain(
      `run "${command}", or POST {"code": "${code}"} as JSON to ${baseUrl}/api/v1/pair`,
    );
    expect(sentence).toContain("Choose a username");
    expect(request).toContain(`curl ${baseUrl}/api/v1/pair `);
    const { inbox } = await pair({ code, username: "ada" });
    expect((await person.create({ inbox_id: inbox.id })).sentence).not.toContain("username");
  });

  test("is mailed a code only by saying so, and the answers are the same", async () => {
    const answers = [
      await publicly().sessions.start({ email: grace }),
      await publicly().sessions.start({ email: grace, new: true }),
    ];
    expect(answers.map(({ challenge: _secret, ...rest }) => rest)).toEqual([
      { object: "session_start", expires_at: "2026-01-01T00:15:00.000Z" },
      { object: "session_start", expires_at: "2026-01-01T00:15:00.000Z" },
    ]);
    await service.work();
    expect(service.transport.sent.map(({ envelope }) => envelope.rcpt_to)).toEqual([[grace]]);
  });

  test("is mailed none while ONBOARDING is closed, and makes none", async () => {
    service = createTestService({ onboarding: "closed" });
    await publicly().sessions.start({ email: grace, new: true });
    await service.work();
    expect(service.transport.sent).toEqual([]);
    const person = service.letterslot.asOwner({ email: grace, account_id: "" });
    await expect(person.pairings.create({})).rejects.toThrow(failsWith("onboarding_closed"));
  });

  test("can mail three letters a day to one address, and five an hour from one place", async () => {
    const start = (email: string, ip: string) => publicly(ip).sessions.start({ email, new: true });
    for (let n = 0; n < LIMITS.owner_confirmations_per_address_day; n++) await start(grace, `203.0.113.${n}`);
    await expect(start(grace, "198.51.100.1")).rejects.toThrow(failsWith("rate_limited"));
    for (let n = 0; n < LIMITS.owner_confirmations_per_ip_hour; n++)
      await start(`new-${n}@example.net`, "192.0.2.1");
    await expect(start("more@example.net", "192.0.2.1")).rejects.toThrow(failsWith("rate_limited"));
  });
});

describe("a code", () => {
  test("works once: of twenty agents at the same time one gets a key", async () => {
    const person = await signIn(grace);
    const { code } = await person.create();
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => pair({ code, username: `agent-${n}` }, `192.0.2.${n}`)),
    );
    const got = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const refused = tries.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
    expect(got).toHaveLength(1);
    expect(new Set(refused)).toEqual(new Set(["pairing_invalid"]));
    const { storage } = service.letterslot.services;
    expect(await storage.count("accounts", { first_owner_email: grace }, 100)).toBe(1);
    const names = Array.from({ length: 20 }, (_, n) => `agent-${n}@letterslot.localhost`);
    const taken = await Promise.all(names.map((address) => storage.get("addresses", address)));
    expect(taken.filter((each) => each !== undefined)).toHaveLength(1);
  });

  test("answers the same when it is unknown, used, ended, expired, or none at all", async () => {
    const person = await signIn(grace);
    const { code: used } = await person.create();
    await pair({ code: used });
    const { code: ended, id } = await person.create();
    await person.undo(id);
    const { code: expired } = await person.create();
    await service.clock.advance(LIMITS.pairing_code_ms);
    for (const [n, code] of [used, ended, expired, "0000-0000", "nonsense", ""].entries()) {
      const error = await pair({ code }, `192.0.2.${n}`).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "pairing_invalid",
        param: "code",
        message: "The code doesn't let an agent in: it is unknown, was used, or has expired.",
      });
    }
  });

  test("isn't used up by a name that is taken, nor counted as a wrong one", async () => {
    await service.signUp("ada");
    const person = await signIn(grace);
    const { code } = await person.create();
    for (let n = 0; n <= LIMITS.pairing_wrong_codes_per_ip; n++)
      await expect(pair({ code, username: "ada" }, "127.0.0.1")).rejects.toThrow(failsWith("username_taken"));
    expect(await pair({ code, username: "bea" }, "127.0.0.1")).toMatchObject({
      inbox: { email: "bea@letterslot.localhost" },
    });
  });

  test("is tried wrongly five times from one network in 10 minutes; then even the right one waits", async () => {
    const person = await signIn(grace);
    const { code } = await person.create();
    for (let n = 0; n < LIMITS.pairing_wrong_codes_per_ip; n++)
      await expect(pair({ code: "0000-0000" }, `2001:db8::${n}`)).rejects.toThrow(
        failsWith("pairing_invalid"),
      );
    await expect(pair({ code }, "2001:db8::ffff")).rejects.toThrow(failsWith("rate_limited"));
    expect(await pair({ code }, "2001:db8:0:1::1")).toMatchObject({ object: "paired" });
  });

  test("has four others beside it; a used, ended or expired one makes room", async () => {
    const person = await signIn(grace);
    const made = [];
    for (let n = 0; n < LIMITS.open_pairings; n++) made.push(await person.create());
    await expect(person.create()).rejects.toThrow(failsWith("pairing_limit"));
    await pair({ code: made[0]?.code ?? "" });
    await person.create();
    await expect(person.create()).rejects.toThrow(failsWith("pairing_limit"));
    await person.undo(made[1]?.id ?? "");
    await person.create();
    await expect(person.create()).rejects.toThrow(failsWith("pairing_limit"));
    await service.clock.advance(LIMITS.pairing_code_ms);
    await person.create();
  });

  test("needs a sign-in of the last 24 hours", async () => {
    const person = await signIn(grace);
    await service.clock.advance(LIMITS.pairing_sign_in_ms - minute);
    await person.create();
    await service.clock.advance(minute);
    await expect(person.create()).rejects.toThrow(failsWith("recent_sign_in_required"));
  });

  test("is stored as a MAC alone, and forgotten after 30 days", async () => {
    const person = await signIn(grace);
    const { code, id } = await person.create();
    const { storage } = service.letterslot.services;
    const stored = await storage.get("pairings", id);
    expect(JSON.stringify(stored)).not.toContain(code);
    expect(stored?.code_mac).toMatch(/^[0-9a-f]{64}$/);
    await service.clock.advance(LIMITS.pairing_kept_ms);
    await service.letterslot.sweep();
    expect(await storage.get("pairings", id)).toBeUndefined();
  });
});

describe("a code for an inbox that is there", () => {
  const world = async () => {
    const account = await service.signUp("agent");
    const { account_id, inbox } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
    await service.letterslot.operator.accounts.authority.give({
      account_id,
      email: heidi,
      inbox_id: inbox.id,
    });
    return { account, inbox_id: inbox.id, account_id };
  };

  test("gives a key that is held to it, with the budget that the person set", async () => {
    const { inbox_id, account_id, account } = await world();
    const other = await account.as.inboxes.create({ username: "other-one" });
    const person = await signIn(heidi, { isNew: false });
    const { code } = await person.create({
      inbox_id,
      permissions: ["message_read", "message_send"],
      budget: { sends_per_day: 1 },
    });
    const paired = await pair({ code, username: "ignored" });
    expect(paired).toMatchObject({ account_id, inbox: { id: inbox_id, username: "agent" } });
    const as = await withKey(paired.api_key);
    expect(await as.me.get({})).toMatchObject({
      access: { permissions: ["message_read", "message_send"], inbox_ids: [inbox_id] },
      key: { budget: { sends_per_day: 1 } },
    });
    await expect(as.messages.list({ inbox_id: other.id })).rejects.toThrow(failsWith("inbox_not_found"));
  });

  test("works no more once its person has lost the authority, or the inbox is gone", async () => {
    const { inbox_id, account_id } = await world();
    const person = await signIn(heidi, { isNew: false });
    const { code } = await person.create({ inbox_id });
    const { letterslot } = service;
    const given = (await letterslot.operator.accounts.authority.list(account_id)).find(
      ({ email }) => email === heidi,
    );
    await letterslot.operator.accounts.authority.end(given?.id ?? "");
    await expect(pair({ code })).rejects.toThrow(failsWith("pairing_invalid"));
    const chief = await signIn(grace, { isNew: false });
    const { code: second } = await chief.create({ inbox_id });
    await letterslot.asOwner({ email: grace, account_id }).inboxes.delete({ inbox_id });
    await expect(pair({ code: second })).rejects.toThrow(failsWith("pairing_invalid"));
  });

  test("is made by whoever has authority over it, with at most their rights, and without a send mode", async () => {
    const { inbox_id, account } = await world();
    const other = await account.as.inboxes.create({ username: "other-one" });
    const person = await signIn(heidi, { isNew: false });
    await expect(person.create({ inbox_id: other.id })).rejects.toThrow(failsWith("inbox_not_found"));
    await expect(person.create({ inbox_id, permissions: ["webhook_write"] })).rejects.toThrow(
      failsWith("permission_escalation", { param: "webhook_write" }),
    );
    await expect(person.create({ inbox_id, send_mode: "direct" })).rejects.toThrow(
      failsWith("invalid_request", { param: "send_mode" }),
    );
  });
});

describe("undoing", () => {
  test("revokes the key with those that it created, closes the new inbox, and changes nothing more", async () => {
    const person = await signIn(grace);
    const { code, id } = await person.create();
    const { api_key, account_id, inbox } = await pair({ code, username: "ada" });
    expect(await person.undo(id)).toEqual({
      id,
      object: "pairing",
      deleted: true,
      keys_revoked: 1,
      inbox_closed: true,
    });
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toThrow(
      failsWith("api_key_revoked"),
    );
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    await expect(owner.inboxes.get({ inbox_id: inbox.id })).rejects.toThrow(failsWith("inbox_not_found"));
    expect((await person.list()).map(({ status }) => status)).toEqual(["undone"]);
    expect(await person.undo(id)).toMatchObject({ keys_revoked: 0, inbox_closed: false });
    expect(await owner.inboxes.restore({ inbox_id: inbox.id })).toMatchObject({ id: inbox.id });
    expect(await person.undo(id)).toMatchObject({ inbox_closed: false });
  });

  test("leaves an inbox that was there, and is its person's alone", async () => {
    const { account_id, inbox, as } = await service.signUp("agent");
    await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
    const person = await signIn(grace, { isNew: false });
    const { code, id } = await person.create({ inbox_id: inbox.id });
    const { api_key } = await pair({ code });
    const stranger = await signIn(heidi);
    await expect(stranger.undo(id)).rejects.toThrow(failsWith("pairing_not_found"));
    expect(await stranger.list()).toEqual([]);
    expect(await person.undo(id)).toMatchObject({ keys_revoked: 1, inbox_closed: false });
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toThrow(
      failsWith("api_key_revoked"),
    );
    expect(await as.inboxes.get({ inbox_id: inbox.id })).toMatchObject({ id: inbox.id });
  });

  test("fails as it does where the storage is away, rather than that there is no such pairing", async () => {
    const person = await signIn(grace);
    const { code, id } = await person.create();
    await pair({ code });
    const { services } = service.letterslot;
    const find = async () => {
      throw new Error("the database is away");
    };
    const away = { ...services, storage: { ...services.storage, find } };
    const caller = { type: "owner", email: grace, session_id: null, ip: null } as OwnerCaller;
    await expect(undoPairing(away, caller, id, service.clock.now())).rejects.toThrow("the database is away");
    expect((await person.list()).map(({ status }) => status)).toEqual(["paired"]);
  });

  test("at the same moment as the code's use leaves no key that works and no code that does", async () => {
    for (let round = 0; round < 20; round++) {
      service = createTestService();
      const person = await signIn(grace);
      const { code, id } = await person.create();
      const [used, undone] = await Promise.allSettled([pair({ code }), person.undo(id)]);
      if (used.status === "rejected") {
        expect(undone.status).toBe("fulfilled");
        continue;
      }
      // The use came first: undoing either ended it too, or found the code just used, and can be asked again.
      await person.undo(id);
      await expect(service.letterslot.authenticate(used.value.api_key, null)).rejects.toThrow(
        failsWith("api_key_revoked"),
      );
    }
  });
});

test("those in charge get a letter without a word of the agent's, and the feed an event", async () => {
  const { account_id, inbox, as } = await service.signUp("agent");
  for (const email of [grace, heidi])
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
  const person = await signIn(grace, { isNew: false });
  const { code, id } = await person.create({ inbox_id: inbox.id });
  service.transport.sent.length = 0;
  const { api_key_id } = await pair({ code, client_name: "Click https://evil.example" });
  await service.work();
  const letters = service.transport.sent;
  expect(letters.flatMap(({ envelope }) => envelope.rcpt_to).toSorted()).toEqual([grace, heidi]);
  for (const { raw } of letters) {
    const { subject, text } = await parseMail(raw);
    expect(subject).toBe("An agent was let in: agent@letterslot.localhost");
    expect(text).toContain("A code that grace@example.com made on localhost:8025 was used from the network");
    expect(text).toContain("http://localhost:8025/api/v1/owners/pair");
    expect(text).not.toContain("evil");
  }
  const { data } = await as.events.list({ types: ["owner.paired"] });
  expect(data).toMatchObject([
    { inbox_id: inbox.id, data: { pairing: { id, status: "paired" }, key: { id: api_key_id } } },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/code_mac|grace/);
});

test("where ONBOARDING is paired, agents open nothing, and are told what to ask for", async () => {
  service = createTestService({ onboarding: "paired" });
  const told = failsWith("onboarding_closed", {
    fix: "Ask the person for a pairing code, and use it with POST /api/v1/pair.",
  });
  await expect(publicly().accounts.onboard({ username: "ada" })).rejects.toThrow(told);
  await expect(publicly().keys.create({})).rejects.toThrow(told);
  const person = await signIn(grace);
  const { code } = await person.create();
  expect(await pair({ code, username: "ada" })).toMatchObject({ inbox: { username: "ada" } });
  const open = { email: heidi, session_id: null, ip: null };
  expect(await service.letterslot.openAccountFor(open, { username: "bea" })).toMatchObject({
    username: "bea",
  });
});
