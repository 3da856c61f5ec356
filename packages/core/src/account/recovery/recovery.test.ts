import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, letInApp, type TestAccount, type TestService } from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const minute = 60_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const publicly = (ip = "203.0.113.9") => service.letterslot.as({ type: "public", ip });
const give = (email: string, inbox_id?: string, account_id = account.account_id) =>
  service.letterslot.operator.accounts.authority.give({ account_id, email, inbox_id });

/** The letters from no-reply to an address whose subject begins so, as text; the newest last. */
async function letters(email: string, subject: string): Promise<string[]> {
  const sent = service.transport.sent.filter(
    ({ envelope, from }) => envelope.rcpt_to.includes(email) && from.startsWith("no-reply@"),
  );
  const mails = await Promise.all(sent.map(({ raw }) => parseMail(raw)));
  return mails.filter((mail) => mail.subject?.startsWith(subject)).map((mail) => mail.text ?? "");
}

const tokenIn = (letter: string | undefined) => /recover\/confirm\?token=(\w+)/.exec(letter ?? "")?.[1] ?? "";

/** Asks for a link, and answers its token; empty when no letter came. */
async function ask(email: string, ip?: string): Promise<string> {
  const before = (await letters(email, "Recover")).length;
  await publicly(ip).recovery.start({ email });
  await service.work();
  return tokenIn((await letters(email, "Recover"))[before]);
}

/** Signs in; answers what the session calls. */
async function signIn(email: string, ip = "203.0.113.9") {
  const { challenge } = await publicly(ip).sessions.start({ email });
  await service.work();
  const session = await publicly(ip).sessions.create({ email, code: service.codeFor(email), challenge });
  const { session_token } = session as typeof session & { session_token: string };
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const person = await service.letterslot.authenticateSession(session_token, ip);
    if (person === undefined) throw new Error("the session has ended");
    return service.letterslot.call(await service.letterslot.callerFor(person, name, {}), name, input);
  };
  return { call, session_token, id: session.id };
}

type Recovered = Awaited<ReturnType<ReturnType<typeof publicly>["recovery"]["confirm"]>>;
const confirm = (session: Awaited<ReturnType<typeof signIn>>, input: Record<string, unknown>) =>
  session.call("recovery.confirm", input) as Promise<Recovered>;

const works = (api_key: string) =>
  service.letterslot.authenticate(api_key, null).then(
    () => true,
    () => false,
  );

describe("asking for a link", () => {
  test("mails one to a person with authority, from no-reply and in no inbox, and the same answer to all", async () => {
    await give(grace);
    const before = (await account.as.messages.list({ inbox_id: account.inbox.id })).data.length;
    const answers = [];
    for (const email of [grace, "nobody@example.net", heidi])
      answers.push(await publicly().recovery.start({ email }));
    await service.work();
    expect(answers).toEqual(
      answers.map(() => ({ object: "recovery", expires_at: "2026-01-01T00:30:00.000Z" })),
    );
    const [letter] = await letters(grace, "Recover");
    expect(tokenIn(letter)).toMatch(/^lso[a-z2-7]{38}$/);
    expect(letter).toContain("Never pass this link on; your agent doesn't need it.");
    expect([await letters("nobody@example.net", ""), await letters(heidi, "")]).toEqual([[], []]);
    expect((await account.as.messages.list({ inbox_id: account.inbox.id })).data).toHaveLength(before);
  });

  test("brings nothing to somebody with ownership alone, or to the first address before it takes charge", async () => {
    await service.addOwner(account, grace);
    expect(await ask(grace)).toBe("");
  });

  test("is not for keys, and no address of this service ever gets a link", async () => {
    await give(grace);
    const { access_token } = await letInApp(service, account, { email: grace, scope: ["message_read"] });
    const app = service.letterslot.as(await service.letterslot.authenticate(access_token, null));
    for (const as of [account.as, app])
      await expect(as.recovery.start({ email: grace })).rejects.toMatchObject({ code: "owner_only" });
    const { storage } = service.letterslot.services;
    const [given] = await storage.find("authorities", { where: { email: grace }, limit: 1 });
    if (given === undefined) throw new Error("no authority");
    const inside = account.inbox.email;
    await storage.insert("authorities", { ...given, id: `${given.id}x`, email: inside });
    await publicly().recovery.start({ email: inside });
    await service.work();
    expect((await account.as.messages.list({ inbox_id: account.inbox.id })).data).toEqual([]);
    expect(service.transport.sent).toEqual([]);
  });

  test("that its reader forwards to the agent is removed from what the agent reads", async () => {
    await give(grace);
    const token = await ask(grace);
    const [letter = ""] = await letters(grace, "Recover");
    await service.receive({ from: grace, to: account.inbox.email, text: `What is this?\n\n${letter}` });
    const [received] = (await account.as.messages.list({ inbox_id: account.inbox.id })).data;
    const message_id = received?.id ?? "";
    const message = await account.as.messages.get({ inbox_id: account.inbox.id, message_id });
    expect(message.text).toContain("What is this?");
    expect(JSON.stringify(message)).not.toContain(token);
  });

  test("is limited to three an hour for an address and a place together, for unknown addresses alike", async () => {
    await give(grace);
    for (const email of [grace, "nobody@example.net"]) {
      for (let asked = 0; asked < 3; asked += 1) await publicly().recovery.start({ email });
      await expect(publicly().recovery.start({ email })).rejects.toMatchObject({ code: "rate_limited" });
    }
    expect(await publicly("198.51.100.1").recovery.start({ email: grace })).toMatchObject({
      object: "recovery",
    });
    await service.clock.advance(60 * minute);
    expect(await publicly().recovery.start({ email: grace })).toMatchObject({ object: "recovery" });
  });

  test("from many places is limited to thirty a day, but not where the person signed in before", async () => {
    await give(grace);
    await signIn(grace, "192.0.2.1");
    for (let place = 0; place < 30; place += 1)
      await publicly(`198.51.${place}.1`).recovery.start({ email: grace });
    await expect(publicly("198.51.100.1").recovery.start({ email: grace })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await publicly("192.0.2.9").recovery.start({ email: grace })).toMatchObject({
      object: "recovery",
    });
  });

  test("leaves neither the link nor the key in what is stored", async () => {
    await give(grace);
    const token = await ask(grace);
    const { storage } = service.letterslot.services;
    const dump = async () => {
      const all = { where: {}, limit: 100 };
      return JSON.stringify([
        await storage.find("recoveries", all),
        await storage.find("keys", all),
        await storage.find("jobs", all),
        await storage.find("events", all),
      ]);
    };
    const before = await dump();
    const { api_key } = await confirm(await signIn(grace), { token });
    const after = await dump();
    for (const secret of [token, api_key]) expect(before + after).not.toContain(secret);
  });
});

describe("recovering", () => {
  test("gives an account owner a key of the account, once, and tells the feed and those in charge", async () => {
    await give(grace);
    await give(heidi);
    const token = await ask(grace);
    expect(await publicly().recovery.review({ token })).toMatchObject({
      object: "recovery_review",
      email: grace,
      choices: [
        {
          account_id: account.account_id,
          inbox_id: null,
          keys: [{ id: account.caller.key.id, name: "API key" }],
          more_keys: false,
        },
      ],
      sessions: [],
    });
    const session = await signIn(grace);
    const made = await confirm(session, { token });
    expect(made).toMatchObject({
      object: "api_key",
      account_id: account.account_id,
      inbox_id: null,
      permissions: null,
      expires_at: null,
      revoked_at: null,
      keys_revoked: 0,
      apps_revoked: 0,
      sessions_ended: 0,
    });
    const caller = await service.letterslot.authenticate(made.api_key, null);
    expect(await service.letterslot.as(caller).me.get({})).toMatchObject({ account_id: account.account_id });
    expect(await works(account.api_key)).toBe(true);
    await expect(confirm(session, { token })).rejects.toMatchObject({ code: "recovery_invalid" });
    await expect(publicly().recovery.review({ token })).rejects.toMatchObject({ code: "recovery_invalid" });

    const { data } = await account.as.events.list({ types: ["recover.key_created"] });
    expect(data).toMatchObject([
      {
        type: "recover.key_created",
        inbox_id: null,
        data: { key: { id: made.id, inbox_id: null }, email: grace, keys_revoked: 0, apps_revoked: 0 },
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(made.api_key);
    await service.work();
    for (const email of [grace, heidi]) {
      const [letter] = await letters(email, "A new key was recovered");
      expect(letter).toContain(`${made.prefix}…`);
      expect(letter).toContain(`for the account of ${account.inbox.email}, on`);
      expect(letter).not.toMatch(/\b(?:acct|key|inb)_/);
      expect(letter).toContain(`${grace} has recovered a key`);
      expect(letter).not.toContain(made.api_key);
    }
  });

  test("gives an inbox owner a key held to that inbox, and tells its owners too", async () => {
    await give(grace);
    await give(heidi, account.inbox.id);
    await service.addOwner(account, "ivan@example.net");
    await account.as.inboxes.create({ username: "other" });
    const token = await ask(heidi);
    const made = await confirm(await signIn(heidi), { token });
    expect(made).toMatchObject({ inbox_id: account.inbox.id, permissions: null });
    const as = service.letterslot.as(await service.letterslot.authenticate(made.api_key, null));
    expect((await as.inboxes.list({})).data.map(({ id }) => id)).toEqual([account.inbox.id]);
    await service.work();
    for (const email of [grace, heidi, "ivan@example.net"])
      expect((await letters(email, "A new key was recovered"))[0]).toContain(account.inbox.email);
    expect((await as.events.list({ types: ["recover.key_created"] })).data).toHaveLength(1);
  });

  test("asks which account or inbox where there are several", async () => {
    const second = await service.signUp("second");
    const { id } = await give(grace);
    await give(grace, second.inbox.id, second.account_id);
    const token = await ask(grace);
    const { choices } = await publicly().recovery.review({ token });
    expect(choices.map(({ account_id, inbox_email }) => [account_id, inbox_email])).toEqual([
      [account.account_id, null],
      [second.account_id, second.inbox.email],
    ]);
    const session = await signIn(grace);
    await expect(confirm(session, { token })).rejects.toMatchObject({ code: "recovery_choice_required" });
    const stranger = await give(heidi);
    await expect(confirm(session, { token, authority_id: stranger.id })).rejects.toMatchObject({
      code: "authority_not_found",
    });
    expect(await confirm(session, { token, authority_id: id })).toMatchObject({
      account_id: account.account_id,
    });
  });

  test("revokes all other keys, apps and sessions with it, if asked, and nothing of other accounts and people", async () => {
    const second = await service.signUp("second");
    await give(grace);
    await give(heidi);
    const child = await account.as.keys.create({ name: "child", permissions: ["message_read"] });
    const { id: workspace_id, api_key: within = "" } = await account.as.workspaces.create({
      name: "Customer",
      inbox_quota: 1,
    });
    const app = await letInApp(service, account, { email: heidi, scope: ["inbox_read"] });
    const lost = await signIn(grace);
    const others = await signIn(heidi);
    const token = await ask(grace);
    const { choices, sessions } = await publicly().recovery.review({ token });
    expect(choices).toMatchObject([
      {
        keys: [{ id: child.id }, { id: account.caller.key.id }],
        apps: [{ client_name: "Test app", inbox_id: null }],
        workspaces: 1,
      },
    ]);
    expect(sessions).toHaveLength(1);
    const session = await signIn(grace);
    const made = await confirm(session, { token, revoke_others: true });
    expect(made).toMatchObject({ keys_revoked: 3, apps_revoked: 1, sessions_ended: 1 });
    for (const secret of [account.api_key, child.api_key, within, app.access_token])
      expect(await works(secret)).toBe(false);
    for (const secret of [made.api_key, second.api_key]) expect(await works(secret)).toBe(true);
    const as = service.letterslot.as(await service.letterslot.authenticate(made.api_key, null));
    expect(await as.workspaces.get({ workspace_id })).toMatchObject({ id: workspace_id });
    await expect(lost.call("sessions.get")).rejects.toThrow("the session has ended");
    expect(await session.call("sessions.get")).toMatchObject({ email: grace });
    expect(await others.call("sessions.get")).toMatchObject({ email: heidi });
  });

  test("by an inbox owner revokes only keys and apps held to that inbox", async () => {
    await give(grace);
    await give(heidi, account.inbox.id);
    const scope = ["inbox_read" as const];
    const whole = await letInApp(service, account, { email: grace, scope });
    const app = await letInApp(service, account, { email: grace, scope, inbox_id: account.inbox.id });
    const held = await account.as.keys.createForInbox({ inbox_id: account.inbox.id });
    const token = await ask(heidi);
    const { choices } = await publicly().recovery.review({ token });
    expect(choices[0]?.keys.map(({ id }) => id)).toEqual([held.id]);
    expect(await confirm(await signIn(heidi), { token, revoke_others: true })).toMatchObject({
      keys_revoked: 1,
      apps_revoked: 1,
    });
    for (const secret of [held.api_key, app.access_token]) expect(await works(secret)).toBe(false);
    for (const secret of [account.api_key, whole.access_token]) expect(await works(secret)).toBe(true);
  });

  test("needs a sign-in made within ten minutes, by the person whom the link was mailed to", async () => {
    await give(grace);
    await give(heidi);
    const old = await signIn(grace);
    await service.clock.advance(10 * minute);
    const token = await ask(grace);
    await expect(publicly().recovery.confirm({ token })).rejects.toMatchObject({ code: "session_required" });
    await expect(account.as.recovery.confirm({ token })).rejects.toMatchObject({ code: "owner_only" });
    await expect(account.as.recovery.review({ token })).rejects.toMatchObject({ code: "owner_only" });
    await expect(confirm(old, { token })).rejects.toMatchObject({ code: "recent_sign_in_required" });
    await expect(confirm(await signIn(heidi), { token })).rejects.toMatchObject({ code: "session_required" });
    expect(await confirm(await signIn(grace), { token })).toMatchObject({ object: "api_key" });
  });

  test.each(["after 30 minutes", "after a newer link", "after the authority ended", "when it is guessed"])(
    "fails %s, with one answer",
    async (when) => {
      const given = await give(grace);
      await give(heidi);
      let token = await ask(grace);
      if (when === "after 30 minutes") await service.clock.advance(30 * minute);
      if (when === "after a newer link") await ask(grace);
      if (when === "when it is guessed") token = `lso${"2".repeat(38)}`;
      const session = await signIn(grace);
      if (when === "after the authority ended")
        await service.letterslot.operator.accounts.authority.end(given.id);
      await expect(confirm(session, { token })).rejects.toMatchObject({ code: "recovery_invalid" });
      await expect(publicly().recovery.review({ token })).rejects.toMatchObject({
        code: "recovery_invalid",
      });
      expect((await account.as.keys.list({})).data).toHaveLength(1);
    },
  );

  test("of two calls at once makes one key", async () => {
    await give(grace);
    const token = await ask(grace);
    const session = await signIn(grace);
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => confirm(session, { token, revoke_others: true })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const failed of tries.filter((each) => each.status === "rejected"))
      expect(failed.reason).toMatchObject({ code: "recovery_invalid" });
    const { storage } = service.letterslot.services;
    const made = await storage.find("keys", { where: { recovered_by: grace }, limit: 10 });
    expect(made.map(({ revoked_at }) => revoked_at)).toEqual([null]);
  });

  test("while the authority ends makes no key that its letter doesn't name", async () => {
    const given = await give(grace);
    await give(heidi);
    const token = await ask(grace);
    const session = await signIn(grace);
    const [made] = await Promise.allSettled([
      confirm(session, { token }),
      service.letterslot.operator.accounts.authority.end(given.id),
    ]);
    await service.work();
    const told = await letters(heidi, `Keys that ${grace} recovered`);
    expect(told).toHaveLength(made.status === "fulfilled" ? 1 : 0);
  });

  test("goes without a session where the embedding program vouches for the person", async () => {
    await give(grace);
    const token = await ask(grace);
    const person = service.letterslot.asOwner({ email: grace, account_id: account.account_id });
    expect(await person.recovery.confirm({ token })).toMatchObject({ account_id: account.account_id });
  });
});

describe("when an authority ends", () => {
  test("a letter lists the keys that its person recovered and that still work", async () => {
    const given = await give(grace);
    await give(heidi);
    const made = await confirm(await signIn(grace), { token: await ask(grace) });
    await service.letterslot.operator.accounts.authority.end(given.id);
    await service.work();
    const [letter, ...more] = await letters(heidi, `Keys that ${grace} recovered`);
    expect(letter).toContain(`${made.prefix}…`);
    expect(letter).toContain(`in the account of ${account.inbox.email}, on`);
    expect(letter).not.toMatch(/\b(?:acct|key|inb)_/);
    expect([more, await letters(grace, "Keys that")]).toEqual([[], []]);
    expect(await works(made.api_key)).toBe(true);
  });

  test("there is no letter about keys that were revoked, or that they still have charge of", async () => {
    const whole = await give(grace);
    const held = await give(grace, account.inbox.id);
    await give(heidi);
    const session = await signIn(grace);
    const token = await ask(grace);
    await confirm(session, { token, authority_id: held.id });
    await service.letterslot.operator.accounts.authority.end(held.id);
    const made = await confirm(session, { token: await ask(grace) });
    await account.as.keys.delete({ key_id: made.id });
    await service.work();
    expect(await letters(heidi, "Keys that")).toEqual([]);
    await service.letterslot.operator.accounts.authority.end(whole.id);
    await service.work();
    const [letter = ""] = await letters(heidi, "Keys that");
    expect(letter).not.toContain(made.id);
  });
});
