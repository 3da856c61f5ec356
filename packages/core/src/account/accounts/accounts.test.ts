import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const stranger = { type: "public", ip: "203.0.113.9" } as const;

describe("signing up", () => {
  test("opens an account with a full key and an inbox, and says what to do next", async () => {
    const { letterslot } = createTestService();
    const opened = await letterslot
      .as(stranger)
      .accounts.onboard({ username: "Ada", display_name: "Ada's agent", key_name: "laptop" });
    expect(opened.api_key).toMatch(/^ls_live_[0-9A-Za-z]{40}$/);
    expect(opened.inbox).toMatchObject({
      object: "inbox",
      username: "ada",
      email: "ada@letterslot.localhost",
      display_name: "Ada's agent",
      status: "active",
      screening: "observe",
      require_sender_auth: true,
      send_mode: "direct",
    });
    expect(opened.next_steps.docs_url).toBe("http://localhost:8025/docs");
    expect(opened.next_steps.snippets.map(({ id }) => id)).toContain(opened.next_steps.recommended);

    const caller = await letterslot.authenticate(opened.api_key, null);
    expect(caller).toMatchObject({ account_id: opened.account_id, permissions: null, inbox_ids: null });
    expect("key" in caller && caller.key).toMatchObject({
      id: opened.api_key_id,
      name: "laptop",
      prefix: opened.api_key.slice(0, 12),
    });
  });

  test("stores only a hash of the key", async () => {
    const { letterslot } = createTestService();
    const { api_key, api_key_id } = await letterslot.as(stranger).accounts.onboard({ username: "ada" });
    expect(JSON.stringify(await letterslot.services.storage.get("keys", api_key_id))).not.toContain(
      api_key.slice(12),
    );
  });

  test("leaves nothing behind when the name is taken", async () => {
    const { letterslot } = createTestService();
    await letterslot.as(stranger).accounts.onboard({ username: "ada" });
    await expect(letterslot.as(stranger).accounts.onboard({ username: "ADA" })).rejects.toMatchObject({
      code: "username_taken",
    });
    expect(await letterslot.services.storage.count("accounts", {}, 10)).toBe(1);
    expect(await letterslot.services.storage.count("keys", {}, 10)).toBe(1);
  });

  test("asks the named owner to confirm", async () => {
    const { signUp, work, codeFor, letterslot } = createTestService();
    const { as, inbox } = await signUp("ada", "Grace@Example.com");
    const { data } = await as.owners.list({ inbox_id: inbox.id });
    expect(data).toMatchObject([{ email: "Grace@example.com", status: "pending", digest: "immediate" }]);
    await work();
    const confirmed = await letterslot
      .as(stranger)
      .owners.confirm({ email: "grace@example.com", code: codeFor("Grace@example.com") });
    expect(confirmed.status).toBe("verified");
  });

  test.each([
    "username_reserved:batch",
    "username_reserved:inb_7",
    "invalid_username:a b",
    "invalid_username:.x",
  ])("refuses %s", async (pair) => {
    const [code, username = ""] = pair.split(":");
    await expect(
      createTestService().letterslot.as(stranger).accounts.onboard({ username }),
    ).rejects.toMatchObject({
      code,
      param: "username",
    });
  });

  test("is refused in both ways when the operator has closed it", async () => {
    const { letterslot } = createTestService({ onboarding: "closed" });
    await expect(letterslot.as(stranger).accounts.onboard({ username: "ada" })).rejects.toMatchObject({
      code: "onboarding_closed",
    });
    await expect(letterslot.as(stranger).keys.create({})).rejects.toMatchObject({
      code: "onboarding_closed",
    });
  });

  test("is limited to 30 an hour per address, or per IPv6 /64 network", async () => {
    const { letterslot, clock } = createTestService();
    const publicly = (ip: string) => letterslot.as({ type: "public", ip });
    for (let made = 0; made < 30; made++) await publicly(`2001:db8::${made}`).keys.create({});
    await expect(publicly("2001:db8::ffff").accounts.onboard({ username: "ada" })).rejects.toMatchObject({
      code: "rate_limited",
      retry_after_seconds: 3600,
    });
    await expect(publicly("2001:db8:0:1::1").keys.create({})).resolves.toBeDefined();
    await clock.advance(3600_000);
    await expect(publicly("2001:db8::ffff").accounts.onboard({ username: "ada" })).resolves.toBeDefined();
  });

  test("is not limited for loopback addresses", async () => {
    const { letterslot } = createTestService();
    const local = letterslot.as({ type: "public", ip: "127.0.0.1" });
    for (let made = 0; made < 31; made++) await expect(local.keys.create({})).resolves.toBeDefined();
  });
});

describe("the caller's identity", () => {
  test("shows the key without its secret, and recommends an owner until one has confirmed", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    const before = await account.as.me.get({});
    expect(before).toMatchObject({
      account_id: account.account_id,
      parent_account_id: null,
      auth_type: "api_key",
      key: { id: account.caller.key.id, permissions: null, inbox_id: null, expires_at: null },
      access: { permissions: null, inbox_ids: null },
      lifecycle_emails: "on",
      owner_email_style: { style: "concise", note: null, source: "default" },
      restrictions: [],
    });
    expect(before).not.toHaveProperty("notices");
    expect(before).not.toHaveProperty("sending_health");
    expect(before.owner_recommended).toContain("50 percent");
    expect(JSON.stringify(before)).not.toContain(account.caller.key.hash);

    await service.addOwner(account, "grace@example.com");
    expect(await account.as.me.get({})).not.toHaveProperty("owner_recommended");
  });

  test("shows the two or three newest changes, newest first", async () => {
    const account = await createTestService().signUp("ada");
    const { whats_new } = await account.as.me.get({});
    const dates = whats_new.map(({ date }) => date);
    expect([2, 3]).toContain(dates.length);
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  test("still recommends an owner when the only one has an address of this service", async () => {
    const service = createTestService({ onboarding: "claimed" });
    const account = await service.signUp("ada");
    const friend = await service.signUp("eve");
    const { id } = await account.as.owners.create({ inbox_id: account.inbox.id, email: friend.inbox.email });
    await service.work();
    const [letter] = (await friend.as.messages.list({ inbox_id: friend.inbox.id })).data;
    const code = /\b\d{6}\b/.exec(letter?.extracted_text ?? "")?.[0] ?? "";
    // An agent can read that address, so its code proves nothing.
    const named = { inbox_id: account.inbox.id, owner_id: id };
    await expect(account.as.owners.confirmWithCode({ ...named, code })).rejects.toMatchObject({
      code: "address_is_inbox",
    });
    expect((await account.as.owners.get(named)).status).toBe("pending");

    expect(await account.as.me.get({})).toMatchObject({
      restrictions: ["account_unclaimed"],
      owner_recommended: expect.any(String),
    });
    const update = { inbox_id: account.inbox.id, kind: "progress", text: "Half done." } as const;
    await expect(account.as.updates.create(update)).rejects.toMatchObject({ code: "account_unclaimed" });
  });

  test("an owner outside the service lifts the restriction of a claimed service", async () => {
    const service = createTestService({ onboarding: "claimed" });
    const account = await service.signUp("ada");
    expect((await account.as.me.get({})).restrictions).toEqual(["account_unclaimed"]);
    await service.addOwner(account, "grace@example.com");
    expect((await account.as.me.get({})).restrictions).toEqual([]);
  });

  test("lets unscoped keys with owner_manage set the style of letters", async () => {
    const { signUp, letterslot } = createTestService();
    const { as, inbox, caller } = await signUp();
    const changed = await as.me.update({ owner_email_style: "casual", owner_email_style_note: "No jargon." });
    expect(changed.owner_email_style).toEqual({ style: "casual", note: "No jargon.", source: "account" });
    expect((await as.me.update({ owner_email_style: null })).owner_email_style).toMatchObject({
      style: "concise",
      source: "default",
    });

    const scoped = letterslot.as({ ...caller, inbox_ids: [inbox.id] });
    await expect(scoped.me.update({ owner_email_style: "casual" })).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect((await scoped.me.update({ lifecycle_emails: "off" })).lifecycle_emails).toBe("off");
    const sender = letterslot.as({ ...caller, permissions: ["message_send"] });
    await expect(sender.me.update({ owner_email_style: "casual" })).rejects.toMatchObject({
      code: "permission_denied",
      param: "owner_manage",
    });
    await expect(as.me.update({})).rejects.toMatchObject({ code: "missing_change" });
    await expect(as.me.update({ owner_email_style_note: "x".repeat(281) })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});
