import { beforeEach, describe, expect, test } from "vitest";
import { reasonsOf } from "../../../test/reasons-of.ts";
import { createTestService, signedBy, type TestAccount, type TestService } from "../../../testing/index.ts";

const WORDS = Array.from({ length: 40 }, (_, nth) => `word${nth}`).join(" ");
const a = "ada@lovelace.example";
const b = "bob@builder.example";

let service: TestService;
let account: TestAccount;
let nth = 0;

const here = () => ({ inbox_id: account.inbox.id });

/** Authenticated mail from somebody. */
async function receive(from: string, mail: Record<string, unknown> = {}): Promise<string> {
  nth += 1;
  const domain = from.slice(from.indexOf("@") + 1);
  await service.receive(
    {
      ...{ from, to: account.inbox.email, subject: `Mail ${nth}`, text: WORDS },
      ...{ message_id: `<${nth}@${domain}>`, ...mail },
    },
    signedBy(domain),
  );
  await service.work();
  const { data } = await account.as.messages.list({ ...here(), direction: "inbound" });
  return data[0]?.id ?? "";
}

const reply = (message_id: string, more: Record<string, unknown>) =>
  reasonsOf(account, () => account.as.messages.reply({ ...here(), message_id, ...more }));

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  await service.addOwner(account, "grace@example.com");
  await account.as.inboxes.update({ ...here(), send_mode: "guarded" });
});

describe("words of somebody else", () => {
  test("in another inbox hold nothing of a key that nobody who may read it has made", async () => {
    await receive(a);
    const other = await account.as.inboxes.create({ send_mode: "guarded" });
    const { id, api_key } = await account.as.keys.createForInbox({ inbox_id: other.id });
    // As a person's code gives it.
    await service.letterslot.services.storage.update("keys", { id }, { parent_key_id: null });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await service.receive(
      { from: b, to: other.email, subject: "Ada?", text: "What does she say?" },
      signedBy("builder.example"),
    );
    const [asks] = (await account.as.messages.list({ inbox_id: other.id, direction: "inbound" })).data;
    const answer = { inbox_id: other.id, message_id: asks?.id ?? "", text: WORDS };
    expect(await reasonsOf(account, () => account.as.messages.reply(answer))).toEqual(["elsewhere_text"]);
    expect(await reasonsOf(account, () => scoped.messages.reply(answer))).toBeNull();
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["as they came", {}, { text: `Look: ${WORDS}` }],
    ["quoted", {}, { text: `> ${WORDS.replaceAll(" word2", "\n> word2")}` }],
    ["in HTML", {}, { html: `<p>${WORDS.toUpperCase().replaceAll(" ", "</p><p>")}</p>` }],
    ["from HTML", { text: "Hi", html: `<b>Hi</b><i>${WORDS}</i>` }, { text: WORDS }],
    ["in part", {}, { text: WORDS.slice(WORDS.indexOf("word5"), WORDS.indexOf("word31")) }],
  ])("don't get to others: %s", async (_, mail, written) => {
    await receive(a, mail);
    const message_id = await receive(b, { text: "What does Ada say?" });
    expect(await reply(message_id, written)).toEqual(["elsewhere_text"]);
  });

  test("don't get to others once the mail is in the trash, or deleted for good", async () => {
    const [trashed, deleted] = [
      await receive(a),
      await receive(a, { text: `x ${WORDS.replaceAll("word", "other")}` }),
    ];
    await account.as.messages.delete({ ...here(), message_id: trashed });
    await account.as.messages.delete({ ...here(), message_id: deleted, permanent: true });
    const message_id = await receive(b, { text: "What does Ada say?" });
    expect(await reply(message_id, { text: WORDS })).toEqual(["elsewhere_text"]);
    expect(await reply(message_id, { text: WORDS.replaceAll("word", "other") })).toEqual(["elsewhere_text"]);
  });

  test("leave to those who were on the mail", async () => {
    const message_id = await receive(a, { headers: [`Cc: ${b}`] });
    expect(await reply(message_id, { text: `> ${WORDS}` })).toBeNull();
    const asks = await receive(b, { text: "What does Ada say?" });
    expect(await reply(asks, { text: WORDS })).toBeNull();
  });

  test("don't leave either if more mails have them than are compared", async () => {
    for (let mails = 0; mails < 120; mails++) await receive(a);
    const asks = await receive(b, { text: "What does Ada say?" });
    expect(await reply(asks, { text: WORDS })).toEqual(["elsewhere_text"]);
  });

  test("leave to own people", async () => {
    await receive(a);
    const send = { ...here(), to: ["grace@example.com"], subject: "Ada says", text: WORDS };
    expect(await reasonsOf(account, () => account.as.messages.send(send))).toBeNull();
  });

  test("leave if this inbox wrote them first and they only came back", async () => {
    const first = await receive(a, { text: "What do you sell?" });
    expect(await reply(first, { text: WORDS })).toBeNull();
    await service.work();
    await service.clock.advance(60_000);
    const { data } = await account.as.messages.list({ ...here(), direction: "outbound" });
    const in_reply_to = data[0]?.message_id ?? "";
    await receive(a, { text: `Thanks\n> ${WORDS}`, in_reply_to, references: [in_reply_to] });
    const second = await receive(b, { text: "What do you sell?" });
    expect(await reply(second, { text: WORDS })).toBeNull();
  });

  test("don't leave because the inbox has repeated them to their author", async () => {
    const first = await receive(a);
    expect(await reply(first, { text: WORDS })).toBeNull();
    const second = await receive(b, { text: "What does Ada say?" });
    expect(await reply(second, { text: WORDS })).toEqual(["elsewhere_text"]);
  });

  test("leave if three organisations wrote them", async () => {
    for (const from of ["x@one.example", "x@two.example", "x@three.example"]) await receive(from);
    const message_id = await receive(b, { text: "What do they say?" });
    expect(await reply(message_id, { text: WORDS })).toBeNull();
  });

  test("of the owner's order are no words of others, but those that they quote are", async () => {
    await receive("grace@example.com", { text: WORDS });
    const first = await receive(b, { text: "What does Grace say?" });
    expect(await reply(first, { text: WORDS })).toBeNull();
    const quoted = WORDS.replaceAll("word", "other");
    await receive("grace@example.com", { text: `See below.\n\nOn Monday, Ada <${a}> wrote:\n> ${quoted}` });
    expect(await reply(await receive(b, { text: "And Ada?" }), { text: quoted })).toEqual(["elsewhere_text"]);
  });
});

describe("a one-time link", () => {
  const link = "https://bank.example/verify?token=Abc123def456ghi789";

  test.each([
    ["as it came", link],
    ["with another host", link.replace("bank.example", "evil.example")],
    ["its token alone", "Abc123def456ghi789"],
  ])("doesn't get to others: %s", async (_, text) => {
    await receive(a, { subject: "Verify your address", text: `Confirm your address: ${link}` });
    const message_id = await receive(b, { text: "Send me what the bank wrote" });
    expect(await reply(message_id, { text })).toEqual(["elsewhere_code"]);
  });
});
