import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../testing/index.ts";
import { answerTo, headerOf, lettersTo, tokensIn, withOwner } from "../../../testing/owner-mail.ts";
import { saysUnsubscribe } from "./unsubscribe.ts";

const grace = "grace@example.com";

async function withPage() {
  const setting = await withOwner(createTestService());
  await setting.report();
  await setting.service.work();
  const letter = lettersTo(setting.service, grace).at(-1) ?? "";
  const publicly = setting.service.letterslot.as({ type: "public", ip: "198.51.100.7" });
  const named = { inbox_id: setting.inbox.id, owner_id: setting.owners[0] ?? "" };
  return { ...setting, letter, publicly, named, token: tokensIn(letter, "style")[0] ?? "" };
}

describe("an owner's own page", () => {
  test("shows the effective style and its source", async () => {
    const { publicly, token, as } = await withPage();
    await as.me.update({ owner_email_style: "casual", owner_email_style_note: "No jargon." });
    expect(await publicly.owners.preferences({ token })).toMatchObject({
      email: grace,
      email_style: null,
      effective_email_style: { style: "casual", note: "No jargon.", source: "account" },
      style_locked: false,
      updates: "immediate",
    });
  });

  test("locks the style against the API until the owner clears it", async () => {
    const { publicly, token, as, named } = await withPage();
    await as.owners.update({ ...named, email_style: "casual" });
    await publicly.owners.choose({ token, email_style: "detailed", email_style_note: "In French, please." });
    expect(await as.owners.get(named)).toMatchObject({
      effective_email_style: { style: "detailed", note: "In French, please.", source: "owner_page" },
    });
    for (const change of [
      { email_style: "concise" as const },
      { email_style: null },
      { email_style_note: "x" },
    ])
      await expect(as.owners.update({ ...named, ...change })).rejects.toMatchObject({
        code: "owner_style_locked",
      });
    expect(await as.owners.update({ ...named, digest: "daily" })).toMatchObject({
      digest: "daily",
      email_style: "detailed",
    });

    await publicly.owners.choose({ token, email_style: null, email_style_note: null });
    expect(await as.owners.update({ ...named, email_style: "casual" })).toMatchObject({
      email_style: "casual",
    });
  });

  test("changes the frequency, stops and restarts updates, without touching the style", async () => {
    const { publicly, token, as, named, report } = await withPage();
    expect(await publicly.owners.choose({ token, updates: "daily" })).toMatchObject({
      updates: "daily",
      style_locked: false,
    });
    await report();
    expect(await publicly.owners.choose({ token, updates: "off" })).toMatchObject({ updates: "off" });
    expect((await as.updates.list({ inbox_id: named.inbox_id })).data[0]?.deliveries).toMatchObject([
      { status: "skipped", reason: "unsubscribed" },
    ]);
    expect(await publicly.owners.choose({ token, updates: "immediate" })).toMatchObject({
      updates: "immediate",
    });
    expect((await report()).deliveries).toMatchObject([{ status: "sent" }]);
    expect((await as.owners.get(named)).unsubscribed_at).toBeNull();
  });

  test("says by letter what was changed by a link, once for each change", async () => {
    const { publicly, token, service, letter, as, inbox } = await withPage();
    const before = lettersTo(service, grace).length;
    await publicly.owners.choose({ token, updates: "daily" });
    await publicly.owners.choose({ token, updates: "daily" });
    await publicly.owners.choose({ token, email_style: "casual", email_style_note: "No jargon." });
    await publicly.owners.unsubscribe({ token: tokensIn(letter, "unsubscribe")[0] ?? "" });
    await service.work();
    const letters = lettersTo(service, grace).slice(before);
    expect(letters).toHaveLength(3);
    const about = (subject: RegExp, words: string) =>
      letters.find((sent) => subject.test(headerOf(sent, "Subject") ?? "") && sent.includes(words)) ?? "";
    const first = about(/changed/, "Updates: once a day, in one email");
    const second = about(/changed/, "Style: casual");
    const third = about(/stopped/, "");
    expect(first).not.toContain("Style:");
    expect(second).toContain("Note for your agent: No jargon.");
    expect(headerOf(third, "Subject")).toBe("Updates from ada@letterslot.localhost have stopped");
    // The letter leads to the page, and the agent's copy does not.
    const [back = ""] = tokensIn(first, "style");
    expect(await publicly.owners.preferences({ token: back })).toMatchObject({ email: grace });
    const { data } = await as.messages.list({ inbox_id: inbox.id, limit: 100 });
    expect(data.filter(({ subject }) => /was changed/.test(subject))).toHaveLength(2);
    expect(JSON.stringify(data)).not.toContain("token=");
  });

  test("says nothing of a change in a session of that mailbox", async () => {
    const { token, service, letter, named } = await withPage();
    const owner = service.letterslot.asOwner({ email: grace, account_id: "" });
    const before = lettersTo(service, grace).length;
    await owner.owners.choose({ token, updates: "daily" });
    await owner.owners.updateMine({ owner_id: named.owner_id, email_style: "casual" });
    await owner.owners.unsubscribe({ token: tokensIn(letter, "unsubscribe")[0] ?? "" });
    await service.work();
    expect(lettersTo(service, grace)).toHaveLength(before);
  });

  test("takes only so many changes by links an hour, so that each can be told; leaving always works", async () => {
    const { publicly, token, letter, service } = await withPage();
    for (let change = 0; change < 10; change += 1)
      await publicly.owners.choose({ token, updates: change % 2 === 0 ? "daily" : "immediate" });
    await expect(publicly.owners.choose({ token, updates: "daily" })).rejects.toMatchObject({
      code: "rate_limited",
    });
    const [leave = ""] = tokensIn(letter, "unsubscribe");
    expect(await publicly.owners.unsubscribe({ token: leave })).toMatchObject({
      unsubscribed_at: expect.any(String),
    });
    const owner = service.letterslot.asOwner({ email: grace, account_id: "" });
    expect(await owner.owners.choose({ token, updates: "daily" })).toMatchObject({ updates: "daily" });
  });

  test("refuses every key, unknown tokens and empty changes", async () => {
    const { publicly, token, as } = await withPage();
    await expect(as.owners.preferences({ token })).rejects.toMatchObject({ code: "owner_only" });
    await expect(as.owners.choose({ token, email_style: "casual" })).rejects.toMatchObject({
      code: "owner_only",
    });
    await expect(publicly.owners.choose({ token: "x".repeat(40), updates: "off" })).rejects.toMatchObject({
      code: "owner_link_invalid",
    });
    await expect(publicly.owners.choose({ token })).rejects.toMatchObject({ code: "missing_change" });
    await expect(publicly.owners.choose({ token, email_style_note: "x".repeat(281) })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("is gone once the owner is deleted", async () => {
    const { publicly, token, as, named } = await withPage();
    await as.owners.delete(named);
    await expect(publicly.owners.preferences({ token })).rejects.toMatchObject({
      code: "owner_link_invalid",
    });
  });
});

describe("an owner's unsubscribe mail", () => {
  test("stops the updates without a task, and is answered once", async () => {
    const { service, as, letter, named, report } = await withPage();
    const before = lettersTo(service, grace).length;
    const mail = {
      from: `Grace <${grace}>`,
      ...answerTo(letter),
      text: "Bitte abmelden. Danke\nGrace",
    };
    await service.receive(mail);
    await service.receive({ ...mail, text: "unsubscribe" });
    await service.work();
    expect((await as.owners.get(named)).unsubscribed_at).not.toBeNull();
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
    expect((await report()).deliveries).toMatchObject([{ status: "skipped", reason: "unsubscribed" }]);
    const answers = lettersTo(service, grace).slice(before);
    expect(answers.map((answer) => headerOf(answer, "Subject"))).toEqual([
      "Updates from ada@letterslot.localhost have stopped",
    ]);
    const events = await service.letterslot.services.storage.find("events", { where: {}, limit: 100 });
    expect(events.filter(({ type }) => type === "owner.unsubscribed")).toHaveLength(1);
  });

  test("is ignored when forged, injected, automatic, or not a reply to a letter", async () => {
    const { service, as, letter, named, inbox } = await withPage();
    await as.inboxes.update({ inbox_id: inbox.id, require_sender_auth: false });
    const in_reply_to = headerOf(letter, "Message-ID") ?? "";
    const { to } = answerTo(letter);
    const mail = { from: grace, to, text: "unsubscribe" };
    await service.receive({ ...mail, in_reply_to }, forgedFrom("example.com"));
    await service.receive({ ...mail, in_reply_to, headers: ["Auto-Submitted: auto-generated"] });
    await service.receive({ ...mail, to: inbox.email, in_reply_to });
    await service.receive({ ...mail, to: inbox.email });
    await as.messages.inject({
      inbox_id: inbox.id,
      from: grace,
      text: "unsubscribe",
      in_reply_to,
      auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    });
    expect((await as.owners.get(named)).unsubscribed_at).toBeNull();
  });

  test.each([
    ["unsubscribe", true],
    ["Please unsubscribe me, thanks\nGrace", true],
    ["Hello,\nunsubscribe please", true],
    ["abbestellen", true],
    ["退订", true],
    ["отписаться", true],
    ["me désabonner svp", false],
    ["stop", false],
    ["Stop the booking", false],
    ["Please unsubscribe me from the garden newsletter", false],
    ["", false],
  ])("%j: %j", (text, said) => {
    expect(saysUnsubscribe(text, ["Grace"])).toBe(said);
  });
});
