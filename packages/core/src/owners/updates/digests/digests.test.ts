import { describe, expect, test } from "vitest";
import { createTestService } from "../../../../testing/index.ts";
import { answerTo, headerOf, lettersTo, tokensIn, withOwner } from "../../../../testing/owner-mail.ts";
import { runDueJobs } from "../../../work.ts";

const grace = "grace@example.com";
const alan = "alan@example.com";
const hour = 3600_000;

async function withDaily(emails = [grace]) {
  const setting = await withOwner(createTestService(), emails);
  for (const owner_id of setting.owners)
    await setting.as.owners.update({ inbox_id: setting.inbox.id, owner_id, digest: "daily" });
  const until = async (time: string) => {
    await setting.service.clock.advance(new Date(time).getTime() - setting.service.clock.now().getTime());
    await setting.service.work();
  };
  const digestsTo = (email: string) =>
    lettersTo(setting.service, email).filter((letter) => /Subject: Today/.test(letter));
  return { ...setting, until, digestsTo };
}

describe("a daily digest", () => {
  test("is sent at 13:00 UTC, once, with everything queued", async () => {
    const { report, until, digestsTo, as, inbox } = await withDaily();
    await report({ title: "Booked the train" });
    await report({
      title: "Paid the invoice",
      kind: "done",
      links: [{ label: "Invoice", url: "https://example.com/i" }],
    });
    await until("2026-01-01T12:59:59.999Z");
    expect(digestsTo(grace)).toHaveLength(0);
    await until("2026-01-01T13:00:00.000Z");
    await until("2026-01-03T13:00:00.000Z");
    const [letter, ...more] = digestsTo(grace);
    expect(more).toEqual([]);
    expect(headerOf(letter, "Subject")).toBe("Today from ada@letterslot.localhost: 1 done, 1 in progress");
    expect(letter).toMatch(/2 updates[^]*DONE[^]*- Paid the invoice[^]*IN PROGRESS[^]*- Booked the train/);
    expect(headerOf(letter, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    const { data } = await as.updates.list({ inbox_id: inbox.id });
    expect(data.map(({ deliveries }) => deliveries)).toMatchObject([
      [{ mode: "digest", status: "sent", message_id: expect.stringMatching(/^msg_/) }],
      [{ mode: "digest", status: "sent" }],
    ]);
  });

  test("is sent once by any number of processes", async () => {
    const { report, service, digestsTo } = await withDaily([grace, alan]);
    await report();
    await service.clock.advance(14 * hour);
    const { services } = service.letterslot;
    await Promise.all([
      runDueJobs(services),
      runDueJobs(services),
      runDueJobs(services),
      service.letterslot.flushDigests(),
    ]);
    await service.work();
    expect([digestsTo(grace).length, digestsTo(alan).length]).toEqual([1, 1]);
  });

  test("is sent after a downtime, once for all the days", async () => {
    const { report, service, digestsTo } = await withDaily();
    await report({ title: "Monday" });
    await service.clock.advance(5 * 24 * hour);
    await service.work();
    expect(digestsTo(grace)).toHaveLength(1);
  });

  test("with one update looks like that update's letter", async () => {
    const { report, until, digestsTo } = await withDaily();
    await report({ title: "Booked the train", text: "It leaves at nine." });
    await until("2026-01-01T13:00:00.000Z");
    const [letter = ""] = digestsTo(grace);
    expect(headerOf(letter, "Subject")).toBe("Today from ada@letterslot.localhost: Booked the train");
    expect(letter).toMatch(/Booked the train\r\n\r\nIt leaves at nine\./);
    expect(letter).not.toMatch(/IN PROGRESS|1 updates/);
  });

  test("with 200 updates is short, and shows first what waits for the owner", async () => {
    const { report, until, digestsTo, as, inbox } = await withDaily();
    for (let n = 1; n <= 120; n++) await report({ title: `Step ${n} of the move`, task_id: `job-${n % 3}` });
    for (let n = 1; n <= 70; n++) await report({ title: `Parcel ${n} sent`, kind: "done" });
    for (let n = 1; n <= 8; n++) await report({ title: `Parcel ${n} lost`, kind: "error" });
    await report({
      title: "Which colour",
      kind: "needs_input",
      question: { type: "choice", options: ["Red", "Blue"] },
    });
    await report({ title: "Insure it", kind: "needs_input", question: { type: "yes_no" } });
    await until("2026-01-01T13:00:00.000Z");
    const [letter = ""] = digestsTo(grace);
    const text = letter.slice(0, letter.indexOf("text/html"));
    expect(headerOf(letter, "Subject")).toBe(
      "Today from ada@letterslot.localhost: 2 questions, 8 problems, 70 done, 3 in progress",
    );
    expect(text).toMatch(
      /200 updates[^]*WAITING FOR YOUR ANSWER[^]*Insure it[^]*Which colour[^]*PROBLEMS[^]*- Parcel 8 lost[^]*DONE[^]*- Parcel 70 sent[^]*and 58 more updates[^]*IN PROGRESS[^]*- Step 120 of the move/,
    );
    expect(text).toContain("39 earlier updates");
    expect(text.split("\r\n").length).toBeLessThan(130);
    expect(letter.length).toBeLessThan(100_000); // Gmail cuts letters at 102 KB
    expect(new Set(tokensIn(letter, "answer")).size).toBe(2);
    const { data } = await as.updates.list({ inbox_id: inbox.id, limit: 200 });
    expect(new Set(data.map(({ deliveries }) => deliveries[0]?.status))).toEqual(new Set(["sent"]));
  });

  test("contains questions that can be answered by buttons, and by a reply when there is only one", async () => {
    const { report, until, digestsTo, as, service } = await withDaily();
    const update = await report({ kind: "needs_input", title: "Insure it", question: { type: "yes_no" } });
    await report({ title: "Something else" });
    await until("2026-01-01T13:00:00.000Z");
    const [letter = ""] = digestsTo(grace);
    expect(tokensIn(letter, "answer").length).toBeGreaterThan(0);
    await service.receive({
      from: grace,
      ...answerTo(letter),
      text: "Nein danke",
    });
    expect((await as.tasks.list({})).data).toMatchObject([
      { answers_update_id: update.id, answer: { value: false } },
    ]);
  });

  describe("with several questions", () => {
    /** A digest with a yes-or-no, a choice and a number question, in which the newest comes first. */
    async function asked() {
      const setting = await withDaily();
      const { report, until, digestsTo, as, service } = setting;
      const ask = (title: string, question: object) =>
        report({ kind: "needs_input", title, question: question as never });
      const insure = await ask("Insure it", { type: "yes_no" });
      const colour = await ask("Which colour", { type: "choice", options: ["Red", "Blue"] });
      const guests = await ask("How many guests", { type: "number" });
      await report({ title: "Something else" });
      await until("2026-01-01T13:00:00.000Z");
      const [letter = ""] = digestsTo(grace);
      const reply = async (text: string, to = letter) => {
        await service.clock.advance(60_000);
        const { results } = await service.receive({ from: grace, ...answerTo(to), text });
        await service.work();
        return results[0]?.message_id;
      };
      const answers = async () => {
        const { data } = await as.tasks.list({ status: "all" });
        return data.map((task) => [task.answers_update_id, task.answer?.value ?? null]);
      };
      const which = () =>
        lettersTo(service, grace).filter((each) => headerOf(each, "Subject")?.includes("Which question"));
      return { ...setting, ids: [guests.id, colour.id, insure.id], letter, reply, answers, which };
    }

    test("numbers them, and a reply that begins with a number answers that one", async () => {
      const { letter, reply, answers, ids, which } = await asked();
      const text = letter.slice(0, letter.indexOf("text/html"));
      expect(text).toMatch(/1\. How many guests[^]*2\. Which colour[^]*3\. Insure it[^]*- Something else/);
      // Options have no numbers of their own here.
      expect(text).not.toMatch(/[12]\. (?:Red|Blue)/);
      for (const words of ["1. 12", "2: blue", "Hi,\n\n３ – Nein danke"]) await reply(words);
      expect(await answers()).toEqual([
        [ids[2], false],
        [ids[1], "Blue"],
        [ids[0], 12],
      ]);
      expect(which()).toEqual([]);
    });

    test.each(["Yes please", "12 people", "2 blue\n3 yes", "Also book a table"])(
      "asks which one is meant by %j, once, and makes a task of it",
      async (words) => {
        const { reply, answers, which, ids, as, inbox } = await asked();
        const message_id = await reply(words);
        const [letter = "", ...more] = which();
        expect(more).toEqual([]);
        expect(letter).toMatch(/1\. How many guests[^]*2\. Which colour[^]*3\. Insure it/);
        expect(new Set(tokensIn(letter, "answer")).size).toBe(3);
        expect((await as.tasks.list({})).data).toMatchObject([{ message_id, answers_update_id: null }]);

        await reply("Really", letter);
        await reply("I mean it");
        expect(which()).toHaveLength(1);
        await reply("3 yes", letter);
        expect((await answers())[0]).toEqual([ids[2], true]);
        const { messages } = await as.threads.get({
          inbox_id: inbox.id,
          thread_id: (await as.messages.get({ inbox_id: inbox.id, message_id: message_id ?? "" })).thread_id,
        });
        expect(JSON.stringify(messages)).not.toMatch(/lso[a-z2-7]{38}/);
      },
    );

    test("takes a reply without a number for the only one that is still open", async () => {
      const { reply, answers, ids, which } = await asked();
      await reply("1 12");
      await reply("2 red");
      await reply("yes");
      expect((await answers())[0]).toEqual([ids[2], true]);
      expect(which()).toEqual([]);
    });

    test("asks again about the one whose answer is unclear", async () => {
      const { reply, service, answers, ids } = await asked();
      await reply("3 perhaps");
      expect(headerOf(lettersTo(service, grace).at(-1), "Subject")).toBe("Re: [Needs input] Insure it");
      expect(await answers()).toEqual([[ids[2], null]]);
    });
  });

  test("shows the agent none of its tokens", async () => {
    const { report, until, digestsTo, as, inbox, service } = await withDaily();
    await report({ kind: "needs_input", title: "Insure it", question: { type: "yes_no" } });
    await report({ title: "Something else" });
    await until("2026-01-01T13:00:00.000Z");
    const [letter = ""] = digestsTo(grace);
    const tokens = [...letter.matchAll(/token=(\w{41})/g)].map(([, token = ""]) => token);
    expect(new Set(tokens).size).toBe(3);
    const { storage } = service.letterslot.services;
    const seen = JSON.stringify([
      await as.messages.list({ inbox_id: inbox.id, limit: 200 }),
      await storage.find("message_bodies", { where: {}, limit: 100 }),
      await storage.find("events", { where: {}, limit: 100 }),
      await storage.find("update_letters", { where: {}, limit: 100 }),
      await storage.find("jobs", { where: {}, limit: 100 }),
    ]);
    for (const token of tokens) expect(seen).not.toContain(token);
  });

  test("waits while the inbox is paused, and skips unsubscribed owners", async () => {
    const { report, until, digestsTo, as, inbox, owners, service } = await withDaily();
    await report();
    await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
    await until("2026-01-01T13:00:00.000Z");
    expect(digestsTo(grace)).toHaveLength(0);
    await as.inboxes.update({ inbox_id: inbox.id, status: "active" });
    await service.letterslot.services.storage.update(
      "owners",
      { id: owners[0] ?? "" },
      { unsubscribed_at: "2026-01-01T14:00:00.000Z" },
    );
    await until("2026-01-02T13:00:00.000Z");
    expect(digestsTo(grace)).toHaveLength(0);
    expect((await as.updates.list({ inbox_id: inbox.id })).data[0]?.deliveries).toMatchObject([
      { status: "skipped", reason: "unsubscribed" },
    ]);
    expect(await service.letterslot.services.storage.count("jobs", {}, 10)).toBe(0);
  });
});

describe("a flush", () => {
  test("sends what is queued now and returns how much", async () => {
    const { report, as, service, digestsTo } = await withDaily([grace, alan]);
    await report();
    await report();
    expect(await as.digests.flush({})).toEqual({ object: "digest_flush", owners: 2, updates: 4, sent: 2 });
    expect(await as.digests.flush({})).toEqual({ object: "digest_flush", owners: 0, updates: 0, sent: 0 });
    await service.work();
    expect([digestsTo(grace).length, digestsTo(alan).length]).toEqual([1, 1]);
  });

  test("covers its own account only; the operator's covers all, each owner once", async () => {
    const { report, service, as } = await withDaily();
    await report();
    const stranger = await service.signUp("eve");
    expect(await stranger.as.digests.flush({})).toMatchObject({ owners: 0 });
    expect(await service.letterslot.flushDigests()).toEqual({ owners: 1, updates: 1, sent: 1 });
    expect(await service.letterslot.flushDigests()).toEqual({ owners: 0, updates: 0, sent: 0 });
    expect(await as.digests.flush({})).toMatchObject({ owners: 0 });
  });

  test("can't bypass an owner's rate limits", async () => {
    const { report, as, service, until, digestsTo } = await withDaily();
    for (let round = 0; round < 20; round++) {
      await report();
      expect(await as.digests.flush({})).toMatchObject({ sent: 1 });
    }
    await report();
    expect(await as.digests.flush({})).toEqual({ object: "digest_flush", owners: 1, updates: 0, sent: 0 });
    await service.work();
    expect(digestsTo(grace)).toHaveLength(20);
    await until("2026-01-01T13:00:00.000Z");
    expect(digestsTo(grace)).toHaveLength(21);
  });

  test("needs owner_manage for the whole account", async () => {
    const { service, caller, inbox } = await withDaily();
    const scoped = service.letterslot.as({ ...caller, inbox_ids: [inbox.id] });
    await expect(scoped.digests.flush({})).rejects.toMatchObject({ code: "permission_denied" });
  });
});

test("an update over the rate limit goes into the next digest of an immediate owner", async () => {
  const { service, report } = await withOwner(createTestService());
  for (let sent = 0; sent < 21; sent++) await report({ title: `Number ${sent}` });
  await service.clock.advance(14 * hour);
  await service.work();
  const digest = lettersTo(service, grace).at(-1);
  expect(headerOf(digest, "Subject")).toBe("Today from ada@letterslot.localhost: Number 20");
});

test("an owner can't be suppressed, and one who was before they became it gets their letters", async () => {
  const { report, as, service, account_id } = await withOwner(createTestService());
  const before = lettersTo(service, grace).length;
  await expect(as.suppressions.create({ address: grace })).rejects.toMatchObject({
    code: "suppression_locked",
  });
  const { storage, makeId, clock } = service.letterslot.services;
  await storage.insert("suppressions", {
    ...{ id: makeId("ent"), account_id, address: grace, reason: "bounce", made_by: "bounce" },
    ...{ inbox_id: null, only_inbox_id: "", source_message_id: null, created_at: clock.now().toISOString() },
  });
  expect((await report()).deliveries).toMatchObject([{ status: "sent" }]);
  await service.work();
  expect(lettersTo(service, grace)).toHaveLength(before + 1);
});

test("notify is an update with the inbox in its path", async () => {
  const { as, inbox } = await withOwner(createTestService());
  const update = await as.updates.notify({
    inbox_id: inbox.id,
    kind: "done",
    text: "All done.",
    client_id: "c-1",
  });
  expect(update).toMatchObject({ kind: "done", deliveries: [{ status: "sent" }] });
  expect(
    await as.updates.create({ inbox_id: inbox.id, kind: "done", text: "All done.", client_id: "c-1" }),
  ).toMatchObject({
    id: update.id,
    idempotent: true,
  });
});
