import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const PARENT = [
  "Dear Bo,",
  "",
  "the ferry to the island leaves at nine in the morning from the small pier behind the fish market.",
  "Shall we take the early one?",
  "",
  "I could bring the maps and the long rope. Who has the lamp?",
  "",
  "Ada",
].join("\n");
const parent_text = { text: PARENT, new_text: PARENT };
const lines = PARENT.split("\n");

const reply = (text: string, options: Partial<Parameters<typeof extractNewText>[0]> = {}) =>
  extractNewText({ text, html: null, subject: "Re: island", is_reply: true, parent_text, ...options });

/** Quotes of the parent that nothing marks, below "Fine with me." */
const UNMARKED: Record<string, string> = {
  "as it is": `Fine with me.\n\n${PARENT}`,
  "below a line in a language that isn't known": `Fine with me.\n\nAda Moss qillqarqan:\n\n${PARENT}`,
  "wrapped again": `Fine with me.\n\n${wrap(PARENT, 40)}`,
  indented: `Fine with me.\n\n${lines.map((line) => `    ${line}`).join("\n")}`,
  "below a rule": `Fine with me.\n\n________________\n${PARENT}`,
  "with typographic quotes and other blanks": `Fine with me.\n\n${PARENT.replaceAll(" ", "\u00a0")}`,
};

describe("a reply whose parent is stored", () => {
  test.each(Object.entries(UNMARKED))("is told from an unmarked quote: %s", (_, text) => {
    expect(reply(text).extracted_text.split("\n")[0]).toBe("Fine with me.");
    expect(reply(text).extracted_text).not.toContain("ferry");
    expect(reply(text).extracted_text).not.toContain("lamp");
  });

  test("below an unmarked quote is found", () => {
    expect(reply(`${PARENT}\n\nFine with me.`).extracted_text).toBe("Fine with me.");
  });

  test("keeps a sentence that it cites", () => {
    const text = "You ask: Who has the lamp? Bell has it.\nShall we take the early one?\nYes.";
    expect(reply(text).extracted_text).toBe(text);
  });

  test("that repeats the parent and says nothing else stays whole", () => {
    expect(reply(PARENT).extracted_text).toBe(reply(PARENT, { parent_text: undefined }).extracted_text);
  });

  test("that forwards the parent keeps it", () => {
    const text = `FYI\n\n---------- Forwarded message ----------\nFrom: Ada\n\n${PARENT}`;
    expect(reply(text, { subject: "Fwd: island" }).extracted_text).toContain("ferry");
  });

  test("with a parent of few words is read without it", () => {
    const parent = { text: "Shall we go?", new_text: "Shall we go?" };
    expect(reply("Yes.\n\nShall we go?", { parent_text: parent }).extracted_text).toBe(
      "Yes.\n\nShall we go?",
    );
  });

  test("loses what the parent itself quotes, too, where it follows the parent's own words", () => {
    const older = "On Sunday Bo asked whether the ferry goes at all in winter and where it leaves from.";
    const parent = { text: `${PARENT}\n\n${older}`, new_text: PARENT };
    expect(reply(`Fine with me.\n\n${PARENT}\n\n${older}`, { parent_text: parent }).extracted_text).toBe(
      "Fine with me.",
    );
    // Those are the writer's own words of before.
    expect(reply(`Fine with me.\n\n${older}`, { parent_text: parent }).extracted_text).toContain(older);
  });

  test("in a script without blanks is compared by characters", () => {
    const text = "明天早上九点的渡轮从鱼市场后面的小码头出发。我可以带地图和长绳。谁有灯？";
    const parent = { text, new_text: text };
    expect(reply(`好的，没问题。\n\n${text}`, { parent_text: parent }).extracted_text).toBe("好的，没问题。");
  });

  test("in HTML has its quote taken out of both texts", () => {
    const html = `<div>Fine with me.</div><div>${lines.join("</div><div>")}</div>`;
    const { extracted_text, extracted_html } = reply("", { html });
    expect(extracted_text).toBe("Fine with me.");
    expect(extracted_html).toContain("Fine with me.");
    expect(extracted_html).not.toContain("ferry");
  });
});

const BETWEEN = [
  "See below.",
  "",
  "From: Ada Moss <ada@example.com>",
  "Sent: Monday, January 5, 2026 10:15",
  "To: Bo",
  "Subject: island",
  "",
  ...lines.slice(0, 4),
  "Yes, the early one.",
  ...lines.slice(4, 6),
  "Mr. Bell has it.",
  ...lines.slice(6),
].join("\n");

describe("answers written into the quote of a stored parent", () => {
  test("are taken with the lines that they answer", () => {
    expect(reply(BETWEEN, { takes_answers: true })).toMatchObject({
      extracted_text: [
        "See below.",
        "> Shall we take the early one?",
        "Yes, the early one.",
        "> I could bring the maps and the long rope. Who has the lamp?",
        "Mr. Bell has it.",
      ].join("\n"),
      method: "inline_reply",
      own_words: true,
    });
  });

  test("are taken out of a marked quote, too", () => {
    const marked = `On Mon, 5 Jan 2026, Ada Moss <ada@example.com> wrote:\n${BETWEEN.split("\n")
      .slice(7)
      .map((line) => `> ${line}`)
      .join("\n")}`;
    const text = reply(`See below.\n\n${marked}`, { takes_answers: true }).extracted_text;
    expect(text).toContain("\nYes, the early one.");
    expect(text).toContain("\nMr. Bell has it.");
    expect(text).not.toContain("Dear Bo");
  });

  test("below all of it are taken", () => {
    const header = BETWEEN.split("\n").slice(2, 7).join("\n");
    const text = `Hello,\n\n${header}\n${PARENT}\n\nBell has the lamp.`;
    expect(reply(text, { takes_answers: true }).extracted_text).toContain("Bell has the lamp.");
  });

  test("are not taken unless that is asked for", () => {
    expect(reply(BETWEEN).extracted_text).toBe("See below.");
  });
});

/** Breaks lines at a column, as a client does. */
function wrap(text: string, column: number): string {
  return text.replace(new RegExp(`(.{1,${column}})(?: |$)`, "gm"), "$1\n").replace(/\n\n\n/g, "\n\n");
}
