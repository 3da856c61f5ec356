import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import {
  withOwner as accountWithOwner,
  answerTo,
  headerOf,
  lettersTo,
  reporter,
} from "../../../testing/owner-mail.ts";

const grace = "grace@example.com";
const hour = 3600_000;

const withOwner = (emails?: readonly string[]) => accountWithOwner(createTestService(), emails);

describe("an update", () => {
  test("goes to every verified owner by a letter, and to nobody else", async () => {
    const { service, report, as, inbox, owners } = await withOwner([grace, "alan@example.com"]);
    await as.owners.create({ inbox_id: inbox.id, email: "pending@example.com" });
    await service.work();
    const before = service.transport.sent.length;
    const update = await report({
      title: "Half way there",
      task_id: "t-1",
      links: [{ label: "Board", url: "https://example.com/board" }],
    });
    expect(update).toMatchObject({
      object: "update",
      inbox_id: inbox.id,
      kind: "progress",
      title: "Half way there",
      task_id: "t-1",
      status: null,
      idempotent: false,
    });
    expect(update.deliveries).toMatchObject(
      [grace, "alan@example.com"].map((email, index) => ({
        object: "update_delivery",
        owner_id: owners[index],
        email,
        mode: "immediate",
        status: "sent",
        reason: null,
        message_id: expect.stringMatching(/^msg_/),
      })),
    );
    await service.work();
    const recipients = service.transport.sent.slice(before).map(({ envelope }) => envelope.rcpt_to);
    expect(new Set(recipients.flat())).toEqual(new Set(["alan@example.com", grace]));
    expect((await as.updates.list({ inbox_id: inbox.id })).data).toEqual([update]);
    expect(await as.updates.get({ inbox_id: inbox.id, update_id: update.id })).toEqual(update);
  });

  test("is read by its id in its own inbox alone", async () => {
    const { as, report } = await withOwner();
    const { id: update_id } = await report();
    const second = await as.inboxes.create({ username: "second" });
    await expect(as.updates.get({ inbox_id: second.id, update_id })).rejects.toMatchObject({
      code: "update_not_found",
    });
  });

  test("is delivered to nobody when no owner has confirmed", async () => {
    const service = createTestService();
    const account = await service.signUp("ada", grace);
    expect((await reporter(account)()).deliveries).toEqual([]);
  });

  test("with a used client_id returns the first one and sends nothing", async () => {
    const { service, report } = await withOwner();
    const first = await report({ client_id: "c-1" });
    expect(await report({ client_id: "c-1", text: "Something else." })).toEqual({
      ...first,
      idempotent: true,
    });
    const racing = await Promise.all([report({ client_id: "c-2" }), report({ client_id: "c-2" })]);
    expect(racing[0].id).toBe(racing[1].id);
    expect(racing[0].deliveries).toEqual(racing[1].deliveries);
    await service.work();
    expect(lettersTo(service, grace)).toHaveLength(3);
  });

  test.each([
    ["invalid_link", { links: [{ label: "x", url: "http://example.com" }] }],
    ["invalid_link", { links: [{ label: "x", url: "javascript:alert(1)" }] }],
    ["unknown_parameter", { links: [{ label: "x", url: "https://example.com", title: "y" } as never] }],
    [
      "invalid_request",
      { links: Array.from({ length: 11 }, () => ({ label: "x", url: "https://example.com" })) },
    ],
    ["invalid_request", { kind: "news" as "done" }],
    ["missing_body", { text: " \n" }],
    ["invalid_request", { text: "x".repeat(10_001) }],
    ["invalid_header", { title: "a\r\nBcc: eve@example.com" }],
  ])("fails with %s for %j", async (code, change) => {
    const { report } = await withOwner();
    await expect(report(change)).rejects.toMatchObject({ code });
  });

  test("is refused for a paused, expired or foreign inbox", async () => {
    const { service, report, as, inbox } = await withOwner();
    const eve = await service.signUp("eve");
    await expect(
      eve.as.updates.create({ inbox_id: inbox.id, kind: "done", text: "x" }),
    ).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    await as.inboxes.update({ inbox_id: inbox.id, status: "paused", expires_at: "2026-01-01T00:00:01Z" });
    await expect(report()).rejects.toMatchObject({ code: "inbox_paused" });
    await service.clock.advance(1000);
    await expect(report()).rejects.toMatchObject({ code: "inbox_expired" });
  });

  test("needs update_send to write and owner_read to list", async () => {
    const { service, caller, inbox } = await withOwner();
    const reader = service.letterslot.as({ ...caller, permissions: ["owner_read"] });
    await expect(
      reader.updates.create({ inbox_id: inbox.id, kind: "done", text: "x" }),
    ).rejects.toMatchObject({
      param: "update_send",
    });
    expect((await reader.updates.list({ inbox_id: inbox.id })).data).toEqual([]);
    const sender = service.letterslot.as({ ...caller, permissions: ["update_send"] });
    await expect(sender.updates.list({ inbox_id: inbox.id })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("whose letter is rejected by the receiver shows as failed", async () => {
    const { service, report, as, inbox } = await withOwner();
    service.transport.refuse(grace, "permanent_failure");
    await report();
    await service.work();
    const [update] = (await as.updates.list({ inbox_id: inbox.id })).data;
    expect(update?.deliveries).toMatchObject([{ status: "failed", reason: "not_delivered" }]);
  });
});

describe("a letter of an update", () => {
  test("has its kind in the subject and one-click unsubscribe in its headers", async () => {
    const { service, report } = await withOwner();
    await report({ kind: "needs_input", title: "Which venue" });
    await service.work();
    const letter = lettersTo(service, grace).at(-1);
    expect(headerOf(letter, "Subject")).toBe("[Needs input] Which venue");
    expect(headerOf(letter, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(letter, "List-Unsubscribe")).toMatch(
      /^<http:\/\/localhost:8025\/api\/v1\/owners\/unsubscribe\?token=\w{41}>$/,
    );
    expect(headerOf(letter, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  });

  test("hides its unsubscribe token from the agent", async () => {
    const { service, report, as } = await withOwner();
    const { deliveries, inbox_id } = await report();
    await service.work();
    const token =
      /unsubscribe\?token=(\w{41})/.exec(lettersTo(service, grace).at(-1) ?? "")?.[1] ?? "no token";
    const letter = { inbox_id, message_id: deliveries[0]?.message_id ?? "" };
    const { storage } = service.letterslot.services;
    const seen = [
      await as.messages.get(letter),
      new TextDecoder().decode((await as.messages.raw(letter)).bytes),
      await storage.find("message_bodies", { where: {}, limit: 100 }),
      await storage.find("events", { where: {}, limit: 100 }),
      await storage.find("owners", { where: {}, limit: 100 }),
    ];
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  test("with the same task_id continues the thread, under its own kind", async () => {
    const { service, report, as, inbox } = await withOwner();
    const reports = [
      { task_id: "t-1", title: "Booking the venue" },
      { task_id: "t-1", title: "Which venue", kind: "needs_input" as const },
      { task_id: "t-2", title: "Something else" },
    ];
    for (const each of reports) {
      await report(each);
      await service.work();
    }
    const [first, second, third] = lettersTo(service, grace).slice(1);
    expect([first, second, third].map((letter) => headerOf(letter, "Subject"))).toEqual([
      "[Progress] Booking the venue",
      "Re: [Needs input] Which venue",
      "[Progress] Something else",
    ]);
    expect(headerOf(second, "In-Reply-To")).toBe(headerOf(first, "Message-ID"));
    expect(headerOf(third, "In-Reply-To")).toBeUndefined();

    const messages = (await as.messages.list({ inbox_id: inbox.id })).data;
    const threadOf = (subject: string) => messages.find((message) => message.subject === subject)?.thread_id;
    expect(threadOf("Re: [Needs input] Which venue")).toBe(threadOf("[Progress] Booking the venue"));
    expect(threadOf("[Progress] Something else")).not.toBe(threadOf("[Progress] Booking the venue"));
  });

  test("is answered by a task with the task_id", async () => {
    const { service, report, as } = await withOwner();
    await report({ task_id: "t-1", kind: "needs_input", text: "Which venue?" });
    await service.work();
    const asked = lettersTo(service, grace).at(-1);
    await service.receive({
      from: `Grace <${grace}>`,
      ...answerTo(asked),
      text: "The garden.",
    });
    expect((await as.tasks.list({})).data).toMatchObject([
      { task_id: "t-1", text: expect.stringContaining("The garden.") },
    ]);
  });

  test("is written in the owner's style", async () => {
    const { report, as, inbox, owners } = await withOwner();
    const update = { title: "Half way there", text: "Six of twelve rooms are booked.", status: "on track" };
    const named = { inbox_id: inbox.id, owner_id: owners[0] ?? "" };
    const textOf = async (style: "concise" | "detailed" | "casual") => {
      await as.owners.update({ ...named, email_style: style });
      const { deliveries } = await report(update);
      return (
        (await as.messages.get({ inbox_id: inbox.id, message_id: deliveries[0]?.message_id ?? "" })).text ??
        ""
      );
    };
    const concise = await textOf("concise");
    expect(concise).toContain("Half way there");
    expect(concise).not.toContain("Six of twelve");
    expect(await textOf("detailed")).toMatch(/Half way there[^]*Status: on track[^]*Six of twelve/);
    expect(await textOf("casual")).toMatch(/^PROGRESS\n\nHi![^]*Six of twelve/);
  });
});

describe("an owner's settings", () => {
  test("a daily digest queues, and unsubscribing skips", async () => {
    const { service, report, as, inbox, owners } = await withOwner([grace, "alan@example.com"]);
    await as.owners.update({ inbox_id: inbox.id, owner_id: owners[0] ?? "", digest: "daily" });
    await service.letterslot.services.storage.update(
      "owners",
      { id: owners[1] ?? "" },
      { unsubscribed_at: "2026-01-01T00:00:00.000Z" },
    );
    const before = service.transport.sent.length;
    expect((await report()).deliveries).toMatchObject([
      { mode: "digest", status: "queued", reason: null, message_id: null },
      { mode: "immediate", status: "skipped", reason: "unsubscribed", message_id: null },
    ]);
    await service.work();
    expect(service.transport.sent).toHaveLength(before);
  });

  test("removing an owner removes their queued updates from the digest", async () => {
    const { report, as, inbox, owners } = await withOwner();
    const named = { inbox_id: inbox.id, owner_id: owners[0] ?? "" };
    await as.owners.update({ ...named, digest: "daily" });
    await report();
    await as.owners.delete(named);
    const [update] = (await as.updates.list({ inbox_id: inbox.id })).data;
    expect(update?.deliveries).toMatchObject([{ status: "skipped", reason: "owner_deleted" }]);
  });
});

describe("the rate limits of an owner", () => {
  test("the 21st update of an hour waits for the digest", async () => {
    const { service, report } = await withOwner();
    for (let sent = 0; sent < 20; sent++) expect((await report()).deliveries[0]?.status).toBe("sent");
    expect((await report()).deliveries).toMatchObject([
      { mode: "digest", status: "queued", reason: "rate_limited", message_id: null },
    ]);
    await service.clock.advance(hour);
    expect((await report()).deliveries[0]?.status).toBe("sent");
  });

  test("the 101st update of a day waits for the digest", async () => {
    const { service, report } = await withOwner();
    for (let sent = 0; sent < 100; sent++) {
      if (sent > 0 && sent % 20 === 0) await service.clock.advance(hour);
      expect((await report()).deliveries[0]?.status).toBe("sent");
    }
    await service.clock.advance(hour);
    expect((await report()).deliveries).toMatchObject([
      { mode: "digest", status: "queued", reason: "rate_limited" },
    ]);
  });
});

test("updates are listed newest first, page by page", async () => {
  const { report, as, inbox } = await withOwner();
  for (const title of ["one", "two", "three"]) await report({ title });
  const first = await as.updates.list({ inbox_id: inbox.id, limit: 2 });
  expect(first).toMatchObject({ has_more: true, data: [{ title: "three" }, { title: "two" }] });
  const second = await as.updates.list({ inbox_id: inbox.id, limit: 2, cursor: first.next_cursor ?? "" });
  expect(second).toMatchObject({ has_more: false, data: [{ title: "one", deliveries: [{ email: grace }] }] });
});
