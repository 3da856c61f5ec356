import { describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { takeForPerson } from "../../kernel/addresses/address-registry.ts";
import { type TableName, tables } from "../../model/tables.ts";
import { scanTable } from "../transfer/scan.ts";

const outside = "Ada <ada@example.com>";

describe("creating", () => {
  test("without a username gives a readable random one", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const inbox = await as.inboxes.create({});
    expect(inbox.username).toMatch(/^[a-z]+-[a-z]+-\d{4}$/);
    expect(inbox).toMatchObject({
      email: `${inbox.username}@letterslot.localhost`,
      display_name: null,
      labels: [],
      metadata: {},
      expires_at: null,
      idempotent: false,
    });
  });

  test("keeps every field that was asked for", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const inbox = await as.inboxes.create({
      username: "Sales.Desk",
      display_name: " Sales ",
      domain: "letterslot.localhost",
      labels: ["team:a", "b", "b"],
      metadata: { seats: 3, live: true, city: "Zürich" },
      ttl_hours: 24,
      screening: "hold",
    });
    expect(inbox).toMatchObject({
      username: "sales.desk",
      display_name: "Sales",
      labels: ["team:a", "b"],
      metadata: { seats: 3, live: true, city: "Zürich" },
      expires_at: "2026-01-02T00:00:00.000Z",
      screening: "hold",
    });
    expect(await as.inboxes.get({ inbox_id: inbox.id })).toEqual(inbox);
  });

  test("with a used client_id returns the first inbox", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const first = await as.inboxes.create({ username: "one", client_id: "c-1" });
    expect(await as.inboxes.create({ username: "two", client_id: "c-1" })).toEqual({
      ...first,
      idempotent: true,
    });
    expect((await as.inboxes.list({})).data).toHaveLength(2);
  });

  test("concurrently with one client_id creates one inbox", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const made = await Promise.all(Array.from({ length: 5 }, () => as.inboxes.create({ client_id: "c-1" })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
  });

  test("concurrently with one username succeeds once", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => as.inboxes.create({ username: "one" })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    ["username_reserved", { username: "Postmaster" }],
    ["invalid_username", { username: "-a" }],
    ["domain_not_found", { domain: "example.com" }],
    ["invalid_label", { labels: ["Not Good"] }],
    ["invalid_metadata", { metadata: { a: null as unknown as string } }],
    ["invalid_metadata", { metadata: { a: ["x"] as unknown as string } }],
    ["invalid_screening", { screening: "strict" as "hold" }],
    ["invalid_expiry", { expires_at: "2025-01-01T00:00:00Z" }],
    ["invalid_expiry", { ttl_hours: 0 }],
    ["invalid_request", { ttl_hours: 1, expires_at: "2027-01-01T00:00:00Z" }],
    ["invalid_header", { display_name: "a\r\nBcc: b@example.com" }],
    ["unknown_parameter", { colour: "red" }],
  ])("fails with %s for %j", async (code, input) => {
    const { signUp } = createTestService();
    await expect((await signUp()).as.inboxes.create(input as object)).rejects.toMatchObject({ code });
  });

  test("an address stays its account's after the inbox is gone", async () => {
    const { signUp } = createTestService();
    const ada = await signUp("ada");
    const eve = await signUp("eve");
    await ada.as.inboxes.delete({ inbox_id: ada.inbox.id, permanent: true });
    await expect(eve.as.inboxes.create({ username: "ada" })).rejects.toMatchObject({
      code: "username_taken",
    });
    expect((await ada.as.inboxes.create({ username: "ada" })).email).toBe("ada@letterslot.localhost");
  });

  test.each(["a verified owner", "an authority"])("never gives %s's address away", async (who) => {
    const service = createTestService();
    const { signUp, letterslot } = service;
    const ada = await signUp("ada");
    const eve = await signUp("eve");
    const email = "grace@letterslot.localhost";
    const { storage, clock } = letterslot.services;
    if (who === "an authority") {
      // No longer possible at the service's own domain, but an older version allowed it.
      await takeForPerson(letterslot.services, storage, email, clock.now());
    } else {
      const owner_id = await service.addOwner(ada, "grace@example.com");
      await storage.update("owners", { id: owner_id }, { email });
      await storage.update("addresses", { address: "grace@example.com" }, { address: email });
    }
    await expect(eve.as.inboxes.create({ username: "Grace" })).rejects.toMatchObject({
      code: "username_taken",
      param: "username",
    });
    await expect(signUp("grace")).rejects.toMatchObject({ code: "username_taken" });
    expect(await eve.as.usernames.check({ username: "grace" })).toMatchObject({
      available: false,
      reason: "taken",
    });
  });

  test("is refused for keys limited to an inbox", async () => {
    const { signUp, letterslot } = createTestService();
    const { caller, inbox } = await signUp();
    const scoped = letterslot.as({ ...caller, inbox_ids: [inbox.id] });
    await expect(scoped.inboxes.create({})).rejects.toMatchObject({ code: "permission_denied" });
  });
});

describe("finding", () => {
  test("works by id, username or address", async () => {
    const { signUp } = createTestService();
    const { as, inbox } = await signUp("ada");
    for (const inbox_id of [inbox.id, "ada", "ADA", "Ada@letterslot.localhost"]) {
      expect((await as.inboxes.get({ inbox_id })).id).toBe(inbox.id);
    }
    await expect(as.inboxes.delete({ inbox_id: "ada" })).rejects.toMatchObject({ code: "inbox_not_found" });
  });

  test("does not find another account's inbox, by any name", async () => {
    const { signUp } = createTestService();
    const { inbox } = await signUp("ada");
    const eve = await signUp("eve");
    for (const inbox_id of [inbox.id, "ada", inbox.email]) {
      await expect(eve.as.inboxes.get({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
    }
  });

  test("lists newest first, page by page, and binds a cursor to its filters", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp("a");
    for (const username of ["b", "c"]) await as.inboxes.create({ username });
    const first = await as.inboxes.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true, data: [{ username: "c" }, { username: "b" }] });
    const cursor = first.next_cursor ?? "";
    expect(await as.inboxes.list({ limit: 2, cursor })).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: [{ username: "a" }],
    });
    await expect(as.inboxes.list({ q: "a", cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
    await expect(as.inboxes.list({ limit: 201 })).rejects.toMatchObject({ code: "invalid_limit" });
  });

  test("searches q in username, address and display name, across all pages", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp("zero");
    for (let made = 0; made < 12; made++)
      await as.inboxes.create({
        username: `box${made}`,
        display_name: made % 2 === 0 ? "Even One" : "Odd One",
      });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await as.inboxes.list({
        q: "EVEN",
        limit: 4,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.data.map(({ username }) => username));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(["box10", "box8", "box6", "box4", "box2", "box0"]);
    expect((await as.inboxes.list({ q: "box1@" })).data).toHaveLength(1);
  });

  test("a scoped key lists its own inbox alone", async () => {
    const { signUp, letterslot } = createTestService();
    const { as, caller, inbox } = await signUp();
    await as.inboxes.create({});
    const scoped = letterslot.as({ ...caller, inbox_ids: [inbox.id] });
    expect((await scoped.inboxes.list({})).data.map(({ id }) => id)).toEqual([inbox.id]);
    expect((await scoped.inboxes.list({ q: "nothing" })).data).toEqual([]);
  });
});

describe("changing", () => {
  test("pauses and resumes, and keeps the first paused_at", async () => {
    const { signUp, clock } = createTestService();
    const { as, inbox } = await signUp();
    const { id: inbox_id } = inbox;
    expect(await as.inboxes.update({ inbox_id, status: "paused" })).toMatchObject({
      status: "paused",
      paused_at: "2026-01-01T00:00:00.000Z",
    });
    await clock.advance(1000);
    expect(await as.inboxes.update({ inbox_id, status: "paused" })).toMatchObject({
      paused_at: "2026-01-01T00:00:00.000Z",
    });
    expect(await as.inboxes.update({ inbox_id, status: "active" })).toMatchObject({
      status: "active",
      paused_at: null,
    });
  });

  test("merges metadata and leaves other keys unchanged", async () => {
    const { signUp } = createTestService();
    const { as } = await signUp();
    const { id: inbox_id } = await as.inboxes.create({
      metadata: { a: 1, b: 2 },
      labels: ["x"],
      display_name: "One",
    });
    const changed = await as.inboxes.update({ inbox_id, metadata: { a: null, c: "3" } });
    expect(changed).toMatchObject({ metadata: { b: 2, c: "3" }, labels: ["x"], display_name: "One" });
    expect(await as.inboxes.update({ inbox_id, display_name: null, labels: [] })).toMatchObject({
      display_name: null,
      labels: [],
    });
  });

  test("needs at least one known field", async () => {
    const { signUp } = createTestService();
    const { as, inbox } = await signUp();
    await expect(as.inboxes.update({ inbox_id: inbox.id })).rejects.toMatchObject({ code: "missing_change" });
    await expect(as.inboxes.update({ inbox_id: inbox.id, email: "x" } as never)).rejects.toMatchObject({
      code: "unknown_parameter",
      param: "email",
    });
  });

  test("to less strict checks needs owner_manage and publishes an event", async () => {
    const { signUp, letterslot } = createTestService();
    const { as, inbox, caller, account_id } = await signUp();
    const weak = letterslot.as({ ...caller, permissions: ["inbox_update", "inbox_create"] });
    const laxer = [{ require_sender_auth: false }, { screening: "off" as const }, { sms_tasks: true }];
    for (const change of laxer) {
      await expect(weak.inboxes.update({ inbox_id: inbox.id, ...change })).rejects.toMatchObject({
        code: "permission_denied",
        param: "owner_manage",
      });
      await expect(weak.inboxes.create(change)).rejects.toMatchObject({
        code: "permission_denied",
        param: "owner_manage",
      });
    }
    expect(await weak.inboxes.update({ inbox_id: inbox.id, screening: "hold" })).toMatchObject({
      screening: "hold",
    });
    await as.inboxes.update({ inbox_id: inbox.id, screening: "observe" });

    const events = await letterslot.services.storage.find("events", { where: { account_id }, limit: 10 });
    expect(events).toMatchObject([
      {
        type: "inbox.security_changed",
        inbox_id: inbox.id,
        data: {
          screening: "observe",
          require_sender_auth: true,
          sms_tasks: false,
          previous: { screening: "hold", require_sender_auth: true, sms_tasks: false },
        },
      },
    ]);
  });

  test("sets what callers hear, and that texts may make tasks", async () => {
    const { signUp } = createTestService();
    const { as, inbox } = await signUp();
    const inbox_id = inbox.id;
    expect(inbox).toMatchObject({ sms_tasks: false, voicemail_greeting: null });
    const greeting = { voicemail_greeting: "This is <Ada>. Please speak." };
    expect(await as.inboxes.update({ inbox_id, sms_tasks: true, ...greeting })).toMatchObject({
      sms_tasks: true,
      ...greeting,
    });
    expect(await as.inboxes.update({ inbox_id, voicemail_greeting: null })).toMatchObject({
      voicemail_greeting: null,
    });
    expect(await as.inboxes.create({ sms_tasks: true, voicemail_greeting: "Hello" })).toMatchObject({
      sms_tasks: true,
      voicemail_greeting: "Hello",
    });
    const longest = "a".repeat(500);
    expect(await as.inboxes.update({ inbox_id, voicemail_greeting: longest })).toMatchObject({
      voicemail_greeting: longest,
    });
    for (const voicemail_greeting of ["", "  ", `${longest}a`, "one\r\ntwo", "a\u0000"])
      await expect(as.inboxes.update({ inbox_id, voicemail_greeting })).rejects.toMatchObject({
        code: "invalid_request",
        param: "voicemail_greeting",
      });
  });

  test("to approval mode needs a verified owner", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const change = { inbox_id: account.inbox.id, send_mode: "approval" as const };
    await expect(account.as.inboxes.update(change)).rejects.toMatchObject({ code: "owner_required" });
    await service.addOwner(account, "grace@example.com");
    expect(await account.as.inboxes.update(change)).toMatchObject({ object: "inbox", send_mode: "approval" });
    await expect(
      account.as.inboxes.update({ ...change, send_mode: "later" as "direct" }),
    ).rejects.toMatchObject({
      code: "invalid_send_mode",
    });
  });

  test("takes no username or address in place of the id", async () => {
    const { signUp } = createTestService();
    const { as, inbox } = await signUp("ada");
    for (const inbox_id of ["ada", inbox.email])
      await expect(as.inboxes.update({ inbox_id, display_name: "A" })).rejects.toMatchObject({
        code: "inbox_not_found",
      });
  });
});

describe("deleting", () => {
  async function filled(service: TestService) {
    const account = await service.signUp("ada");
    const { as, inbox } = account;
    await service.addOwner(account, "ada@example.com");
    await service.receive({ from: outside, to: inbox.email, subject: "Please book", text: "Book a table." });
    await as.updates.create({ inbox_id: inbox.id, kind: "progress", text: "Looking.", task_id: "t" });
    await service.work();
    return account;
  }

  test("deletes everything in it and returns the counts", async () => {
    const service = createTestService();
    const { as, inbox } = await filled(service);
    const { api_key } = await as.keys.createForInbox({ inbox_id: inbox.id });
    expect(await as.inboxes.delete({ inbox_id: inbox.id, permanent: true })).toEqual({
      id: inbox.id,
      object: "inbox",
      deleted: true,
      restorable_until: null,
      messages_deleted: 3,
      threads_deleted: 3,
      drafts_deleted: 0,
      tasks_deleted: 1,
      owners_deleted: 1,
      updates_deleted: 1,
      keys_revoked: 1,
      webhooks_deleted: 0,
      consumers_deleted: 0,
    });
    await expect(as.inboxes.get({ inbox_id: inbox.id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    await expect(as.inboxes.delete({ inbox_id: inbox.id, permanent: true })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });

  test("leaves no row behind once the work is done", async () => {
    const service = createTestService();
    const { as, inbox } = await filled(service);
    await as.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await service.work();
    const { storage } = service.letterslot.services;
    const left = await Promise.all([
      ...(
        [
          "messages",
          "threads",
          "tasks",
          "owners",
          "updates",
          "update_deliveries",
          "update_threads",
          "allowlist",
          "events",
        ] as const
      ).map((table) => storage.count(table, { inbox_id: inbox.id }, 10)),
      storage.count("message_bodies", {}, 10),
      storage.count("message_terms", {}, 10),
      storage.count("message_references", {}, 10),
      storage.count("jobs", { kind: "inbox.purge" }, 10),
    ]);
    expect(left).toEqual(left.map(() => 0));
  });

  test("leaves in no table a record that names it, but for keys, suppressions and the registry of letters", async () => {
    const service = createTestService();
    const { as, inbox } = await filled(service);
    await as.consumers.create({ client_id: "reader", inbox_id: inbox.id });
    await as.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await service.work();
    const left = new Set<string>();
    for (const table of Object.keys(tables) as TableName[])
      for await (const records of scanTable(service.letterslot.services.storage, table))
        if (records.some((record) => record["inbox_id"] === inbox.id)) left.add(table);
    const kept = ["keys", "letters", "suppressions"];
    expect([...left].toSorted()).toEqual(kept.filter((table) => left.has(table)));
  });

  test("deletes the consumers that read nothing else", async () => {
    const { as, inbox } = await createTestService().signUp();
    const other = await as.inboxes.create({});
    await as.consumers.create({ client_id: "of this", inbox_id: inbox.id });
    const kept = await as.consumers.create({ client_id: "of another", inbox_id: other.id });
    const wide = await as.consumers.create({ client_id: "of all" });
    expect((await as.consumers.list({ inbox_id: other.id })).data.map(({ id }) => id)).toEqual([kept.id]);
    expect(await as.inboxes.delete({ inbox_id: inbox.id, permanent: true })).toMatchObject({
      consumers_deleted: 1,
    });
    expect((await as.consumers.list({})).data.map(({ id }) => id)).toEqual([wide.id, kept.id]);
  });

  test("of much mail is done in small steps", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp();
    const { storage } = service.letterslot.services;
    await service.receive({ from: outside, to: inbox.email });
    const [message] = await storage.find("messages", { where: { inbox_id: inbox.id }, limit: 1 });
    if (message === undefined) throw new Error("nothing came in");
    await storage.transaction(async (tx) => {
      const copies = Array.from({ length: 2500 }, () => ({
        ...message,
        id: service.letterslot.services.makeId("msg"),
        dedupe_key: null,
      }));
      tx.append("messages", copies);
    });
    expect(await as.inboxes.delete({ inbox_id: inbox.id, permanent: true })).toMatchObject({
      messages_deleted: 2501,
    });
    await service.work();
    expect(await storage.count("messages", { inbox_id: inbox.id }, 10)).toBe(0);
  });

  test("deletes a webhook that loses its last inbox, and narrows the others", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp();
    const other = await as.inboxes.create({});
    const url = "https://hooks.example.com/";
    await as.webhooks.create({ url, inbox_ids: [inbox.id] });
    const shared = await as.webhooks.create({ url, inbox_ids: [inbox.id, other.id] });
    const wide = await as.webhooks.create({ url });
    expect(await as.inboxes.delete({ inbox_id: inbox.id, permanent: true })).toMatchObject({
      webhooks_deleted: 1,
    });
    const hooks = (await as.webhooks.list({})).data;
    expect(new Map(hooks.map(({ id, inbox_ids }) => [id, inbox_ids]))).toEqual(
      new Map([
        [wide.id, []],
        [shared.id, [other.id]],
      ]),
    );
  });

  test("an expired inbox is purged after its retention, unless its expiry was moved", async () => {
    const service = createTestService();
    const { as } = await service.signUp();
    const day = 24 * 3600_000;
    const short = await as.inboxes.create({ ttl_hours: 1 });
    const moved = await as.inboxes.create({ ttl_hours: 1 });
    await service.clock.advance(7 * day);
    await service.letterslot.sweep();
    await service.work();
    expect((await as.inboxes.get({ inbox_id: short.id })).id).toBe(short.id);

    await service.clock.advance(2 * 3600_000);
    await service.letterslot.sweep();
    await as.inboxes.update({ inbox_id: moved.id, expires_at: "2027-01-01T00:00:00Z" });
    await service.work();
    await expect(as.inboxes.get({ inbox_id: short.id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect((await as.inboxes.get({ inbox_id: moved.id })).id).toBe(moved.id);
  });
});
