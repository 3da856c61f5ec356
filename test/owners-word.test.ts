import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HEADERS_SIGNED_BY } from "../packages/core/test/signing-habits.fixture.ts";
import { casesOf } from "./support/case-count.ts";
import {
  CUSTOMER,
  FAMILY,
  type OwnerWorld,
  POST,
  type ReadLetter,
  startOwnerWorld,
} from "./support/owner-world.ts";
import { proofStorageNames, proofStorages } from "./support/proof-storages.ts";
import { seal } from "./support/signer.ts";

/**
 * Proves which mail counts as an owner's word: every mail comes over SMTP with real signatures, checked against a DNS
 * server. The attacks are those that worked once.
 */
const MARA = `mara@${FAMILY}`;
const PAUL = `paul@${POST}`;
type Agent = Awaited<ReturnType<OwnerWorld["guarded"]>>;

/** Five lines of a letter as mail programs quote it. */
const quoted = ({ text }: ReadLetter, mark = "> ") =>
  text
    .split("\n")
    .slice(0, 8)
    .map((line) => `${mark}${line}`)
    .join("\n");

const AT = "On Thu, Jan 1, 2026 at 2:02 PM Ada <ada@agents.example.com> wrote:";
const OUTLOOK = "-----Original Message-----\nFrom: Ada\nSent: Thursday\nTo: Mara";
const escaped = (text: string) => text.replace(/</g, "&lt;");

/** The ways in which mail programs write a word in reply to a letter. */
const WAYS: [string, (letter: ReadLetter, word: string) => { body: string; type?: string }][] = [
  ["as a phone's short word", (_letter, word) => ({ body: word })],
  ["with a phone's signature", (_letter, word) => ({ body: `${word}\n\nSent from my iPhone` })],
  ["above the letter", (letter, word) => ({ body: `${word}\n\n${AT}\n${quoted(letter)}` })],
  ["below the letter", (letter, word) => ({ body: `${AT}\n${quoted(letter)}\n\n${word}` })],
  [
    "within the letter",
    (letter, word) => {
      const lines = quoted(letter).split("\n");
      return { body: `${AT}\n${lines.slice(0, 4).join("\n")}\n\n${word}\n\n${lines.slice(4).join("\n")}` };
    },
  ],
  [
    "above a letter in Outlook's way",
    (letter, word) => ({ body: `${word}\n\n${OUTLOOK}\nSubject: ${letter.subject}\n\n${letter.text}` }),
  ],
  [
    "in HTML above the letter",
    (letter, word) => ({
      type: "text/html",
      body: `<div dir="ltr">${word}</div><br><div class="gmail_quote"><div class="gmail_attr">${escaped(AT)}</div><blockquote class="gmail_quote">${escaped(letter.text.slice(0, 300))}</blockquote></div>`,
    }),
  ],
  [
    "in HTML below the letter",
    (letter, word) => ({
      type: "text/html",
      body: `<div>${escaped(AT)}</div><blockquote type="cite">${escaped(letter.text.slice(0, 300))}</blockquote><div>${word}</div>`,
    }),
  ],
  [
    "in HTML within the letter",
    (letter, word) => ({
      type: "text/html",
      body: `<div>${escaped(AT)}</div><blockquote type="cite">${escaped(letter.text.slice(0, 100))}</blockquote><div>${word}</div><blockquote type="cite">${escaped(letter.text.slice(100, 300))}</blockquote>`,
    }),
  ],
  ["in HTML alone", (_letter, word) => ({ type: "text/html", body: `<p>${word}</p>` })],
];

/** Every third language beside all other tests: the tables of `mail/answers` have the words of each. */
const inTurn = <T>(languages: readonly T[]): T[] => languages.filter((_, at) => at % casesOf(3, 1) === 0);

describe.each(proofStorageNames)("on %s", (storage_name) => {
  let world: OwnerWorld;
  let agent: Agent;
  let remove: () => Promise<void>;
  let offers = 0;

  beforeAll(async () => {
    const made = await proofStorages[storage_name]();
    world = await startOwnerWorld(made.storage);
    agent = await world.guarded("ada");
    remove = made.remove;
  });
  afterAll(async () => {
    await world?.close();
    await remove?.();
  });

  /** A mail that waits for approval, and the letter that asks. */
  async function asked(by: Agent = agent, mail: Record<string, unknown> = {}) {
    offers += 1;
    // A person gets three such letters in a quarter of an hour.
    await world.service.clock.advance(300_000);
    const { inbox_id, owner } = by;
    const sent = { inbox_id, to: [CUSTOMER], subject: `Offer ${offers}`, text: "42 euros", ...mail };
    const draft = await by.as.messages.send(sent);
    if (draft.object !== "draft") throw new Error("the mail was not held");
    const letter = await world.letterTo(owner);
    return {
      letter,
      status: async () => await by.as.approvals.get({ approval_id: draft.approval_id ?? "" }),
    };
  }

  /** A reply of the owner to a letter, in one of the ways. */
  function replied(letter: ReadLetter, { body, type = "text/plain" }: { body: string; type?: string }) {
    const reply = world.reply(MARA, letter, body);
    reply.headers["Content-Type"] = `${type}; charset=utf-8`;
    return reply;
  }

  /** A yes-or-no question, the letter that asks it, and its outcome. */
  async function questioned(by: Agent = agent) {
    offers += 1;
    // Twenty letters an hour go to an owner.
    await world.service.clock.advance(240_000);
    const { inbox_id, owner } = by;
    const { id } = await by.as.updates.create({
      inbox_id,
      kind: "needs_input",
      title: `Shall I book the garden? (${offers})`,
      text: "It is free on the twelfth of June, and the caterer would come at noon.",
      question: { type: "yes_no" },
    });
    const letter = await world.letterTo(owner);
    expect(letter.subject).toContain(`(${offers})`);
    const answer = async () =>
      (await by.as.updates.list({ inbox_id, limit: 5 })).data.find((update) => update.id === id)?.answer;
    const task = async () => (await tasksOf(by)).find(({ answers_update_id }) => answers_update_id === id);
    return { letter, answer, task };
  }

  const seconds = (later = 0) => String(Math.floor(world.service.clock.now().getTime() / 1000) + later);

  const lettersTo = (email: string) =>
    world.service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(email)).length;
  const messagesOf = async ({ as, inbox_id }: Agent) =>
    (await as.messages.list({ inbox_id, limit: 100 })).data.filter(
      ({ direction }) => direction === "inbound",
    );
  const tasksOf = async ({ as }: Agent) => (await as.tasks.list({ status: "all", limit: 100 })).data;
  /** Why the newest message of an inbox did not count. */
  async function missing(by: Agent = agent): Promise<string[]> {
    const [newest] = await messagesOf(by);
    const { data } = await by.as.messages.explain({ inbox_id: by.inbox_id, message_id: newest?.id ?? "" });
    return data.flatMap(({ step, details }) => (step === "owner_word" ? (details ?? []) : []));
  }

  describe("the owner's reply decides", () => {
    test.each(WAYS)("%s", async (_how, write) => {
      const { letter, status } = await asked();
      expect((await world.send(replied(letter, write(letter, "Approve")))).status).toBe(250);
      expect(await missing()).toEqual([]);
      expect(await status()).toMatchObject({
        status: "approved",
        decided_by: { email: MARA, method: "reply" },
      });
    });

    test.each(
      inTurn([
        ["English", "Approve", "Reject"],
        ["Chinese", "批准", "拒绝"],
        ["Spanish", "Aprobar", "Rechazar"],
        ["Hindi", "स्वीकृत", "अस्वीकृत"],
        ["Arabic", "موافق", "رفض"],
        ["Portuguese", "Aprovar", "Rejeitar"],
        ["French", "Approuver", "Refuser"],
        ["Russian", "Одобрить", "Отклонить"],
        ["German", "Genehmigen", "Ablehnen"],
        ["Japanese", "承認", "却下"],
        ["Korean", "승인", "거절"],
        ["Italian", "Approvare", "Rifiutare"],
      ]),
    )("in %s", async (_language, yes, no) => {
      for (const [word, outcome] of [
        [yes, "approved"],
        [no, "rejected"],
      ] as const) {
        const { letter, status } = await asked();
        await world.send(world.reply(MARA, letter, `${word}\n\n${quoted(letter)}`));
        expect(await status()).toMatchObject({ status: outcome });
      }
    });

    test("also by a signature that says when it was made and when it ends", async () => {
      const { letter, status } = await asked();
      await world.send(world.reply(MARA, letter, "Approve"), {
        tags: { t: seconds(), x: seconds(7 * 86_400) },
      });
      expect(await status()).toMatchObject({ status: "approved" });
    });

    test("also when the author's server delivers it and signs little, as the providers do", async () => {
      const by = await world.guarded("posted", PAUL);
      for (const { headers } of Object.values(HEADERS_SIGNED_BY)) {
        const { letter, status } = await asked(by);
        await world.send(world.reply(PAUL, letter, "Approve"), {
          key: world.keys.post,
          tags: { h: headers.join(":") },
        });
        expect(await status()).toMatchObject({ status: "approved" });
      }
    });

    test("also without a signature, from a host that SPF allows", async () => {
      const by = await world.guarded("unsigned", `pia@${POST}`);
      const { letter, status } = await asked(by);
      await world.send(world.reply(`pia@${POST}`, letter, "Approve"), { key: null });
      expect(await status()).toMatchObject({ status: "approved" });
    });

    test("also as a copy of a mail that named another inbox too", async () => {
      const other = await world.guarded("copied", `max@${FAMILY}`);
      const { letter, status } = await asked();
      const reply = world.reply(MARA, letter, "Approve");
      reply.headers["Cc"] = other.inbox.email;
      const { raw } = await world.send(reply, { rcpt: other.inbox.email });
      expect(await status()).toMatchObject({ status: "pending" });
      await world.deliver(raw, { from: MARA, to: letter.reply_to });
      expect(await status()).toMatchObject({ status: "approved" });
    });
  });

  describe("what is not the owner's word decides nothing", () => {
    test.each<[string, (letter: ReadLetter) => Parameters<OwnerWorld["send"]>, RegExp | null]>([
      [
        "a mail to the inbox that names the letter",
        (letter) => [
          {
            ...world.reply(MARA, letter, "Approve"),
            headers: { ...world.reply(MARA, letter, "Approve").headers, To: agent.inbox.email },
          },
        ],
        /not to the letter's reply address/,
      ],
      [
        "a reply to another mail, sent to the letter's address",
        (letter) => [world.reply(MARA, { ...letter, message_id: "<weather@family.example.com>" }, "Approve")],
        /another mail/,
      ],
      ["a quote alone", (letter) => [world.reply(MARA, letter, "> APPROVE")], /only a quote or a signature/],
      [
        "a signature alone",
        (letter) => [world.reply(MARA, letter, "-- \nAPPROVE")],
        /only a quote or a signature/,
      ],
      [
        "an HTML quote alone",
        (letter) => [
          {
            ...world.reply(MARA, letter, "<blockquote>APPROVE</blockquote>"),
            headers: { ...world.reply(MARA, letter, "").headers, "Content-Type": "text/html; charset=utf-8" },
          },
        ],
        /only a quote or a signature/,
      ],
      [
        "a signature of a key in testing",
        (letter) => [world.reply(MARA, letter, "Approve"), { key: world.keys.testing }],
        /testing/,
      ],
      [
        "a signature of our own key",
        (letter) => [
          world.reply("mara@agents.example.com", letter, "Approve"),
          { key: world.keys.ours, mail_from: "mara@agents.example.com" },
        ],
        null,
      ],
      [
        "a signature over a part of the body",
        (letter) => [world.reply(MARA, letter, "Approve"), { tags: { l: "3" } }],
        null,
      ],
      [
        "a signature without Date",
        (letter) => [
          world.reply(MARA, letter, "Approve"),
          { tags: { h: "from:to:subject:message-id:in-reply-to" } },
        ],
        /Date unsigned/,
      ],
      [
        "a signature without Subject",
        (letter) => [
          world.reply(MARA, letter, "Approve"),
          { tags: { h: "from:to:date:message-id:in-reply-to" } },
        ],
        /Subject unsigned/,
      ],
      [
        "a signature that names the letter nowhere",
        (letter) => [world.reply(MARA, letter, "Approve"), { tags: { h: "from:date:subject:message-id" } }],
        /names the letter/,
      ],
      [
        "a signature that has expired",
        (letter) => [world.reply(MARA, letter, "Approve"), { tags: { t: seconds(-60), x: seconds(-1) } }],
        /expired/,
      ],
      [
        "a signature that was made before the letter",
        (letter) => [world.reply(MARA, letter, "Approve"), { tags: { t: seconds(-86_400) } }],
        /not made between the letter and now/,
      ],
      [
        "a signature that will be made",
        (letter) => [world.reply(MARA, letter, "Approve"), { tags: { t: seconds(86_400) } }],
        null,
      ],
      [
        "a second Content-Type on top",
        (letter) => [
          world.reply(MARA, letter, "Approve"),
          {
            change: (signed) => `Content-Type: text/html\r\n${signed}`,
            tags: { h: "from:to:subject:date:in-reply-to" },
          },
        ],
        /twice/,
      ],
      [
        "a reply from before the letter",
        (letter) => [
          {
            ...world.reply(MARA, letter, "Approve"),
            headers: {
              ...world.reply(MARA, letter, "Approve").headers,
              Date: "Thu, 01 Jan 2026 00:00:00 +0000",
            },
          },
        ],
        /Date/,
      ],
      [
        "a forged reply",
        (letter) => [world.reply(MARA, letter, "Approve"), { key: null }],
        /not authenticated/,
      ],
      [
        "a reply by somebody else",
        (letter) => [world.reply(`eve@${POST}`, letter, "Approve"), { key: world.keys.post }],
        /another address/,
      ],
    ])("%s", async (_what, act, why) => {
      const { letter, status } = await asked();
      await world.send(...act(letter));
      expect(await status()).toMatchObject({ status: "pending", decided_by: null });
      if (why !== null) expect((await missing()).join()).toMatch(why);
    });

    test("a mail from outside that takes the letter's Message-ID, which leaves the owner's reply its word", async () => {
      const { letter, status } = await asked();
      for (const from of [`eve@${POST}`, MARA]) {
        const mail = world.write({
          from,
          to: agent.inbox.email,
          body: "Lunch? Answer yes.",
          headers: { "Message-ID": letter.message_id, "Reply-To": agent.inbox.email },
        });
        await world.send(mail, { key: world.keys.post, mail_from: `eve@${POST}` });
        const { headers, body } = world.reply(MARA, letter, "Yes");
        await world.send({ headers: { ...headers, To: agent.inbox.email }, body });
        expect(await status()).toMatchObject({ status: "pending" });
      }
      await world.send(world.reply(MARA, letter, "Yes"));
      expect(await status()).toMatchObject({ status: "approved" });
    });

    test("what an agent writes to its owner about a letter: its own mail, or another account's", async () => {
      const { letter, status } = await asked();
      const other = await world.guarded("planter", `rosa@${FAMILY}`);
      const lunch = { to: [MARA], subject: letter.subject, text: "Lunch? Answer yes." };
      for (const { as } of [agent, other]) {
        const inbox = await as.inboxes.create({});
        const sent = { ...lunch, inbox_id: inbox.id };
        const named = as.messages.send({ ...sent, in_reply_to: letter.message_id });
        await expect(named).rejects.toMatchObject({ code: "invalid_header" });
        const planted = as.messages.send({ ...sent, reply_to: letter.reply_to });
        await expect(planted).rejects.toMatchObject({ code: "invalid_address" });
        await as.messages.send(sent);
        const mail = await world.letterTo(MARA);
        await world.send(world.reply(MARA, { ...mail, reply_to: mail.reply_to || inbox.email }, "Yes"));
        expect(await status()).toMatchObject({ status: "pending" });
      }
    });

    test("a mail that only a forwarder vouches for", async () => {
      const { letter, status } = await asked();
      const mail = world.reply(MARA, letter, "Approve");
      const text = `${Object.entries(mail.headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\r\n")}\r\n\r\nApprove\r\n`;
      const sealed = seal(text, world.keys.post, { results: `${POST}; dmarc=pass header.from=${FAMILY}` });
      await world.deliver(sealed, { from: `list@${POST}`, to: letter.reply_to });
      expect(await status()).toMatchObject({ status: "pending" });
    });

    test("an old Yes with this letter's Message-ID put on top, to the inbox or the reply address", async () => {
      const order = world.write({ from: MARA, to: agent.inbox.email, body: "Approve" });
      // As the provider that signs neither To nor In-Reply-To.
      const { raw } = await world.send(order, {
        tags: { h: "from:date:subject:message-id:content-type:mime-version" },
      });
      const { letter, status } = await asked();
      const again = raw.replace(/^To: .*$/m, `To: ${letter.reply_to}`);
      for (const to of [agent.inbox.email, letter.reply_to]) {
        await world.deliver(`In-Reply-To: ${letter.message_id}\r\n${again}`, { from: MARA, to });
        expect(await status()).toMatchObject({ status: "pending" });
      }
    });

    test("a Yes to one agent, sent on to another's letter", async () => {
      const other = await world.guarded("second", MARA);
      const first = await asked();
      const second = await asked(other);
      const { raw } = await world.send(world.reply(MARA, first.letter, "Approve"));
      expect(await first.status()).toMatchObject({ status: "approved" });
      await world.deliver(raw, { from: MARA, to: second.letter.reply_to });
      expect(await second.status()).toMatchObject({ status: "pending" });
      expect((await missing(other)).join()).toMatch(/another mail/);
    });

    test("a reply that was seen where its author did not send it", async () => {
      const other = await world.guarded("seen", `zoe@${FAMILY}`);
      const { letter, status } = await asked();
      const { raw } = await world.send(world.reply(MARA, letter, "Approve"), { rcpt: other.inbox.email });
      await world.deliver(raw, { from: MARA, to: letter.reply_to });
      expect(await status()).toMatchObject({ status: "pending" });
      expect((await missing()).join()).toMatch(/seen before/);
    });

    test("a reply to a letter that does not show everything; one letter says to use the button", async () => {
      const attachments = [{ filename: "a.txt", content_base64: Buffer.from("x").toString("base64") }];
      const { letter, status } = await asked(agent, { attachments });
      expect(letter.text).not.toMatch(/reply with APPROVE/i);
      const before = lettersTo(MARA);
      await world.send(world.reply(MARA, letter, "Approve"));
      await world.send(world.reply(MARA, letter, "Approve!"));
      expect(await status()).toMatchObject({ status: "pending" });
      expect(lettersTo(MARA)).toBe(before + 1);
      expect((await world.letterTo(MARA)).text).toMatch(/use the button/);
    });

    test("a reply to a change of the inbox", async () => {
      const held = await agent.as.inboxes
        .update({ inbox_id: agent.inbox_id, send_mode: "direct" })
        .catch((error: unknown) => error);
      expect(held).toBeDefined();
      const letter = await world.letterTo(MARA);
      await world.send(world.reply(MARA, letter, "Approve"));
      expect((await agent.as.inboxes.get({ inbox_id: agent.inbox_id })).send_mode).toBe("approval");
    });
  });

  describe("the owner's reply answers a question", () => {
    test.each(WAYS)("%s", async (_how, write) => {
      const { letter, answer, task } = await questioned();
      expect((await world.send(replied(letter, write(letter, "Yes")))).status).toBe(250);
      expect(await missing()).toEqual([]);
      expect(await answer()).toMatchObject({ value: true, method: "reply" });
      expect(await task()).toMatchObject({ trusted: true, sender: MARA, answer: { value: true } });
    });

    test.each(
      inTurn([
        ["English", "Yes", "No"],
        ["Chinese", "是的", "不"],
        ["Spanish", "Sí", "No"],
        ["Hindi", "हाँ", "नहीं"],
        ["Arabic", "نعم", "لا"],
        ["Portuguese", "Sim", "Não"],
        ["French", "Oui", "Non"],
        ["Russian", "Да", "Нет"],
        ["German", "Ja", "Nein"],
        ["Japanese", "はい", "いいえ"],
        ["Korean", "네", "아니요"],
        ["Italian", "Sì", "No"],
      ]),
    )("in %s", async (_language, yes, no) => {
      for (const [word, value] of [
        [yes, true],
        [no, false],
      ] as const) {
        const { letter, answer } = await questioned();
        await world.send(world.reply(MARA, letter, `${word}\n\n${quoted(letter)}`));
        expect(await answer()).toMatchObject({ value });
      }
    });

    test.each<[string, (letter: ReadLetter) => Parameters<OwnerWorld["send"]>]>([
      [
        "a mail to the inbox that names the letter",
        (letter) => {
          const { headers, body } = world.reply(MARA, letter, "Yes");
          return [{ headers: { ...headers, To: agent.inbox.email }, body }];
        },
      ],
      ["a forged reply", (letter) => [world.reply(MARA, letter, "Yes"), { key: null }]],
      ["a quote alone", (letter) => [world.reply(MARA, letter, "> Yes")]],
      [
        "a signature of a key in testing",
        (letter) => [world.reply(MARA, letter, "Yes"), { key: world.keys.testing }],
      ],
      [
        "a signature that has expired",
        (letter) => [world.reply(MARA, letter, "Yes"), { tags: { x: seconds(-1) } }],
      ],
      [
        "a reply by somebody else",
        (letter) => [world.reply(`eve@${POST}`, letter, "Yes"), { key: world.keys.post }],
      ],
      [
        "a reply that nobody wrote",
        (letter) => {
          const { headers, body } = world.reply(MARA, letter, "Yes");
          return [{ headers: { ...headers, "Auto-Submitted": "auto-replied" }, body }];
        },
      ],
    ])("but not %s", async (_what, act) => {
      const { letter, answer, task } = await questioned();
      await world.send(...act(letter));
      expect(await answer()).toBeNull();
      expect((await task())?.answer ?? null).toBeNull();
    });
  });

  describe("the honest owner is not locked out", () => {
    /** Decides in a session, as the page's button does after its code. */
    const decide = async (token: string) =>
      world.service.letterslot
        .asOwner({ email: MARA, account_id: "" })
        .approvals.decide({ token, decision: "approve" });
    const tokenIn = ({ text }: ReadLetter) => /approve\?token=(\w+)/.exec(text)?.[1] ?? "";

    test.each<[string, (letter: ReadLetter) => Parameters<OwnerWorld["send"]>]>([
      [
        "by an out-of-office that quotes the letter",
        (letter) => {
          const { headers, body } = world.reply(MARA, letter, `I am away.\n\n${letter.text}`);
          return [{ headers: { ...headers, "Auto-Submitted": "auto-replied" }, body }];
        },
      ],
      [
        "by an out-of-office to the inbox",
        (letter) => [
          world.write({
            from: MARA,
            to: agent.inbox.email,
            body: `I am away.\n\n${letter.text}`,
            headers: { "Auto-Submitted": "auto-replied", "In-Reply-To": letter.message_id },
          }),
        ],
      ],
      [
        "by a ticket system that answers with the whole letter from an address of its own",
        (letter) => [
          world.reply(`tickets@${POST}`, letter, `We have received:\n\n${letter.text}`),
          { key: world.keys.post },
        ],
      ],
      [
        "by passing the letter on to the agent",
        (letter) => [world.write({ from: MARA, to: agent.inbox.email, body: letter.text })],
      ],
    ])("%s", async (_what, act) => {
      const { letter, status } = await asked();
      const token = tokenIn(letter);
      expect(token).toMatch(/^lso/);
      await world.send(...act(letter));
      expect(await status()).toMatchObject({ status: "pending" });
      const [newest] = await messagesOf(agent);
      expect(JSON.stringify(newest ?? "")).not.toContain(token);
      expect(await decide(token)).toMatchObject({ status: "approved" });
    });

    test("by a paused inbox, a suppression, a block or a bounce", async () => {
      const by = await world.guarded("quiet", `olga@${FAMILY}`);
      const { as, inbox_id, owner } = by;
      await expect(as.suppressions.create({ address: owner })).rejects.toMatchObject({
        code: "suppression_locked",
      });
      await as.lists.create({ direction: "send", type: "block", entry: owner });
      await as.lists.create({ direction: "receive", type: "block", entry: owner });
      const { letter, status } = await asked(by);
      await as.inboxes.update({ inbox_id, status: "paused" });
      await world.send(world.reply(owner, letter, "Approve"));
      expect(await status()).toMatchObject({ status: "approved", decided_by: { email: owner } });
      const before = lettersTo(owner);
      await world.service.letterslot
        .as({ type: "public", ip: "192.0.2.77" })
        .sessions.start({ email: owner });
      await world.service.work();
      expect(lettersTo(owner)).toBe(before + 1);
    });
  });

  describe("a signed order", () => {
    const order = (to: string, headers: Record<string, string> = {}) =>
      world.write({ from: MARA, to, body: `Book a plumber. ${(offers += 1)}`, headers });

    test("is a trusted task in the inbox that its To names, once", async () => {
      const { raw } = await world.send(order(agent.inbox.email));
      const before = await tasksOf(agent);
      expect(before[0]).toMatchObject({ trusted: true });
      await world.deliver(`Reply-To: eve@evil.test\r\n${raw}`, { from: MARA, to: agent.inbox.email });
      await world.deliver(raw, { from: MARA, to: agent.inbox.email });
      expect(await tasksOf(agent)).toHaveLength(before.length);
    });

    test("is untrusted where only an unsigned To names the inbox", async () => {
      await world.send(order(agent.inbox.email), { tags: { h: "from:date:subject:message-id" } });
      expect((await tasksOf(agent))[0]).toMatchObject({ trusted: false });
    });

    test("to one agent is no trusted task for another", async () => {
      const other = await world.guarded("third", MARA);
      const { raw } = await world.send(order(agent.inbox.email));
      await world.deliver(raw, { from: MARA, to: other.inbox.email });
      expect(await tasksOf(other)).toMatchObject([{ trusted: false }]);
      const both = order(agent.inbox.email, { Cc: other.inbox.email });
      const sent = await world.send(both);
      await world.deliver(sent.raw, { from: MARA, to: other.inbox.email });
      expect((await tasksOf(other))[0]).toMatchObject({ trusted: true });
    });

    test("is taken in its genuine copy, though a host that SPF does not allow sent it first", async () => {
      const by = await world.guarded("swift", `tom@${POST}`);
      const mail = world.write({ from: `tom@${POST}`, to: by.inbox.email, body: "Buy milk." });
      // Unsigned, so that only the envelope differs: the forger's is another domain's.
      const { raw } = await world.send(mail, { key: null, mail_from: `eve@${FAMILY}` });
      expect(await tasksOf(by)).toEqual([]);
      const [forged] = await messagesOf(by);
      expect(forged?.labels).toContain("untrusted");
      await world.deliver(raw, { from: `tom@${POST}`, to: by.inbox.email });
      const messages = await messagesOf(by);
      expect(messages.map(({ id }) => id)).toEqual([forged?.id]);
      expect(messages[0]?.labels).not.toContain("untrusted");
      expect(await tasksOf(by)).toMatchObject([{ trusted: true, message_id: forged?.id }]);
      await world.deliver(raw, { from: `tom@${POST}`, to: by.inbox.email });
      expect(await tasksOf(by)).toHaveLength(1);
    });

    test("is taken in its genuine copy, though it was injected first", async () => {
      const by = await world.guarded("patient", `ida@${FAMILY}`);
      const mail = world.write({ from: `ida@${FAMILY}`, to: by.inbox.email, body: "Buy tea." });
      const { raw } = await world.send(mail, { rcpt: `nobody@agents.example.com` });
      await by.as.messages.inject({
        inbox_id: by.inbox_id,
        from: `ida@${FAMILY}`,
        raw: Buffer.from(raw).toString("base64"),
      });
      await world.deliver(raw, { from: `ida@${FAMILY}`, to: by.inbox.email });
      const tasks = await tasksOf(by);
      expect(tasks.filter(({ trusted }) => trusted)).toHaveLength(1);
      expect((await messagesOf(by)).filter(({ labels }) => !labels.includes("injected"))).toHaveLength(1);
    });
  });
});
