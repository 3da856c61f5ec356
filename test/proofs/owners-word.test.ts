import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newReplyId, replyLocalPart } from "../../packages/core/src/catalogue/letter-words.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import { createMemoryStorage, createTestService } from "../../packages/core/testing/index.ts";
import { caseCount, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { copyFurnished } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { FAMILY, type OwnerWorld, POST, startOwnerWorld, type Written } from "../support/owner-world.ts";

/**
 * Returns everything that only owners may change, whatever an agent calls and whatever mail it makes of what it reads:
 * authorities, the first address of an account, decisions on approvals, owners' answers, and styles that owners chose.
 */
async function ownersWord(storage: Storage): Promise<Map<string, string>> {
  const word = new Map<string, string>();
  const limit = 1_000;
  for (const { id, ...authority } of await storage.find("authorities", { where: {}, limit }))
    word.set(id, JSON.stringify(authority));
  for (const { id, first_owner_email } of await storage.find("accounts", { where: {}, limit }))
    if (first_owner_email !== null) word.set(id, first_owner_email);
  for (const { id, status, decided_by } of await storage.find("approvals", { where: {}, limit }))
    if (decided_by !== null || status === "approved" || status === "rejected")
      word.set(id, JSON.stringify([status, decided_by]));
  for (const { id, answer } of await storage.find("updates", { where: {}, limit }))
    if (answer !== null && answer.method !== "default") word.set(id, JSON.stringify(answer));
  for (const owner of await storage.find("owners", { where: { style_locked: true }, limit }))
    word.set(owner.id, JSON.stringify([owner.email_style, owner.email_style_note]));
  return word;
}

/** Returns the changes, apart from deletions with the inbox or account. */
function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after].flatMap(([id, now]) =>
    before.get(id) === now ? [] : [`${id}: ${before.get(id)} → ${now}`],
  );
}

describe("no call with a key", () => {
  test(
    "changes an authority, a decision, an owner's answer or a style that an owner chose",
    async () => {
      const newWorld = async () => {
        const storage = createMemoryStorage();
        const service = createTestService({ storage });
        return { storage, service, account: await copyFurnished(service) };
      };
      let world = await newWorld();
      const names = Object.keys(createInputs(world.account, world.service)) as OperationName[];
      const refused: string[] = [];
      // Calls that end an account or an inbox come last.
      const ends = (name: string) => Number(/\.delete|Mine$/.test(name));
      for (const [index, name] of names.toSorted((a, b) => ends(a) - ends(b)).entries()) {
        // Every so often new records are made, since changed or deleted ones test less.
        if (index % 20 === 0 || ends(name)) world = await newWorld();
        const { storage, service, account } = world;
        const person = service.letterslot.as({ type: "public", ip: "203.0.113.77" });
        // An earlier attempt may have ended the inbox or the owner, and with them this link.
        await person.owners
          .choose({ token: account.style_token, email_style: "casual" })
          .catch(() => undefined);
        const before = await ownersWord(storage);
        const input = createInputs(account, service)[name];
        for (const token of [undefined, account.approve_token, account.answer_token, account.style_token]) {
          const given = token === undefined || !("token" in input) ? input : { ...input, token };
          await service.letterslot
            .call(account.caller, name, given)
            .catch((error: { code?: string }) => refused.push(`${name} ${error.code}`));
          await service.work();
        }
        expect(changes(before, await ownersWord(storage)), name).toEqual([]);
      }
      for (const name of ["approvals.decide", "questions.answer", "owners.choose", "authority.create"])
        expect(refused).toContain(`${name} owner_only`);
    },
    PROOF_TIMEOUT_MS,
  );
});

describe("no mail that an agent makes of what it reads", () => {
  const MARA = `mara@${FAMILY}`;
  const EVE = `eve@${POST}`;
  let storage: Storage;
  let world: OwnerWorld;
  let agent: Awaited<ReturnType<OwnerWorld["guarded"]>>;
  let second: string;
  /** The contents that the agent can read: raw mails, Message-IDs, subjects, texts. */
  let raws: string[];
  let ids: string[];
  let subjects: string[];
  let texts: string[];

  beforeAll(async () => {
    storage = createMemoryStorage();
    world = await startOwnerWorld(storage);
    agent = await world.guarded("ada");
    const { as, inbox_id, inbox } = agent;
    second = (await as.inboxes.create({ username: "second" })).id;
    const question = { kind: "needs_input" as const, text: "May I?", question: { type: "yes_no" as const } };
    const held = () => as.messages.send({ inbox_id, to: ["carl@customer.example.org"], text: "42 euros" });
    // Genuine words of the owner, which the agent can read: orders, an answer, a decision.
    await world.send(world.write({ from: MARA, to: inbox.email, body: "Approve" }));
    await world.send(world.write({ from: MARA, to: inbox.email, body: "Yes" }), {
      tags: { h: "from:date:subject:message-id" },
    });
    await as.updates.create({ inbox_id, ...question });
    await world.send(world.reply(MARA, await world.letterTo(MARA), "Yes"));
    await held();
    await world.send(world.reply(MARA, await world.letterTo(MARA), "Approve"));
    // These stay open.
    await world.service.clock.advance(60_000);
    await as.updates.create({ inbox_id, ...question });
    await held();
    await as.inboxes.update({ inbox_id, send_mode: "direct" });
    await world.service.work();

    const { data } = await as.messages.list({ inbox_id, limit: 200 });
    raws = await Promise.all(
      data.map(async ({ id: message_id }) =>
        Buffer.from((await as.messages.raw({ inbox_id, message_id })).bytes).toString(),
      ),
    );
    ids = data.flatMap(({ message_id }) => (message_id === null ? [] : [message_id]));
    subjects = data.map(({ subject }) => subject);
    texts = data.map(({ extracted_text }) => extracted_text ?? "");
  }, PROOF_TIMEOUT_MS);
  afterAll(() => world?.close());

  const index = fc.nat({ max: 10_000 });
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
  const Act = fc.record({
    door: fc.constantFrom("inbox", "tagged", "invented reply address", "injector", "inside"),
    base: fc.constantFrom("copy", "new"),
    from: fc.constantFrom(MARA, EVE, `Mara <${MARA}>`, `"${MARA}" <${EVE}>`),
    signed: fc.constantFrom("not", "by its own domain", "by the service's key"),
    word: fc.constantFrom("Approve", "APPROVE", "Yes", "Ja", "unsubscribe", "Reject\n\nno"),
    quotes: fc.boolean(),
    tops: fc.uniqueArray(
      fc.constantFrom("In-Reply-To", "References", "Reply-To", "Subject", "To", "Content-Type", "From"),
      { maxLength: 3 },
    ),
    which: index,
    other: index,
  });
  type Act = typeof Act extends fc.Arbitrary<infer A> ? A : never;

  function topsOf({ tops, which, other, from }: Act, to: string): [string, string][] {
    const values: Record<string, string> = {
      "In-Reply-To": pick(ids, which),
      References: `${pick(ids, other)} ${pick(ids, which)}`,
      "Reply-To": `r+${newReplyId()}@agents.example.com`,
      Subject: pick(subjects, which),
      To: to,
      "Content-Type": "text/plain; charset=utf-8",
      From: from,
    };
    return tops.map((name) => [name, values[name] ?? ""]);
  }

  async function carryOut(act: Act): Promise<void> {
    const { as, inbox_id, inbox } = agent;
    const { door, base, from, signed, word, quotes, which, other } = act;
    const body = quotes ? `${word}\n\n> ${pick(texts, other).slice(0, 500).replaceAll("\n", "\n> ")}` : word;
    const invented = `${replyLocalPart(newReplyId())}@agents.example.com`;
    const places: Record<string, string> = {
      tagged: inbox.email.replace("@", "+yes@"),
      "invented reply address": invented,
    };
    const to = places[door] ?? inbox.email;
    if (door === "injector") {
      const auth = { spf: "pass", dkim: "pass", dmarc: "pass" } as const;
      const raw = Buffer.from(pick(raws, which)).toString("base64");
      const mail = base === "copy" ? { raw } : { text: body, in_reply_to: pick(ids, which) };
      await as.messages.inject({ inbox_id, from: MARA, auth, ...mail });
      return;
    }
    if (door === "inside") {
      await as.messages.send({
        inbox_id: second,
        to: [inbox.email],
        subject: pick(subjects, other),
        text: body,
      });
      return;
    }
    const written: Written = world.write({
      from,
      to,
      body,
      headers: Object.fromEntries(topsOf(act, to)),
    });
    const keys = { not: null, "by its own domain": world.keys.post, "by the service's key": world.keys.ours };
    if (base === "new") {
      await world.send(written, { key: keys[signed], mail_from: EVE, rcpt: to });
      return;
    }
    const added = topsOf(act, to).map(([name, value]) => `${name}: ${value}\r\n`);
    await world.deliver(added.join("") + pick(raws, which), { from: signed === "not" ? MARA : EVE, to });
  }

  test(
    "decides, answers, orders or changes anything as an owner",
    async () => {
      const orders = async () =>
        (await agent.as.tasks.list({ status: "all", limit: 200 })).data.filter(({ trusted }) => trusted)
          .length;
      await fc.assert(
        fc.asyncProperty(fc.array(Act, { minLength: 1, maxLength: 4 }), async (acts) => {
          const [before, trusted] = [await ownersWord(storage), await orders()];
          for (const act of acts) {
            await carryOut(act).catch((error: { code?: string }) => {
              if (error.code === undefined) throw error;
            });
            await world.service.work();
          }
          expect(changes(before, await ownersWord(storage))).toEqual([]);
          expect(await orders()).toBe(trusted);
        }),
        { numRuns: caseCount(60, 2_000) },
      );
      // The owner's own word still counts, after all of that.
      const { as, inbox_id } = agent;
      const open = (await as.approvals.list({ status: "pending", limit: 100 })).data;
      expect(open.map(({ subject_type }) => subject_type)).toContain("outbound_change");
      await world.service.clock.advance(15 * 60_000);
      await world.service.work();
      const held = await as.messages.send({ inbox_id, to: ["carl@customer.example.org"], text: "43 euros" });
      await world.send(world.reply(MARA, await world.letterTo(MARA), "Approve"));
      const { approval_id = null } = held.object === "draft" ? held : {};
      expect(await as.approvals.get({ approval_id: approval_id ?? "" })).toMatchObject({
        status: "approved",
      });
    },
    PROOF_TIMEOUT_MS,
  );
});
