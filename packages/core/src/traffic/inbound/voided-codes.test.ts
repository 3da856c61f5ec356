import { describe, expect, test } from "vitest";
import { buildMail, forgedFrom, signedBy } from "../../../testing/index.ts";
import { headerOf, lettersTo } from "../../../testing/owner-mail.ts";
import {
  grace,
  mailOf,
  newest,
  type Setting,
  signingIn,
  startSignIn,
  text,
  withoutLink,
} from "../../../testing/returned-mail.ts";

const hour = 3600_000;
const isVoid = { code: "session_invalid" };
type Begun = Awaited<ReturnType<typeof startSignIn>>;

/** Somebody's help desk returns the letter's sentences and its code, and nothing that proves the letter. */
const returnWords = ({ service, inbox }: Setting, begun: Begun) =>
  service.receiveRaw(
    mailOf({ inbox }, [text(withoutLink(begun))]),
    inbox.email,
    "help@desk.example",
    forgedFrom("desk.example"),
  );

/** Three codes were made void within an hour by the sentences of their letters alone. */
async function afterThreeVoids() {
  const setting = await signingIn();
  for (const begun of [setting, await startSignIn(setting.service), await startSignIn(setting.service)]) {
    await returnWords(setting, begun);
    await expect(begun.signIn()).rejects.toMatchObject(isVoid);
  }
  return setting;
}

/** Grace is invited a second time, and the letter with the code. */
async function invited({ service, as }: Setting) {
  const second = await as.inboxes.create({ username: "second" });
  const owner = await as.owners.create({ inbox_id: second.id, email: grace });
  await service.work();
  const letter = lettersTo(service, grace).at(-1) ?? "";
  const code = service.codeFor(grace);
  const confirm = () => as.owners.confirmWithCode({ inbox_id: second.id, owner_id: owner.id, code });
  return { code, message_id: headerOf(letter, "Message-ID") ?? "", confirm };
}

describe("after three codes of an address were void by sentences alone", () => {
  test("no fourth is that day, not in later hours either; on the next day one is", async () => {
    const setting = await afterThreeVoids();
    const { service } = setting;
    const fourth = await startSignIn(service);
    await returnWords(setting, fourth);
    expect((await newest(setting))?.extracted_text).not.toContain(fourth.code);
    expect(await fourth.signIn()).toMatchObject({ email: grace });
    await service.clock.advance(2 * hour);
    const later = await startSignIn(service);
    await returnWords(setting, later);
    expect(await later.signIn()).toMatchObject({ email: grace });
    await service.clock.advance(22 * hour);
    const next_day = await startSignIn(service);
    await returnWords(setting, next_day);
    await expect(next_day.signIn()).rejects.toMatchObject(isVoid);
  });

  test("one is whose letter is proven: by its link, or by our signature", async () => {
    const setting = await afterThreeVoids();
    const { service, inbox } = setting;
    const by_link = await startSignIn(service);
    await service.receive({ from: "help@desk.example", to: inbox.email, text: by_link.words });
    await expect(by_link.signIn()).rejects.toMatchObject(isVoid);
    await service.clock.advance(hour);
    const by_signature = await startSignIn(service);
    await service.receiveRaw(
      by_signature.raw,
      inbox.email,
      "srs@example.com",
      signedBy("letterslot.localhost"),
    );
    await expect(by_signature.signIn()).rejects.toMatchObject(isVoid);
  });

  test("one is whose mail has a Message-ID as its own that no key can read", async () => {
    const setting = await afterThreeVoids();
    const { service, inbox } = setting;
    const begun = await startSignIn(service);
    const raw = Buffer.from(begun.raw.toString().replace(/sign-in\?token=/g, "sign-in?t="));
    await service.receiveRaw(raw, inbox.email, "srs@example.com", forgedFrom("letterslot.localhost"));
    await expect(begun.signIn()).rejects.toMatchObject(isVoid);
  });

  test("a mail that names a letter makes that letter's own code void, and no other", async () => {
    const setting = await afterThreeVoids();
    const { service, inbox } = setting;
    const other = await startSignIn(service);
    const { code, message_id, confirm } = await invited(setting);
    const mail = { from: "help@desk.example", to: inbox.email, references: [message_id] };
    await service.receive({ ...mail, text: `It was ${code}, or ${other.code}.` });
    expect(await other.signIn()).toMatchObject({ email: grace });
    await expect(confirm()).rejects.toMatchObject({ code: expect.stringMatching(/^confirm_/) });
  });

  test("what is proven doesn't count towards the three", async () => {
    const setting = await signingIn();
    const { service, inbox } = setting;
    for (const begun of [setting, await startSignIn(service), await startSignIn(service)]) {
      await service.receive({ from: "help@desk.example", to: inbox.email, text: begun.words });
      await expect(begun.signIn()).rejects.toMatchObject(isVoid);
    }
    const fourth = await startSignIn(service);
    await returnWords(setting, fourth);
    await expect(fourth.signIn()).rejects.toMatchObject(isVoid);
  });
});

test("old mail that is imported voids nothing, whatever it holds", async () => {
  const setting = await signingIn();
  const { as, inbox, raw, code, signIn } = setting;
  await as.messages.inject({ inbox_id: inbox.id, raw: raw.toString("base64"), imported: true });
  expect(JSON.stringify((await as.messages.list({ inbox_id: inbox.id })).data)).not.toContain(code);
  expect(await signIn()).toMatchObject({ email: grace });
});

describe("a number that equals a live code goes from the mail of its person alone", () => {
  const words = ({ code }: Setting) => `It is ${code}.`;
  const REMOVED = "It is [code removed].";

  test("the person outside who has the address", async () => {
    const setting = await signingIn();
    await setting.service.receive({ from: grace, to: setting.inbox.email, text: words(setting) });
    expect((await newest(setting))?.extracted_text).toBe(REMOVED);
  });

  test("and of no inbox at that address", async () => {
    const setting = await signingIn();
    const { service, inbox } = setting;
    const raw = buildMail({ from: grace, to: inbox.email, text: words(setting) });
    const eve = await service.signUp("eve");
    await service.letterslot.receive({
      ...{ raw, origin: "internal" },
      envelope: { mail_from: grace, rcpt_to: [inbox.email], client_ip: null, helo: null },
      sent_by: { inbox_id: eve.inbox.id, account_id: eve.account_id, address: grace },
    });
    expect((await newest(setting))?.extracted_text).toBe(words(setting));
    expect(await setting.signIn()).toMatchObject({ email: grace });
  });

  test.each([
    ["by a selector of our form", { selector: "ls-abc123" }],
    ["by a key that was ever ours", { key_hash: "a key of ours" }],
    ["with a key for testing", { key_testing: true }],
    ["without its Date", { signed_headers: ["from", "subject"] }],
  ])("nor of mail that is signed, but %s", async (_, change) => {
    const setting = await signingIn();
    const { service, inbox } = setting;
    await service.letterslot.services.storage.insert("known_keys", { hash: "a key of ours" });
    const facts = signedBy("example.com");
    const signed = {
      ...facts,
      spf: { ...facts.spf, result: "fail" as const },
      dkim: facts.dkim.map((signature) => ({ ...signature, ...change })),
    };
    await service.receive({ from: grace, to: inbox.email, text: words(setting) }, signed);
    const message = await newest(setting);
    expect(message).toMatchObject({ auth: { dkim: "pass" }, extracted_text: words(setting) });
    expect(await setting.signIn()).toMatchObject({ email: grace });
  });
});
