import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { getsNote, nextNoteTime, weekOf } from "./rules.ts";

const week = 7 * 24 * 3600_000;

async function started() {
  const service = createTestService();
  const account = await service.signUp("ada");
  const pass = async (milliseconds: number) => {
    await service.clock.advance(milliseconds);
    await service.letterslot.sweep();
    await service.work();
  };
  await pass(0);
  const notes = async () =>
    (await account.as.messages.list({ inbox_id: account.inbox.id, label: ["lifecycle"] })).data;
  return { service, ...account, pass, notes };
}

test("the weekly note is stored once a week in the agent's first inbox, read and without an event", async () => {
  const { pass, notes, as, service, inbox } = await started();
  await as.inboxes.create({ username: "second" });
  await pass(week - 1);
  expect(await notes()).toEqual([]);
  await pass(week);
  await pass(1);
  const [note, ...more] = await notes();
  expect(more).toEqual([]);
  expect(note).toMatchObject({
    direction: "inbound",
    from: "noreply@letterslot.localhost",
    to: [inbox.email],
    labels: ["received", "read", "lifecycle"],
  });
  expect(await service.letterslot.services.storage.count("events", {}, 10)).toBe(0);
  expect((await as.messages.wait({ inbox_id: inbox.id, wait: 0 })).data).toEqual([]);
  await pass(week);
  expect(await notes()).toHaveLength(2);
});

test("after weeks of downtime one note is stored, and a repeated run stores no second", async () => {
  const { pass, notes, service } = await started();
  await pass(5 * week);
  expect(await notes()).toHaveLength(1);
  const { storage } = service.letterslot.services;
  await storage.update("jobs", { id: "job_lifecycle_notes" }, { due_at: service.clock.now().toISOString() });
  await service.work();
  expect(await notes()).toHaveLength(1);
});

test("an account that turned it off gets none", async () => {
  const { pass, notes, as } = await started();
  await as.me.update({ lifecycle_emails: "off" });
  await pass(2 * week);
  expect(await notes()).toEqual([]);
});

test("a note's link stops notes for its own account only, and opening it changes nothing", async () => {
  const { pass, notes, as, service } = await started();
  const other = await service.signUp("eve");
  await pass(2 * week);
  const token =
    /lifecycle\/unsubscribe\?token=([\w.-]+)/.exec((await notes())[0]?.extracted_text ?? "")?.[1] ?? "";
  const publicly = service.letterslot.as({ type: "public", ip: null });
  expect(await publicly.lifecycle.subscription({ token })).toMatchObject({ lifecycle_emails: "on" });
  expect((await as.me.get({})).lifecycle_emails).toBe("on");
  expect(await publicly.lifecycle.unsubscribe({ token })).toEqual({
    object: "lifecycle_subscription",
    lifecycle_emails: "off",
    account_name: (await as.inboxes.list({})).data[0]?.email,
  });
  expect((await as.me.get({})).lifecycle_emails).toBe("off");
  expect((await other.as.me.get({})).lifecycle_emails).toBe("on");
  for (const forged of [
    "",
    "x",
    `${token.slice(0, -8)}AAAAAAAA`,
    service.letterslot.services.seal.seal(other.account_id),
  ])
    await expect(publicly.lifecycle.unsubscribe({ token: forged })).rejects.toMatchObject({
      code: "lifecycle_link_invalid",
    });
});

test("weeks start on Monday at 13:00 UTC", () => {
  const monday = new Date("2026-11-23T13:00:00.000Z");
  expect(nextNoteTime(new Date("2026-11-20T08:00:00.000Z"))).toEqual(monday);
  expect(nextNoteTime(monday)).toEqual(new Date(monday.getTime() + week));
  expect(weekOf(monday) - weekOf(new Date(monday.getTime() - 1))).toBe(1);
});

test("an account gets notes when it wants them and is a week old", () => {
  const created_at = "2026-01-01T00:00:00.000Z";
  expect(getsNote({ lifecycle_emails: "on", created_at }, new Date("2026-01-08T00:00:00.000Z"))).toBe(true);
  expect(getsNote({ lifecycle_emails: "on", created_at }, new Date("2026-01-07T23:59:59.999Z"))).toBe(false);
  expect(getsNote({ lifecycle_emails: "off", created_at }, new Date("2026-02-01T00:00:00.000Z"))).toBe(false);
});
