import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  provenDomain,
  signedBy,
  type TestAccount,
  type TestService,
} from "../testing/index.ts";
import { answerTo, lettersTo, tokensIn } from "../testing/owner-mail.ts";
import { LETTER_KINDS, type LetterKind } from "./catalogue/letter-frames.ts";
import { LIMITS } from "./catalogue/limits.ts";
import { lettersOf, livesForAccount } from "./kernel/letters/letters.ts";
import { parseMail } from "./mail/parse.ts";
import { findWords } from "./mail/redaction/find-words.ts";
import { framesIn } from "./mail/redaction/frames.ts";
import { htmlToText } from "./mail/reply-extraction/extract.ts";
import { iso } from "./model/fields.ts";
import type { LetterRecord } from "./model/letters.ts";
import { liveCodesTo, voidCode } from "./owners/sessions/index.ts";
import { letterJob } from "./owners/sessions/passkeys.ts";

const olga = "olga@owner.example";
const heidi = "heidi@owner.example";
const day = 24 * 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const services = () => service.letterslot.services;
const publicly = () => service.letterslot.as({ type: "public", ip: "203.0.113.9" });
const give = (email: string) =>
  service.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email });
const last = (email: string): string => lettersTo(service, email).at(-1) ?? "";
const job = (kind: "domain.letter", subject_id: string, payload: Record<string, unknown>) =>
  services().storage.insert("jobs", {
    ...{ id: services().makeId("job"), kind, subject_id, payload, attempts: 0, lease: null },
    ...{ due_at: service.clock.now().toISOString(), created_at: service.clock.now().toISOString() },
  });
const registered = (limit = 500): Promise<LetterRecord[]> =>
  services().storage.find("letters", {
    where: { expires_at: { gt: "" } },
    order: { by: "expires_at", direction: "asc" },
    limit,
  });

/** Answers the newest letter to Olga with these words. */
const reply = (text: string) =>
  service.receive(
    { from: olga, subject: "Re: your letter", text, ...answerTo(last(olga)) },
    signedBy("owner.example"),
  );

const question = { type: "yes_no" as const };

/** The way to make each kind of letter be sent; a kind without one is a type error. */
const SEND: Record<LetterKind, () => Promise<unknown>> = {
  async confirmation() {
    await account.as.owners.create({ inbox_id: account.inbox.id, email: "new@owner.example" });
  },
  async sign_in() {
    await give(olga);
    await publicly().sessions.start({ email: olga });
  },
  async recovery() {
    await give(olga);
    await publicly().recovery.start({ email: olga });
  },
  async key_recovered() {
    await SEND.recovery();
    await service.work();
    const token = /recover\/confirm\?token=(\w+)/.exec(last(olga))?.[1] ?? "";
    const person = service.letterslot.asOwner({ email: olga, account_id: account.account_id });
    await person.recovery.confirm({ token });
  },
  async keys_left() {
    await SEND.key_recovered();
    const [given] = await services().storage.find("authorities", { where: { email: olga }, limit: 1 });
    await give(heidi);
    await service.letterslot.operator.accounts.authority.end(given?.id ?? "");
  },
  async passkeys() {
    await give(olga);
    const about = { email: olga, what: "added" as const, name: "Phone", subject_id: "pky_1" };
    await services().storage.insert("jobs", letterJob(services(), about, service.clock.now()));
  },
  async paired() {
    const person = service.letterslot.asOwner({ email: olga, account_id: account.account_id });
    const { code } = await person.pairings.create({});
    await publicly().pairings.pair({ code });
  },
  async canary() {
    await give(olga);
    const inbox_id = account.inbox.id;
    const person = service.letterslot.asOwner({ email: olga, account_id: account.account_id });
    const { canary } = await person.canaries.create({ inbox_id, name: "Instructions" });
    // It is refused, and the letter says so.
    await account.as.messages
      .send({ inbox_id, to: ["bob@example.org"], text: canary })
      .catch(() => undefined);
  },
  async forwarding() {
    await give(heidi);
    await account.as.forwarding.create({ inbox_id: account.inbox.id, email: olga });
  },
  async forwarding_ended() {
    await give(olga);
    await give(heidi);
    const inbox_id = account.inbox.id;
    const person = service.letterslot.asOwner({ email: heidi, account_id: account.account_id });
    await person.forwarding.create({ inbox_id, email: "box@example.org", everything: true });
    await service.work();
    const letter = last("box@example.org");
    const token = /forwarding\/confirm\?token=(\w+)/.exec(letter)?.[1] ?? "";
    await publicly().forwarding.confirm({ token, code: service.codeFor("box@example.org") });
    const [given] = await services().storage.find("authorities", { where: { email: heidi }, limit: 1 });
    await service.letterslot.operator.accounts.authority.end(given?.id ?? "");
  },
  async approvals_waiting() {
    await service.addOwner(account, olga);
    const { id: inbox_id } = account.inbox;
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    for (const text of ["1", "2", "3", "4"])
      await account.as.messages.send({ inbox_id, to: ["ada@example.com"], text });
    await service.work();
    await service.clock.advance(15 * 60_000);
  },
  async domain_degraded() {
    const { id } = await provenDomain(services(), account.account_id, {
      domain: "firm.example",
      status: "degraded",
    });
    await job("domain.letter", id, { to: olga });
  },
  async domain_receives() {
    const { id } = await provenDomain(services(), account.account_id, {
      domain: "firm.example",
      receiving_from: iso(new Date(service.clock.now().getTime() + 3_600_000)),
    });
    await job("domain.letter", id, { to: olga, receives: true });
  },
  async postmaster() {
    await give(olga);
    await provenDomain(services(), account.account_id, { domain: "firm.example" });
    await service.receive({
      from: "bob@example.org",
      to: "postmaster@firm.example",
      text: "Your mail loops.",
    });
  },
  async approval() {
    await service.addOwner(account, olga);
    const { id: inbox_id } = account.inbox;
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    await account.as.messages.send({ inbox_id, to: ["bob@example.org"], subject: "Hi", text: "Hello." });
  },
  async update() {
    await service.addOwner(account, olga);
    await account.as.updates.create({ inbox_id: account.inbox.id, kind: "progress", text: "Half is done." });
  },
  async digest() {
    const { id: inbox_id } = account.inbox;
    const owner_id = await service.addOwner(account, olga);
    await account.as.owners.update({ inbox_id, owner_id, digest: "daily" });
    await account.as.updates.create({ inbox_id, kind: "progress", text: "Half is done." });
    await account.as.updates.create({ inbox_id, kind: "needs_input", text: "Go on?", question });
    await account.as.updates.create({ inbox_id, kind: "needs_input", text: "Or stop?", question });
    await service.clock.advance(2 * day);
  },
  async question_again() {
    await service.addOwner(account, olga);
    const { id: inbox_id } = account.inbox;
    await account.as.updates.create({ inbox_id, kind: "needs_input", text: "Go on?", question });
    await service.work();
    await reply("Purple elephants are large.");
  },
  async which_question() {
    await SEND.digest();
    await service.work();
    await reply("yes");
  },
  async preferences_changed() {
    await SEND.update();
    await service.work();
    const [token = ""] = tokensIn(last(olga), "style");
    await publicly().owners.choose({ token, email_style: "casual" });
  },
  async updates_ended() {
    await SEND.update();
    await service.work();
    await reply("unsubscribe");
  },
};

describe.each(LETTER_KINDS)("a letter of the kind %s", (kind) => {
  test("is registered before it leaves, with its address, its secrets and its sentences", async () => {
    await SEND[kind]();
    await service.work();
    const letters = await registered();
    expect(letters.map((letter) => letter.kind)).toContain(kind);
    const left = service.transport.attempts.filter(({ letter }) => letter === true);
    expect(new Set(letters.map(({ message_id }) => message_id))).toEqual(
      new Set(left.map(({ message_id }) => message_id)),
    );
    for (const { message_id, envelope, raw } of left) {
      const { letters: found } = await lettersOf(services(), { secrets: [], message_ids: [message_id] });
      const [letter] = found;
      expect(letter).toMatchObject({ email: envelope.rcpt_to[0], message_id });
      const mail = await parseMail(raw);
      expect([...framesIn(mail.text ?? "")]).toEqual([letter?.kind]);
      expect([...framesIn(htmlToText(mail.html ?? ""))]).toEqual([letter?.kind]);
      const text = new TextDecoder().decode(raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
      for (const { secret } of findWords(text)) {
        if (secret === null) continue;
        const by = await lettersOf(services(), { secrets: [secret], message_ids: [] });
        expect(by.letters).toEqual([letter]);
      }
      expect(letter?.message_id_readable).toBe(letter?.inbox_id !== null);
    }
  });
});

describe("the registry of letters", () => {
  const confirming = "new@owner.example";
  const ofKind = async (kind: LetterKind) => (await registered()).filter((letter) => letter.kind === kind);

  test("is written with the letter: an attempt that fails leaves one too, and the next is another", async () => {
    await give(olga);
    service.transport.refuse(olga, "temporary_failure");
    await publicly().sessions.start({ email: olga });
    await service.work();
    expect(await ofKind("sign_in")).toHaveLength(1);
    service.transport.accept(olga);
    await service.clock.advance(60_000);
    await service.work();
    const letters = await ofKind("sign_in");
    expect(letters).toHaveLength(2);
    expect(new Set(letters.map(({ subject_id }) => subject_id)).size).toBe(1);
    const texts = service.transport.attempts.map(({ raw }) => new TextDecoder().decode(raw));
    const secrets = texts.flatMap((text) => findWords(text).flatMap(({ secret }) => secret ?? []));
    const found = await lettersOf(services(), { secrets, message_ids: [] });
    expect(found.letters).toHaveLength(2);
  });

  test("knows nothing of an attempt to sign in that nobody gets a letter for", async () => {
    await publicly().sessions.start({ email: "nobody@example.net" });
    await service.work();
    expect(await registered()).toEqual([]);
  });

  test("finds a letter by its Message-ID in another case, and nothing by words that are none of ours", async () => {
    await account.as.owners.create({ inbox_id: account.inbox.id, email: confirming });
    const [letter] = await registered();
    const shouted = (letter?.message_id ?? "").toUpperCase();
    expect((await lettersOf(services(), { secrets: [], message_ids: [shouted] })).letters).toEqual([letter]);
    const none = await lettersOf(services(), { secrets: ["lsoabc"], message_ids: ["<x@example.org>"] });
    expect(none).toEqual({ letters: [], secrets: [] });
  });

  test("asks nothing of the storage for nothing", async () => {
    const reads: string[] = [];
    const never = ((table: string) => Promise.reject(new Error(String(reads.push(table))))) as never;
    expect(await lettersOf({ storage: { find: never } }, { secrets: [], message_ids: [] })).toEqual({
      letters: [],
      secrets: [],
    });
    expect(reads).toEqual([]);
  });

  test("forgets after 90 days, with the secrets that were no account's", async () => {
    await SEND.recovery();
    await account.as.owners.create({ inbox_id: account.inbox.id, email: confirming });
    await service.work();
    const secrets = service.transport.sent.flatMap(({ raw }) =>
      findWords(new TextDecoder().decode(raw).replace(/=\r\n/g, "").replace(/=3D/g, "=")).flatMap(
        ({ secret }) => secret ?? [],
      ),
    );
    const known = async () => lettersOf(services(), { secrets, message_ids: [] });
    await service.clock.advance(LIMITS.letters_kept_ms - 1);
    await service.letterslot.sweep();
    expect((await known()).letters.map(({ kind }) => kind).toSorted()).toEqual(["confirmation", "recovery"]);
    await service.clock.advance(1);
    await service.letterslot.sweep();
    const { letters, secrets: left } = await known();
    expect(letters).toEqual([]);
    expect(new Set(left.map(({ account_id }) => account_id))).toEqual(new Set([account.account_id]));
  });

  test("keeps the letters of an inbox that is gone, and goes with its account", async () => {
    await account.as.owners.create({ inbox_id: account.inbox.id, email: confirming });
    await service.work();
    await account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true });
    await service.work();
    expect(await registered()).toMatchObject([{ kind: "confirmation" }]);
    await service.letterslot.operator.accounts.delete(account.account_id);
    await service.work();
    expect(await registered()).toEqual([]);
  });
});

describe("the codes that live for an address", () => {
  const codes = (email = olga) => liveCodesTo(services(), email, service.clock.now());

  test("are those of its sign-ins and of its invitations, each for its own letter", async () => {
    await give(olga);
    await publicly().sessions.start({ email: olga });
    await service.work();
    const sign_in = service.codeFor(olga);
    await account.as.owners.create({ inbox_id: account.inbox.id, email: olga });
    await service.work();
    const confirmation = service.codeFor(olga);
    const live = await codes();
    expect(live.map(({ kind }) => kind)).toEqual(["sign_in", "confirmation"]);
    expect(live.map(({ is }) => [is(sign_in), is(confirmation)])).toEqual([
      [true, sign_in === confirmation],
      [sign_in === confirmation, true],
    ]);
    expect(live.map(({ subject_id }) => subject_id)).toEqual(
      (await registered())
        .map(({ subject_id }) => subject_id ?? "")
        .toSorted((one, other) => (one < other ? 1 : -1)),
    );
    expect(await codes(heidi)).toEqual([]);
    await service.clock.advance(15 * 60_000);
    expect((await codes()).map(({ kind }) => kind)).toEqual(["confirmation"]);
    await service.clock.advance(15 * 60_000);
    expect(await codes()).toEqual([]);
  });

  test("end with a letter that is void; the person's other code lives on", async () => {
    await give(olga);
    await publicly().sessions.start({ email: olga });
    await service.work();
    const sign_in = service.codeFor(olga);
    await account.as.owners.create({ inbox_id: account.inbox.id, email: olga });
    await service.work();
    const confirmation = service.codeFor(olga);
    const wrong = ["000001", "000002", "000003"].filter((it) => it !== sign_in && it !== confirmation);
    const letters = await registered();
    const voided = (kind: LetterKind, numbers: string[]) => {
      const letter = letters.find((each) => each.kind === kind);
      if (letter === undefined) throw new Error(`no letter of the kind ${kind}`);
      return voidCode(services(), letter, numbers, service.clock.now());
    };
    expect(await voided("confirmation", wrong)).toBe(false);
    expect(await codes()).toHaveLength(2);
    expect(await voided("sign_in", [...wrong, sign_in])).toBe(true);
    expect(await voided("sign_in", [sign_in])).toBe(false);
    expect((await codes()).map(({ kind }) => kind)).toEqual(["confirmation"]);
    expect(await voided("confirmation", [confirmation])).toBe(true);
    expect(await codes()).toEqual([]);
  });
});

describe("an account knows until when something may live in a letter to its people", () => {
  const lives = async () =>
    livesForAccount([await services().storage.get("accounts", account.account_id)], service.clock.now());
  const after = async (ms: number) => {
    await service.clock.advance(ms);
    return lives();
  };

  test("nothing lives in a new account, nor in one that sends updates", async () => {
    expect(await lives()).toBe(false);
    await service.addOwner(account, olga);
    expect(await after(day)).toBe(false);
    await account.as.updates.create({ inbox_id: account.inbox.id, kind: "done", text: "It is done." });
    expect(await lives()).toBe(false);
  });

  test("a confirmation for a day", async () => {
    await account.as.owners.create({ inbox_id: account.inbox.id, email: olga });
    expect(await lives()).toBe(true);
    expect(await after(day - 1)).toBe(true);
    expect(await after(1)).toBe(false);
  });

  test("a code to somebody in charge, from when its letter is made, for 15 minutes", async () => {
    await give(olga);
    await publicly().sessions.start({ email: olga });
    expect(await lives()).toBe(false);
    await service.work();
    expect(await lives()).toBe(true);
    expect(await after(15 * 60_000)).toBe(false);
  });

  test("a question until it ends, and without an end as long as its letter is known", async () => {
    await service.addOwner(account, olga);
    await service.clock.advance(day);
    const { id: inbox_id } = account.inbox;
    const expires_at = new Date(service.clock.now().getTime() + 2 * day).toISOString();
    await account.as.updates.create({
      ...{ inbox_id, kind: "needs_input", text: "Go on?" },
      question: { ...question, expires_at },
    });
    expect(await after(2 * day - 1)).toBe(true);
    expect(await after(1)).toBe(false);
    await account.as.updates.create({ inbox_id, kind: "needs_input", text: "Go on?", question });
    expect(await after(LIMITS.letters_kept_ms - 1)).toBe(true);
    expect(await after(1)).toBe(false);
  });

  test("a shorter life doesn't end a longer one", async () => {
    await account.as.owners.create({ inbox_id: account.inbox.id, email: heidi });
    await give(olga);
    await publicly().sessions.start({ email: olga });
    await service.work();
    expect(await after(16 * 60_000)).toBe(true);
  });
});
