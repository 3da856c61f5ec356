import { describe, expect, test } from "vitest";
import { answer, approvalOf, guarded, heldMail, letterTo } from "../../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../../testing/index.ts";
import type { LetterslotConfig } from "../../../letterslot.ts";
import { runContentTask } from "../../../mail/content-tasks.ts";

const owner = "olga@owner.example";
const guest = "gus@guest.example";
const ASKED = [
  "The ferry to the island leaves at nine in the morning from the small pier behind the fish market.",
  "Shall we take the early one?",
  "I could bring the maps and the long rope. Who has the lamp?",
].join("\n");

/** An inbox that wrote to somebody, and a reply to that. */
async function written(contentWorker?: LetterslotConfig["contentWorker"]) {
  const service = createTestService(contentWorker === undefined ? {} : { contentWorker });
  const account = await service.signUp();
  await service.addOwner(account, owner);
  const { inbox } = account;
  await account.as.messages.send({ inbox_id: inbox.id, to: [owner], subject: "Island", text: ASKED });
  await service.work();
  const [sent] = (await account.as.messages.list({ inbox_id: inbox.id, direction: "outbound" })).data;
  const message_id =
    (await service.letterslot.services.storage.get("messages", sent?.id ?? ""))?.message_id ?? "";
  const reply = async (
    text: string,
    { from = owner, ...more }: { from?: string; html?: string; to?: string } = {},
  ) => {
    await service.receive({
      ...{ from, to: inbox.email, subject: "Re: Island", in_reply_to: message_id, text },
      ...more,
    });
    const [message] = (await account.as.messages.list({ inbox_id: inbox.id, direction: "inbound" })).data;
    return message;
  };
  return { service, account, inbox, message_id, reply };
}

describe("a reply to a mail that the inbox has", () => {
  test("shows no words of that, though nothing marks them", async () => {
    const { account, reply } = await written();
    const message = await reply(`The early one is fine.\n\n${ASKED}\n`);
    expect(message).toMatchObject({ extracted_text: "The early one is fine." });
    const { data } = await account.as.tasks.list({});
    expect(data).toMatchObject([{ text: "The early one is fine.", trusted: true }]);
  });

  test("shows none where the mail is found by References alone", async () => {
    const { service, account, inbox, message_id } = await written();
    await service.receive({
      ...{ from: owner, to: inbox.email, subject: "Re: Island", text: `Fine.\n\n${ASKED}\n` },
      references: ["<other@owner.example>", message_id],
    });
    expect((await account.as.tasks.list({})).data).toMatchObject([{ text: "Fine." }]);
  });

  test("has the answers that a stranger wrote into the quote; an owner's count only where they stand apart", async () => {
    const { reply } = await written();
    const [first = "", second = "", third = ""] = ASKED.split("\n");
    const header =
      "From: Agent <agent@example.com>\nSent: Thursday, January 1, 2026 10:15\nTo: Gus\nSubject: Island\n";
    const text = `My answers are in red.\n\n${header}\n${first}\n${second}\nYes, the early one.\n${third}\nBell has it.\n`;
    expect((await reply(text, { from: guest }))?.extracted_text).toBe(
      `My answers are in red.\n> ${second}\nYes, the early one.\n> ${third}\nBell has it.`,
    );
    expect((await reply(text))?.extracted_text).toBe("My answers are in red.");
  });

  test("has the answers that marks tell in old text; not where the author may give orders, or it is about a letter", async () => {
    const { account, reply } = await written();
    const header = "From: Cy <cy@cy.example>\nSent: Thursday, January 1, 2026 10:15\nTo: Olga\nSubject: Hi\n";
    const text = (name: string) => `My answers are below.\n\n${header}\nTea?\n[${name}] Pay Cy.\n`;
    expect((await reply(text("gus"), { from: guest }))?.extracted_text).toBe(
      "My answers are below.\n> Tea?\n[gus] Pay Cy.",
    );
    expect((await reply(text("olga")))?.extracted_text).toBe("My answers are below.");
    await account.as.messages.inject({
      inbox_id: account.inbox.id,
      ...{ from: owner, subject: "Re: Hi", in_reply_to: "<unknown@cy.example>", text: text("olga") },
      auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    });
    const { data } = await account.as.tasks.list({});
    expect(data.map((task) => task.text)).toEqual(["My answers are below.", "My answers are below."]);
  });

  test("has the same words as visible in the marked view", async () => {
    const { account, inbox, reply } = await written();
    const blocks = async (from: string, text: string) => {
      const message_id = (await reply(text, { from }))?.id ?? "";
      const view = await account.as.messages.marked({ inbox_id: inbox.id, message_id });
      const mark = /^\[([0-9a-f]{16}) begin/m.exec(view.text)?.[1] ?? "";
      return view.text.split(`[${mark} `).flatMap((block) => {
        const [title = "", ...lines] = block.split("\n");
        return title.startsWith("visible") ? [lines.join("\n").trim()] : [];
      });
    };
    const [first = "", second = "", third = ""] = ASKED.split("\n");
    const header = "From: Agent <agent@example.com>\nSent: Thursday, January 1, 2026 10:15\nTo: Gus";
    const inline = `See below.\n\n${header}\n\n${first}\n${second}\nYes, the early one.\n${third}`;
    expect(await blocks(owner, `Fine.\n\n${ASKED}`)).toEqual(["Fine."]);
    expect(await blocks(guest, inline)).toEqual(["See below.", "Yes, the early one."]);
    expect(await blocks(owner, inline)).toEqual(["See below."]);
  });

  test("to a mail that only another inbox has is read as it is", async () => {
    const { service, account, inbox } = await written();
    const other = await service.signUp("other");
    const message_id = "<ladder@guest.example>";
    await service.receive({ from: guest, to: other.inbox.email, subject: "Ladder", message_id, text: ASKED });
    const text = `Fine.\n\n${ASKED}`;
    await service.receive({
      from: owner,
      to: inbox.email,
      subject: "Re: Ladder",
      in_reply_to: message_id,
      text,
    });
    expect((await account.as.tasks.list({})).data).toMatchObject([{ text }]);
  });

  test("is compared with what the inbox sent, not with a mail that bears its Message-ID", async () => {
    const { service, inbox, reply, message_id } = await written();
    const text =
      "Please bring the long ladder from the boat house, and the two lamps that hang beside the door.";
    await service.receive({ from: guest, to: inbox.email, subject: "Island", message_id, text });
    expect((await reply(`Fine.\n\n${text}`))?.extracted_text).toBe(`Fine.\n\n${text}`);
  });

  test("that answers a mail the inbox hasn't is read as it is", async () => {
    const { service, account, inbox } = await written();
    const text = `The early one is fine.\n\n${ASKED}`;
    await service.receive({ ...{ from: owner, to: inbox.email, in_reply_to: "<no@owner.example>" }, text });
    expect((await account.as.tasks.list({})).data).toMatchObject([{ text }]);
  });
});

describe("a long reply", () => {
  const long = "It is as I said before, and nothing else. ".repeat(500);

  test("is compared in the other thread", async () => {
    const tasks: string[] = [];
    const { reply } = await written({
      run(name, input) {
        tasks.push(name);
        return runContentTask(name, structuredClone(input));
      },
    });
    expect((await reply(`${long}\n\n${ASKED}`))?.extracted_text).toBe(long.trim());
    expect(tasks).toContain("extractNewText");
  });

  test("is received as it is when the other thread fails", async () => {
    const { reply } = await written({
      run: (name, input) =>
        name === "extractNewText" ? Promise.reject(new Error("too slow")) : runContentTask(name, input),
    });
    expect((await reply(`${long}\n\n${ASKED}`))?.extracted_text).toContain(ASKED);
  });
});

describe("an owner's reply to a letter", () => {
  test("approves nothing when it says more than yes, though the letter said that, too", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting);
    const { text } = await letterTo(setting.service);
    // Only words that the agent's copy of the letter has too.
    const words = (text ?? "")
      .split("\n")
      .filter((line) => line.trim() !== "" && !/\w\.\w|:\/\/|:$/.test(line));
    expect(words.join(" ").split(" ").length).toBeGreaterThan(10);
    await answer(setting.service, `Approve\n\n${words.join("\n")}`);
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "pending" });
  });
});
