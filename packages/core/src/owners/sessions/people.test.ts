import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const minute = 60_000;
const day = 24 * 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const publicly = (ip = "203.0.113.9") => service.letterslot.as({ type: "public", ip });

/** The newest sign-in letter to an address; undefined when there is none. */
async function signInLetter(email: string) {
  const sent = service.transport.sent.findLast(
    ({ envelope, from }) => envelope.rcpt_to.includes(email) && from.startsWith("no-reply@"),
  );
  if (sent === undefined) return undefined;
  const mail = await parseMail(sent.raw);
  const text = mail.text ?? "";
  return {
    ...mail,
    code: /\b\d{6}\b/.exec(text)?.[0] ?? "",
    token: /sign-in\?token=(\w+)/.exec(text)?.[1] ?? "",
  };
}

const letters = (email: string) =>
  service.transport.sent.filter(
    ({ envelope, from }) => envelope.rcpt_to.includes(email) && from.startsWith("no-reply@"),
  ).length;

async function start(email: string, ip?: string) {
  const { challenge } = await publicly(ip).sessions.start({ email });
  await service.work();
  return challenge;
}

/** Signs in with the letter's code; answers the session with its tokens. */
async function signIn(email: string, ip?: string) {
  const challenge = await start(email, ip);
  const code = (await signInLetter(email))?.code ?? "";
  const session = await publicly(ip).sessions.create({ email, code, challenge });
  return session as typeof session & { session_token: string; remember_token: string };
}

/** The operations of a session's cookie. */
async function inSession(session_token: string, place: { account_id?: string; inbox_id?: string } = {}) {
  const person = await service.letterslot.authenticateSession(session_token, "203.0.113.9");
  if (person === undefined) throw new Error("no session");
  const call = async (name: string, input: Record<string, unknown> = {}) =>
    service.letterslot.call(await service.letterslot.callerFor(person, name, place), name, input);
  return call;
}

const owner = (email: string, account_id = account.account_id) =>
  service.letterslot.asOwner({ email, account_id });

describe("a code for newcomers", () => {
  const startAsNewcomer = async (email: string, ip = "203.0.113.9") => {
    const { challenge } = await service.letterslot.startSession({ email, ip, newcomers: true });
    await service.work();
    return challenge;
  };

  test("is mailed to an address that nobody verified, and signs it in without any authority", async () => {
    const challenge = await startAsNewcomer(grace);
    const { code = "" } = (await signInLetter(grace)) ?? {};
    const session = await publicly().sessions.create({ email: grace, code, challenge });
    expect(session).toMatchObject({ email: grace, accounts: [], inboxes: [] });
    await start("nobody@example.net");
    expect(letters("nobody@example.net")).toBe(0);
  });

  test("goes to no address inside the service, and to nobody new while ONBOARDING is closed", async () => {
    await startAsNewcomer(account.inbox.email);
    expect((await account.as.messages.list({ inbox_id: account.inbox.id })).data).toEqual([]);
    service = createTestService({ onboarding: "closed" });
    await startAsNewcomer(grace);
    expect(letters(grace)).toBe(0);
    await service.letterslot.operator.accounts.create({ owner: grace });
    await startAsNewcomer(grace);
    expect(letters(grace)).toBe(1);
  });

  test.each(["grace", "grace@example.com\r\nBcc: heidi@example.org", "Grace <grace@example.com>", ""])(
    "goes to nothing that is no address: %j",
    async (email) => {
      await expect(startAsNewcomer(email)).rejects.toMatchObject({ code: "invalid_address" });
      expect(service.transport.sent).toEqual([]);
    },
  );

  test.each([
    ["three a day for an address that nobody knows", "nobody@example.net", false],
    ["the same for one that is known, from elsewhere", grace, true],
  ])("%s", async (_name, email, known) => {
    if (known) {
      const { account_id } = await service.letterslot.operator.accounts.create({ owner: email });
      expect(account_id).toMatch(/^acct_/);
    }
    for (const n of [1, 2, 3]) await startAsNewcomer(email, `198.51.100.${n}`);
    await expect(startAsNewcomer(email, "198.51.100.4")).rejects.toMatchObject({ code: "rate_limited" });
    expect(letters(email)).toBe(3);
  });

  test("five an hour from one network, whoever is asked for", async () => {
    for (const n of [1, 2, 3, 4, 5]) await startAsNewcomer(`person-${n}@example.net`);
    await expect(startAsNewcomer("person-6@example.net")).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("a browser that signed in before has limits of its own", async () => {
    const challenge = await startAsNewcomer(grace);
    const { code = "" } = (await signInLetter(grace)) ?? {};
    const session = await publicly().sessions.create({ email: grace, code, challenge });
    const { remember_token } = session as unknown as { remember_token: string };
    for (const n of [1, 2]) await startAsNewcomer(grace, `198.51.100.${n}`);
    const request = { email: grace, ip: "198.51.100.4", remember_token, newcomers: true };
    await expect(service.letterslot.startSession(request)).resolves.toHaveProperty("challenge");
  });
});

describe("signing in", () => {
  test("a verified owner gets a code and a link from no-reply, in no inbox; nobody else gets a letter", async () => {
    await service.addOwner(account, grace);
    const messages = async () =>
      (await account.as.messages.list({ inbox_id: account.inbox.id, limit: 200 })).data.length;
    const before = await messages();
    const answers = await Promise.all(
      [grace, "nobody@example.net", "pending@example.net"].map((email) =>
        publicly().sessions.start({ email }),
      ),
    );
    await service.work();
    expect(answers.map((answer) => Object.keys(answer))).toEqual(
      answers.map(() => ["object", "challenge", "expires_at"]),
    );
    const letter = await signInLetter(grace);
    expect(letter?.from[0]?.address).toBe("no-reply@letterslot.localhost");
    expect(letter?.text).toContain("Never pass this code on; your agent doesn't need it.");
    expect(letters("nobody@example.net")).toBe(0);
    expect(await messages()).toBe(before);
  });

  test("the code signs in, once, and only with the challenge it was asked with", async () => {
    await service.addOwner(account, grace);
    const challenge = await start(grace);
    const { code = "" } = (await signInLetter(grace)) ?? {};
    const other = (await publicly().sessions.start({ email: grace })).challenge;
    await expect(publicly().sessions.create({ email: grace, code, challenge: other })).rejects.toMatchObject({
      code: "session_invalid",
    });
    await expect(publicly().sessions.create({ email: grace, code })).rejects.toMatchObject({
      code: "session_invalid",
    });
    const session = await publicly().sessions.create({ email: grace, code, challenge });
    expect(session).toMatchObject({ object: "session", email: grace, accounts: [] });
    await expect(publicly().sessions.create({ email: grace, code, challenge })).rejects.toMatchObject({
      code: "session_invalid",
    });
  });

  test("so does the link, in the browser that asked", async () => {
    await service.addOwner(account, grace);
    const challenge = await start(grace);
    const { token = "" } = (await signInLetter(grace)) ?? {};
    expect(token).toMatch(/^lso[a-z2-7]{38}$/);
    await expect(publicly().sessions.create({ token, challenge: "other" })).rejects.toMatchObject({
      code: "session_invalid",
    });
    expect(await publicly().sessions.create({ token, challenge })).toMatchObject({ email: grace });
  });

  test("a code ends after 15 minutes, and after five tries", async () => {
    await service.addOwner(account, grace);
    const late = await start(grace);
    const { code = "" } = (await signInLetter(grace)) ?? {};
    await service.clock.advance(15 * minute);
    await expect(publicly().sessions.create({ email: grace, code, challenge: late })).rejects.toMatchObject({
      code: "session_invalid",
    });
    const challenge = await start(grace);
    const right = (await signInLetter(grace))?.code ?? "";
    const wrong = right === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries++)
      await expect(
        publicly().sessions.create({ email: grace, code: wrong, challenge }),
      ).rejects.toMatchObject({ code: "session_invalid" });
    await expect(publicly().sessions.create({ email: grace, code: right, challenge })).rejects.toMatchObject({
      code: "session_invalid",
    });
  });

  test("after twenty wrong codes a day over all challenges only the link signs in", async () => {
    await service.addOwner(account, grace);
    for (let round = 0; round < 4; round++) {
      const challenge = await start(grace, `198.51.${round}.1`);
      const right = (await signInLetter(grace))?.code ?? "";
      const wrong = right === "000000" ? "000001" : "000000";
      for (let tries = 0; tries < 5; tries++)
        await publicly()
          .sessions.create({ email: grace, code: wrong, challenge })
          .catch(() => undefined);
    }
    const challenge = await start(grace);
    const { code = "", token = "" } = (await signInLetter(grace)) ?? {};
    await expect(publicly().sessions.create({ email: grace, code, challenge })).rejects.toMatchObject({
      code: "session_invalid",
    });
    expect(await publicly().sessions.create({ token, challenge })).toMatchObject({ email: grace });
  });

  test("letters are limited by address and place, for unknown addresses alike, and a known browser has its own", async () => {
    await service.addOwner(account, grace);
    const { remember_token } = await signIn(grace, "192.0.2.1");
    for (const email of [grace, "nobody@example.net"]) {
      for (let asked = 0; asked < 5; asked++) await publicly().sessions.start({ email });
      await expect(publicly().sessions.start({ email })).rejects.toMatchObject({ code: "rate_limited" });
    }
    const known = await publicly().sessions.start({ email: grace, remember_token });
    expect(known.challenge).toMatch(/^\w{40}$/);
    expect(await publicly("192.0.2.77").sessions.start({ email: grace })).toMatchObject({
      object: "session_start",
    });
    await expect(
      publicly().sessions.start({ email: "nobody@example.net", remember_token }),
    ).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("letters from many places are limited to thirty a day, but not where the person signed in before", async () => {
    await service.addOwner(account, grace);
    const { remember_token } = await signIn(grace, "192.0.2.1");
    for (let place = 1; place < 30; place += 1)
      await publicly(`198.51.${place}.1`).sessions.start({ email: grace });
    const elsewhere = () => publicly("198.51.200.1").sessions.start({ email: grace });
    await expect(elsewhere()).rejects.toMatchObject({ code: "rate_limited" });
    expect(await publicly("192.0.2.200").sessions.start({ email: grace })).toBeDefined();
    expect(await publicly("203.0.113.1").sessions.start({ email: grace, remember_token })).toBeDefined();
    await service.clock.advance(day);
    expect(await elsewhere()).toBeDefined();
  });

  test("a network is known for 90 days, and a browser for a year", async () => {
    await service.addOwner(account, grace);
    const { remember_token } = await signIn(grace, "192.0.2.1");
    const spend = async () => {
      for (let place = 0; place < 30; place += 1)
        await publicly(`198.51.${place}.1`).sessions.start({ email: grace });
    };
    const fromNetwork = () => publicly("192.0.2.9").sessions.start({ email: grace });
    const fromBrowser = () => publicly("203.0.113.1").sessions.start({ email: grace, remember_token });
    await service.clock.advance(89 * day);
    await spend();
    expect(await fromNetwork()).toBeDefined();
    await service.clock.advance(day);
    await spend();
    await expect(fromNetwork()).rejects.toMatchObject({ code: "rate_limited" });
    await service.clock.advance(274 * day);
    await spend();
    expect(await fromBrowser()).toBeDefined();
    await service.clock.advance(day);
    await spend();
    await expect(fromBrowser()).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("codes of sign-in and of confirmation don't work in each other's place", async () => {
    await service.addOwner(account, grace);
    const other = await account.as.inboxes.create({ username: "second-inbox" });
    const { id: owner_id } = await account.as.owners.create({ inbox_id: other.id, email: grace });
    await service.work();
    const confirmation = service.codeFor(grace);
    const challenge = await start(grace);
    const { code = "" } = (await signInLetter(grace)) ?? {};
    await expect(
      publicly().sessions.create({ email: grace, code: confirmation, challenge }),
    ).rejects.toMatchObject({ code: "session_invalid" });
    await expect(
      account.as.owners.confirmWithCode({ inbox_id: other.id, owner_id, code }),
    ).rejects.toMatchObject({ code: "confirm_invalid" });
    await expect(publicly().owners.confirm({ email: grace, code })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    expect(await publicly().sessions.create({ email: grace, code, challenge })).toMatchObject({
      email: grace,
    });
  });

  test("what is stored holds neither code, link, challenge nor session", async () => {
    await service.addOwner(account, grace);
    const challenge = await start(grace);
    const { code = "", token = "" } = (await signInLetter(grace)) ?? {};
    const { storage } = service.letterslot.services;
    const all = { where: {}, limit: 100 };
    const dump = async () =>
      JSON.stringify([
        await storage.find("session_challenges", all),
        await storage.find("sessions", all),
        await storage.find("remembered_browsers", all),
        await storage.find("jobs", all),
      ]);
    const before = await dump();
    const session = await publicly().sessions.create({ token, challenge });
    const { session_token, remember_token } = session as unknown as Record<string, string>;
    const after = await dump();
    for (const secret of [code, token, challenge, session_token ?? "-", remember_token ?? "-"])
      expect(before + after).not.toContain(secret);
  });

  test("a session slides for 30 days, ends after 90, and can be ended from another", async () => {
    await service.addOwner(account, grace);
    const first = await signIn(grace);
    for (let used = 0; used < 4; used++) {
      await service.clock.advance(20 * day);
      expect(await service.letterslot.authenticateSession(first.session_token, null)).toBeDefined();
    }
    await service.clock.advance(10 * day);
    expect(await service.letterslot.authenticateSession(first.session_token, null)).toBeUndefined();
    const idle = await signIn(grace);
    await service.clock.advance(30 * day);
    expect(await service.letterslot.authenticateSession(idle.session_token, null)).toBeUndefined();

    const [one, two] = [await signIn(grace), await signIn(grace)];
    const call = await inSession(one.session_token);
    const listed = (await call("sessions.list")) as { data: { id: string; current: boolean }[] };
    expect(listed.data.map(({ id, current }) => [id, current])).toEqual([
      [two.id, false],
      [one.id, true],
    ]);
    await call("sessions.endOther", { session_id: two.id });
    expect(await service.letterslot.authenticateSession(two.session_token, null)).toBeUndefined();
    await call("sessions.end");
    expect(await service.letterslot.authenticateSession(one.session_token, null)).toBeUndefined();
    await service.letterslot.sweep();
    const left = { where: {}, limit: 100 };
    expect(await service.letterslot.services.storage.find("session_challenges", left)).toEqual([]);
  });

  test("a stranger's session can't be listed or ended, and no key has any part in it", async () => {
    await service.addOwner(account, grace);
    const { id } = await signIn(grace);
    await expect(owner(heidi).sessions.endOther({ session_id: id ?? "" })).rejects.toMatchObject({
      code: "session_not_found",
    });
    expect((await owner(heidi).sessions.list({})).data).toEqual([]);
    await expect(account.as.sessions.list({})).rejects.toMatchObject({ code: "owner_only" });
    await expect(account.as.authority.list({})).rejects.toMatchObject({ code: "owner_only" });
    await expect(publicly().sessions.get({})).rejects.toMatchObject({ code: "session_required" });
  });
});

describe("authority", () => {
  test("the first outside address that was verified takes charge, and no other", async () => {
    await service.addOwner(account, grace);
    await service.addOwner(account, heidi);
    const { account_id } = account;
    const asked = await owner(heidi).authority.create({ account_id });
    expect(asked).toMatchObject({ object: "approval", subject_type: "authority_grant" });
    expect(await owner(grace).authority.create({ account_id })).toMatchObject({
      object: "authority",
      account_id,
      inbox_id: null,
      email: grace,
      given_by: grace,
    });
    await expect(owner("eve@example.net").authority.create({ account_id })).rejects.toMatchObject({
      code: "account_not_found",
    });
    expect((await owner(grace).authority.list({})).data).toHaveLength(1);
  });

  test("deleting the owner record doesn't change who is first", async () => {
    const owner_id = await service.addOwner(account, grace);
    await account.as.owners.delete({ inbox_id: account.inbox.id, owner_id });
    await service.addOwner(account, heidi);
    const { account_id } = account;
    expect(await owner(heidi).authority.create({ account_id })).toMatchObject({ object: "approval" });
    expect(await owner(grace).authority.create({ account_id })).toMatchObject({ email: grace });
    expect((await signIn(grace)).accounts).toEqual([{ id: account_id, account_owner: true }]);
  });

  test("nor does deleting the inbox in which they were verified; who is verified later inherits nothing", async () => {
    await service.addOwner(account, grace);
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    const inbox = await account.as.inboxes.create({ username: "next" });
    await service.addOwner({ ...account, inbox }, heidi);
    await expect(owner(heidi).authority.create({ account_id: account.account_id })).resolves.toMatchObject({
      object: "approval",
      status: "pending",
    });
    expect(await owner(grace).authority.create({ account_id: account.account_id })).toMatchObject({
      object: "authority",
      email: grace,
    });
  });

  test("an invitation that was left pending gives ownership alone when it is confirmed later", async () => {
    const { inbox, account_id } = account;
    const { id: owner_id } = await account.as.owners.create({ inbox_id: inbox.id, email: heidi });
    await service.work();
    const code = service.codeFor(heidi);
    await service.addOwner(account, grace);
    await account.as.owners.confirmWithCode({ inbox_id: inbox.id, owner_id, code });
    expect(await owner(heidi).authority.create({ account_id })).toMatchObject({ object: "approval" });
    expect(await owner(heidi).authority.list({})).toMatchObject({ data: [] });
  });

  test("an account owner gives authority over an inbox to a verified owner who asks", async () => {
    await service.addOwner(account, grace);
    await service.addOwner(account, heidi);
    const { account_id, inbox } = account;
    await owner(grace).authority.create({ account_id });
    const asked = await owner(heidi).authority.create({ account_id, inbox_id: inbox.id });
    if (asked.object !== "approval") throw new Error("nobody was asked");
    await expect(owner(heidi).approvals.content({ approval_id: asked.id })).rejects.toMatchObject({
      code: "approval_not_found",
    });
    const decision = { approval_id: asked.id, decision: "approve" as const, digest: asked.digest };
    expect(await owner(grace).approvals.decideInSession(decision)).toMatchObject({
      status: "approved",
      decided_by: { email: grace, method: "session" },
    });
    const [given] = (await owner(heidi).authority.list({})).data;
    expect(given).toMatchObject({ inbox_id: inbox.id, email: heidi, given_by: grace });
  });

  test("an account owner's session reaches the account; one over an inbox reaches that inbox alone", async () => {
    await service.addOwner(account, grace);
    const { account_id, inbox } = account;
    const other = await account.as.inboxes.create({ username: "other" });
    await owner(grace).authority.create({ account_id });
    await service.letterslot.operator.accounts.authority.give({
      account_id,
      email: heidi,
      inbox_id: inbox.id,
    });

    expect((await owner(grace).inboxes.list({})).data).toHaveLength(2);
    expect(await owner(grace).keys.create({ name: "Minted" })).toMatchObject({ account_id });
    await owner(grace).webhooks.create({ url: "https://receiver.example/hook" });

    expect((await owner(heidi).inboxes.list({})).data.map(({ id }) => id)).toEqual([inbox.id]);
    await expect(owner(heidi).inboxes.get({ inbox_id: other.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    for (const refused of [
      () => owner(heidi).keys.create({}),
      () => owner(heidi).keys.list({}),
      () => owner(heidi).webhooks.list({}),
      () => owner(heidi).inboxes.create({ username: "third" }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("no session speaks for the agent or shows its key", async () => {
    await service.addOwner(account, grace);
    const { account_id, inbox } = account;
    await owner(grace).authority.create({ account_id });
    const as = owner(grace);
    for (const refused of [
      () => as.messages.send({ inbox_id: inbox.id, to: ["a@example.org"], text: "x" }),
      () => as.updates.create({ inbox_id: inbox.id, kind: "progress", text: "x" }),
      () => as.messages.inject({ inbox_id: inbox.id, from: "a@example.org", text: "x" }),
      () => as.tasks.claim({}),
    ])
      await expect(refused()).rejects.toMatchObject({ code: "key_only" });
    expect(await as.me.get({})).toMatchObject({ account_id, auth_type: "owner", key: null });
  });

  test("a person of two accounts names one; another's is not found; a minted key opens no account", async () => {
    const second = await service.signUp("second");
    for (const each of [account, second]) {
      await service.addOwner(each, grace);
      await owner(grace, each.account_id).authority.create({ account_id: each.account_id });
    }
    const { session_token } = await signIn(grace);
    await expect((await inSession(session_token))("inboxes.list")).rejects.toMatchObject({
      code: "account_required",
    });
    await expect((await inSession(session_token))("keys.create")).rejects.toMatchObject({
      code: "account_required",
    });
    const stranger = await service.signUp("stranger");
    await expect(
      (await inSession(session_token, { account_id: stranger.account_id }))("inboxes.list"),
    ).rejects.toMatchObject({ code: "account_not_found" });
    const call = await inSession(session_token, { inbox_id: second.inbox.id });
    expect(await call("inboxes.get", { inbox_id: second.inbox.id })).toMatchObject({ id: second.inbox.id });
    await expect(
      (await inSession(session_token, { inbox_id: stranger.inbox.id }))("inboxes.get", {
        inbox_id: stranger.inbox.id,
      }),
    ).rejects.toMatchObject({ code: "inbox_not_found" });
  });

  test("its end takes it from every session at once, and cancels what nobody is left to decide", async () => {
    const { account_id } = account;
    const { authority } = service.letterslot.operator.accounts;
    const given = await authority.give({ account_id, email: heidi, inbox_id: account.inbox.id });
    await account.as.inboxes.update({ inbox_id: account.inbox.id, send_mode: "approval" });
    const draft = await account.as.messages.send({ inbox_id: account.inbox.id, to: [grace], text: "x" });
    expect(draft).toMatchObject({ object: "draft", approval_status: "pending" });
    const session = await signIn(heidi);
    const call = await inSession(session.session_token);
    await call("inboxes.list");
    await owner(heidi).authority.delete({ authority_id: given.id });
    await expect(call("inboxes.list")).rejects.toMatchObject({ code: "account_not_found" });
    expect((await account.as.approvals.list({})).data).toMatchObject([{ status: "cancelled" }]);
  });

  test("the last account owner stays while an inbox is in approval mode", async () => {
    await service.addOwner(account, grace);
    const { account_id, inbox } = account;
    const given = await owner(grace).authority.create({ account_id });
    await account.as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
    await expect(owner(grace).authority.delete({ authority_id: given.id })).rejects.toMatchObject({
      code: "owner_required",
      message: expect.stringContaining(inbox.id),
    });
    await service.letterslot.operator.accounts.authority.give({ account_id, email: heidi });
    await owner(heidi).authority.delete({ authority_id: given.id });
    expect((await owner(heidi).authority.list({})).data.map(({ email }) => email)).toEqual([heidi]);
  });

  test("an address of this service never has authority", async () => {
    const { account_id } = account;
    const { authority } = service.letterslot.operator.accounts;
    await expect(authority.give({ account_id, email: "agent@letterslot.localhost" })).rejects.toMatchObject({
      code: "invalid_address",
    });
    await expect(owner("agent@letterslot.localhost").authority.create({ account_id })).rejects.toMatchObject({
      code: "account_not_found",
    });
  });

  test("the operator opens an account in somebody's charge, also when sign-ups are closed", async () => {
    const closed = createTestService({ onboarding: "closed" });
    const { account_id, api_key } = await closed.letterslot.operator.accounts.create({ owner: heidi });
    const as = closed.letterslot.as(await closed.letterslot.authenticate(api_key, null));
    expect(await as.me.get({})).toMatchObject({ account_id, restrictions: [] });
    const person = closed.letterslot.asOwner({ email: heidi, account_id });
    expect((await person.authority.list({})).data).toMatchObject([{ email: heidi, given_by: "operator" }]);
  });
});

describe("what an authority does in its own session", () => {
  test("needs no approval and stands as decided by it", async () => {
    await service.addOwner(account, grace);
    const { account_id, inbox } = account;
    await owner(grace).authority.create({ account_id });
    await account.as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
    const invited = await owner(grace).owners.create({ inbox_id: inbox.id, email: heidi });
    expect(invited).toMatchObject({ object: "owner", status: "pending" });
    expect(await owner(grace).inboxes.update({ inbox_id: inbox.id, send_mode: "direct" })).toMatchObject({
      send_mode: "direct",
    });
    const { data } = await account.as.approvals.list({});
    expect(data.map(({ subject_type, status, decided_by }) => [subject_type, status, decided_by])).toEqual(
      ["outbound_change", "owner_add"].map((subject_type) => [
        subject_type,
        "approved",
        { owner_id: expect.any(String), email: grace, method: "session" },
      ]),
    );
  });

  test("a decision names what was read", async () => {
    await service.addOwner(account, grace);
    const { inbox } = account;
    await account.as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
    await account.as.messages.send({ inbox_id: inbox.id, to: [heidi], text: "42 euros" });
    const [asked] = (await account.as.approvals.list({})).data;
    const approval_id = asked?.id ?? "";
    expect(await owner(grace).approvals.content({ approval_id })).toMatchObject({
      decides: true,
      mail: { to: [heidi], text: "42 euros" },
    });
    await expect(
      owner(grace).approvals.decideInSession({ approval_id, decision: "approve", digest: "other" }),
    ).rejects.toMatchObject({ code: "approval_changed" });
    await expect(
      account.as.approvals.decideInSession({ approval_id, decision: "approve", digest: asked?.digest ?? "" }),
    ).rejects.toMatchObject({ code: "owner_only" });
  });

  test("an inbox with an authority of its own ends only by its held deletion", async () => {
    const { account_id, inbox } = account;
    const soon = new Date(service.clock.now().getTime() + 10 * day).toISOString();
    const inbox_id = inbox.id;
    await account.as.inboxes.update({ inbox_id, expires_at: soon });
    await service.letterslot.operator.accounts.authority.give({ account_id, email: heidi, inbox_id });
    await expect(account.as.inboxes.update({ inbox_id, expires_at: soon })).rejects.toMatchObject({
      code: "approval_required",
      message: expect.stringContaining(inbox_id),
    });
    await service.clock.advance(30 * day);
    await service.letterslot.sweep();
    await service.work();
    expect(await service.letterslot.services.storage.get("inboxes", inbox_id)).toBeDefined();
    expect(await account.as.inboxes.delete({ inbox_id, permanent: true })).toMatchObject({
      object: "approval",
      subject_type: "inbox_delete",
    });
    await owner(heidi).inboxes.delete({ inbox_id, permanent: true });
    await service.work();
    expect(await service.letterslot.services.storage.get("inboxes", inbox_id)).toBeUndefined();
  });

  test("an owner changes and leaves their own ownership, and nobody else's", async () => {
    const owner_id = await service.addOwner(account, grace);
    expect(await owner(grace).owners.updateMine({ owner_id, updates: "daily" })).toMatchObject({
      updates: "daily",
    });
    await expect(owner(heidi).owners.updateMine({ owner_id, updates: "off" })).rejects.toMatchObject({
      code: "owner_not_found",
    });
    await expect(owner(heidi).owners.deleteMine({ owner_id })).rejects.toMatchObject({
      code: "owner_not_found",
    });
    await owner(grace).owners.deleteMine({ owner_id });
    expect((await account.as.owners.list({ inbox_id: account.inbox.id })).data).toEqual([]);
  });

  test("an owner answers a question in their session", async () => {
    await service.addOwner(account, grace);
    const update = await account.as.updates.create({
      inbox_id: account.inbox.id,
      kind: "needs_input",
      text: "Shall I?",
      question: { type: "yes_no" },
    });
    await service.work();
    await expect(
      owner(heidi).questions.answerInSession({ update_id: update.id, value: "yes" }),
    ).rejects.toMatchObject({ code: "update_not_found" });
    expect(
      await owner(grace).questions.answerInSession({ update_id: update.id, value: "yes" }),
    ).toMatchObject({ state: "answered", answer: { value: true } });
  });
});

describe("a confirmation link that came back in a mail", () => {
  /** Invites an address; its reader sends the letter's link to the inbox. */
  async function quoted(email = grace) {
    const { id: owner_id } = await account.as.owners.create({ inbox_id: account.inbox.id, email });
    await service.work();
    const sent = service.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
    const { text } = await parseMail(sent?.raw ?? new Uint8Array());
    const token = /confirm\?token=(\w+)/.exec(text)?.[1] ?? "";
    await service.receive({ from: email, to: account.inbox.email, text: `What is this?\n\n${text}` });
    const status = async () => (await account.as.owners.get({ inbox_id: account.inbox.id, owner_id })).status;
    return { token, status };
  }
  const startFromPage = async (email: string, letter: string, ip = "203.0.113.9") => {
    const { challenge } = await service.letterslot.startSession({ email, ip, letter });
    await service.work();
    return challenge;
  };

  test("confirms nothing alone; its page mails a code to that address, which nobody verified yet", async () => {
    const { token, status } = await quoted();
    expect(await publicly().owners.confirmation({ token })).toMatchObject({ status: "pending" });
    await expect(publicly().owners.confirm({ token })).rejects.toMatchObject({ code: "session_required" });
    expect(await status()).toBe("pending");

    const challenge = await startFromPage(grace, token);
    const code = (await signInLetter(grace))?.code ?? "";
    const session = await publicly().sessions.create({ email: grace, code, challenge });
    const { session_token } = session as typeof session & { session_token: string };
    const call = await inSession(session_token);
    expect(await call("owners.confirm", { token })).toMatchObject({ status: "verified" });
    expect(await status()).toBe("verified");
  });

  test("gets nobody else a code, and nobody one without a valid link", async () => {
    const { token } = await quoted();
    await startFromPage(heidi, token);
    await startFromPage(grace, "lso".padEnd(41, "a"));
    await start(grace);
    expect([letters(heidi), letters(grace)]).toEqual([0, 0]);
    await service.clock.advance(day + 1);
    await startFromPage(grace, token);
    expect(letters(grace)).toBe(0);
  });

  test("gets a code three times a day with the invitation, and five times an hour for who asks", async () => {
    const { token } = await quoted();
    await startFromPage(grace, token, "198.51.100.1");
    await startFromPage(grace, token, "198.51.100.2");
    expect(letters(grace)).toBe(2);
    await expect(startFromPage(grace, token, "198.51.100.3")).rejects.toMatchObject({ code: "rate_limited" });
    for (let asked = 0; asked < 5; asked += 1)
      await startFromPage(`nobody${asked}@example.net`, token, "198.51.100.4");
    await expect(startFromPage("nobody@example.net", token, "198.51.100.4")).rejects.toMatchObject({
      code: "rate_limited",
    });
  });
});
