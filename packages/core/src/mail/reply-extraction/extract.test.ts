import { describe, expect, test } from "vitest";
import { extractNewText, previewOf } from "./extract.ts";

const reply = (text: string) =>
  extractNewText({ text, html: null, subject: "Re: Plan", is_reply: true }).extracted_text;
const HEADER = "On Tue, 4 Mar 2025 at 10:15, Ada Bell <ada@example.com> wrote:";

describe("history", () => {
  test("a reply above a quote is returned without the quote", () => {
    const result = extractNewText({
      text: `Yes.\n\n${HEADER}\n\n> Ok?\n>\n> Ada\n`,
      html: null,
      subject: "Re: Plan",
      is_reply: true,
    });
    expect(result).toMatchObject({ extracted_text: "Yes.", extracted_html: null, method: "reply_header" });
    expect(result.removed_chars).toBeGreaterThan(60);
    expect(result.confidence).toBeGreaterThan(0.9);
  });
  test("a reply below a quote is returned without the quote", () => {
    expect(reply(`${HEADER}\n> Ok?\n> Ada\n\nYes.\nBo`)).toBe("Yes.\nBo");
  });
  test("text above and below a quote stays", () => {
    expect(reply(`Yes.\n\n${HEADER}\n\n> Ok?\n\nRegards, Bo`)).toBe("Yes.\n\nRegards, Bo");
  });
  test("answers between quotes stay with the questions", () => {
    expect(reply(`${HEADER}\n> Tea?\nYes.\n> Milk?\nNo.\n> Ada`)).toBe("> Tea?\nYes.\n> Milk?\nNo.");
  });
  test("a quoted line that lost its mark when wrapped is not an answer", () => {
    expect(reply(`Fine.\n\n${HEADER}\n> See the page (https://example.com/a\nb/c)\n> and reply`)).toBe(
      "Fine.",
    );
  });
  test("a header folded over four lines is one header", () => {
    expect(
      reply(
        "Fine.\n\nOn Tue, 4 Mar 2025 at 10:15 Ada Bell\n\n<\nmailto:Ada Bell <ada@example.com>\n> wrote:\n\nOk?",
      ),
    ).toBe("Fine.");
  });
  test("a header on the same line as the reply is found", () => {
    expect(reply("Fine by me--- On Tue, 4 Mar 2025 at 10:15, ada@example.com wrote:\n> Ok?")).toBe(
      "Fine by me",
    );
  });
  test("quoted text on the same line as the header is removed", () => {
    expect(
      reply("Fine.\n\nOn Tuesday, March 4, 2025, 10:15 AM, Ada <ada@example.com> wrote:> Ok?\nMore?"),
    ).toBe("Fine.");
  });
  test("an original message marker starts the history", () => {
    expect(reply("Fine.\n\n-----Original Message-----\nFrom: Ada\n\nOk?")).toBe("Fine.");
    expect(
      reply('Fine.\n-------- Ursprüngliche Nachricht --------Von: "Ada" Datum: 07.08.24 18:46\n\nOk?'),
    ).toBe("Fine.");
  });
  test("a header block without line breaks starts the history", () => {
    expect(reply("Fine.\nFrom: ada@example.com Sent: 4 March To: Bo Subject: Plan\nOk?")).toBe("Fine.");
  });
  test("a mail that is only a quote stays whole", () => {
    expect(reply("> Only this.")).toBe("> Only this.");
  });
  test("a reply that adds nothing is empty", () => {
    expect(reply(`> ${HEADER}\n>\n> Ok?`)).toBe("");
  });
  test("text below a header with nothing above it stays", () => {
    expect(reply(`${HEADER}\n\nMy answer, unmarked.`)).toBe("My answer, unmarked.");
  });
  test.each([
    "Last year you wrote:\nThe price is 5.\nIs that still so?",
    "On page 3 you wrote:\nthe sum is 5\nI get 6.",
    "On Monday we meet at 10:30 and on Tuesday at 11:00.\nBring tea.",
    "From: Rome\nTo: Oslo\nDate: 5 May\n\nPlease book this.",
    "Note: see below\nTo: do\nFrom: here on we walk.",
    "Offer!\n>>> >>> www.example.com <<<\nClick above.",
    "One\n\n---\n\nTwo\n\n---\n\nThree",
    "-------- Your answer goes here --------\n\nTwo boxes.",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "Prices:\n-- original: 5\n-- new: 6",
    "Part one.\n--\nPart two begins here and goes on for a while, as prose does.\nIt has more sentences than a signature has.\nAnd it ends here.",
    "People:\n\nAda Bell\nada@example.com\n\nBo Carr\nbo@example.com",
    "Please join.\n\nFrom: 10:00\nTo: 11:00\nDate: 4 March 2025\nSubject: Tea",
    "Fill in:\n\nFrom:\nTo:\nDate:\nSubject:\n\nand return.",
    "Send this for me:\n\nFrom: ada@example.com\nTo: bo@example.com\nSubject: Hello\n\nDear Bo, all is fine.",
    "As Ada wrote:\n\n> be bold\n\nI think we should.",
    "Log:\n2025-03-04 10:15 Ada <ada@example.com>: hello\n2025-03-04 10:16 Bo <bo@example.com>: hi",
    "Try:\n\n```\n> npm test\n```\n\nWorks?",
    "Patch:\n\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b",
    "Subject: matters\nThe subject matters, from: start to: end.",
  ])("prose stays whole: %j", (text) => {
    expect(reply(text)).toBe(text);
  });
});

describe("forwards", () => {
  const forwarded =
    "---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nDate: Tue, 4 Mar 2025\nSubject: Plan\nTo: Bo <bo@example.com>\n\nThe plan.\n\nOn Mon, 3 Mar 2025 at 10:15, Cy <cy@example.com> wrote:\n> Old";
  test.each(["Fwd: Plan", "FW: Plan", "WG: Plan", "TR : Plan", "RV: Plan", "转发：Plan"])(
    "a mail with the subject %s keeps the forwarded mail",
    (subject) => {
      const text = `Please handle this.\n\n${forwarded}`;
      expect(extractNewText({ text, html: null, subject, is_reply: true })).toMatchObject({
        extracted_text: text,
        method: "forward",
      });
    },
  );
  test("FYI above a forwarded mail is a forward whatever its subject", () => {
    expect(
      extractNewText({ text: `FYI\n\n${forwarded}`, html: null, subject: "Plan", is_reply: false })
        .extracted_text,
    ).toBe(`FYI\n\n${forwarded}`);
  });
  test.each(["Plan", "Your invoice"])(
    "a forward whose subject is %j is kept whole, and not cut within",
    (subject) => {
      const text = `Hello,\n\nplease handle this today.\n\nThanks\nBo\n\n${forwarded}`;
      for (const is_reply of [true, false])
        expect(extractNewText({ text, html: null, subject, is_reply })).toMatchObject({
          extracted_text: text,
          method: "forward",
        });
    },
  );
  const block =
    "From: Ada <ada@example.com>\nSent: Tuesday, March 4, 2025 10:15\nTo: Bo\nSubject: Plan\n\nThe plan.";
  test.each([
    block,
    `-----Original Message-----\n${block}`,
    block.replace(/^(?=.)/gm, "> ").replace("\n\n", "\n>\n"),
  ])("another mail's header in a mail that answers none is a forward: %j", (other) => {
    const text = `Please handle this.\n\n${other}`;
    const read = (subject: string, is_reply: boolean) =>
      extractNewText({ text, html: null, subject, is_reply });
    expect(read("Plan", false)).toMatchObject({ extracted_text: text, method: "forward" });
    for (const answer of [read("Plan", true), read("Re: Plan", false), read("", false)])
      expect(answer.extracted_text).toBe("Please handle this.");
  });
  test("the line above a quote is no such header", () => {
    const text = `Done.\n\n${HEADER}\n> Ok?`;
    expect(extractNewText({ text, html: null, subject: "Plan", is_reply: false }).extracted_text).toBe(
      "Done.",
    );
  });
  test.each(["[EXTERNAL] FW: Plan", "[plans] (ext) Fwd: Plan", "*External* WG: Plan", "EXTERN: WG: Plan"])(
    "tags before the prefix change nothing: %s",
    (subject) => {
      const text = `Please handle this.\n\n${block}`;
      const { extracted_text } = extractNewText({ text, html: null, subject, is_reply: true });
      expect(extracted_text).toBe(text);
    },
  );
  test.each(["Re: Plan", "[EXT] Re: Plan", "AW: Plan", "RES: Plan", "Odp: Plan", "回复：Plan"])(
    "a reply to a forward has the subject %s, and loses it",
    (subject) => {
      const text = `Done.\n\n${forwarded}`;
      expect(extractNewText({ text, html: null, subject, is_reply: true }).extracted_text).toBe("Done.");
    },
  );
  test("a marker in a mail without a subject ends the text above it", () => {
    const text = `Done.\n\n${forwarded}`;
    expect(extractNewText({ text, html: null, subject: "", is_reply: false }).extracted_text).toBe("Done.");
  });
  test.each(["Forwarded by Ada Bell/Example on 03/04/2025 10:15 AM", "Forwarded by ada@example.com"])(
    "a forward of Notes is one, too: %s",
    (words) => {
      const text = `Bo,\n\nplease handle this.\n\n---------------- ${words} ----------------\n\nThe plan.`;
      expect(extractNewText({ text, html: null, subject: "Plan", is_reply: false }).extracted_text).toBe(
        text,
      );
    },
  );
  test("a forwarded mail within a quote is part of it", () => {
    const text = `Done.\n\n${HEADER}\n\n${forwarded}`;
    expect(extractNewText({ text, html: null, subject: "Plan", is_reply: true }).extracted_text).toBe(
      "Done.",
    );
  });
  test("a forward with nothing above it stays whole", () => {
    expect(
      extractNewText({ text: forwarded, html: null, subject: "Plan", is_reply: false }).extracted_text,
    ).toBe(forwarded);
  });
  test("a forwarded mail marked like a quote ends the text above it", () => {
    const quoted = "> Begin forwarded message:\n>\n> From: Ada <ada@example.com>\n>\n> The plan.";
    expect(reply(`Done.\n\n${quoted}\n\nBo`)).toBe("Done.");
    expect(reply(`${quoted}\n\nDone.`)).toContain("The plan.");
    expect(reply(`${HEADER}\n${quoted}\n\nDone.`)).toBe("Done.");
    expect(
      extractNewText({ text: `See:\n\n${quoted}`, html: null, subject: "Fwd: Plan", is_reply: false })
        .extracted_text,
    ).toContain("The plan.");
  });
  test("a reply to a forward is a reply", () => {
    expect(
      extractNewText({ text: `Done.\n\n${forwarded}`, html: null, subject: "Re: Fwd: Plan", is_reply: true })
        .extracted_text,
    ).toBe("Done.");
  });
  test("a forward prefix in the subject alone keeps no history", () => {
    expect(
      extractNewText({ text: `Done.\n\n${HEADER}\n> Ok?`, html: null, subject: "Fwd: Plan", is_reply: true })
        .extracted_text,
    ).toBe("Done.");
  });
});

describe("signatures", () => {
  const sender = { name: "Bell, Ada", address: "ada.bell@example.com" };
  const from = (text: string) =>
    extractNewText({ text, html: null, subject: "Plan", is_reply: false, sender }).extracted_text;
  test("everything after the delimiter is removed", () => {
    expect(reply("Fine.\n\n-- \nAda Bell\nExample Ltd")).toBe("Fine.");
  });
  test("the sender's name at the end is removed with its closing and contact lines", () => {
    expect(from("Please send the file.\n\nThanks,\n\nAda")).toBe("Please send the file.");
    expect(from("Please send the file.\n\nAda Bell\nHead of Files\nTel: 555 0100")).toBe(
      "Please send the file.",
    );
    expect(from("Please send the file.\n\nThanks, AB")).toBe("Please send the file.");
  });
  test.each(["Kind regards,\n\nThe Paper Team", "Thanks,\nDave", "Viele Grüße\nBirgit Ohm"])(
    "a name below a closing is removed even if From shows another: %j",
    (closing) => {
      expect(from(`Please send the file.\n\n${closing}`)).toBe("Please send the file.");
    },
  );
  test.each([
    ["first", "> Be quick but don't hurry.\n\nI like this saying. Yes, Monday works."],
    ["between words", "Steps:\n> npm install\n> npm test\nThat is all."],
  ])("what the writer marks as a quote above an attribution stays: %s", (_where, text) => {
    const mail = `${text}\n\nOn Mon, 3 Mar 2025 at 10:15, Ada Bell <ada@example.com> wrote:\n> Does Monday work?`;
    const writer = { name: "Bo", address: "bo@example.com" };
    expect(
      extractNewText({ text: mail, html: null, subject: "Re: Monday", is_reply: true, sender: writer })
        .extracted_text,
    ).toBe(text);
  });

  test("a closing stays when the sender is unknown", () => {
    expect(reply("Please send the file.\n\nKind regards,\n\nAda")).toBe(
      "Please send the file.\n\nKind regards,\n\nAda",
    );
  });
  test("last words that aren't the sender's name stay", () => {
    for (const text of [
      "Which city?\n\nParis",
      "Thanks",
      "Meet Bo tomorrow.\n\nThanks for the tea",
      "Codes:\n\n555 0100\n555 0101",
    ])
      expect(from(text)).toBe(text);
  });
  test("a rule below the closing ends the letter", () => {
    expect(reply("Fine.\n\nKind regards,\nAda\n\n_____________\nada@example.com\n+44 20 5550 0100")).toBe(
      "Fine.\n\nKind regards,\nAda",
    );
  });
  test("a device line is removed with the unmarked history below it; a postscript stays", () => {
    expect(reply("Fine.\n\nSent from my iPhone\n\nOk?\nAda")).toBe("Fine.");
    expect(reply("Fine.\n\nSent from my iPhone\n\nPS: bring tea")).toBe("Fine.\n\nPS: bring tea");
  });
  test("a mailing list footer is removed", () => {
    expect(reply("Fine.\n\n> Ok?\n\n______________________\nPlans mailing list\nplans@example.org")).toBe(
      "Fine.",
    );
  });
  test("a gateway warning is removed", () => {
    expect(
      reply(
        "Caution: this mail came from outside of Example Ltd. Open no links or attachments.\n\nHi Bo,\nfine.",
      ),
    ).toBe("Hi Bo,\nfine.");
  });
  test("a mail that is only a signature stays", () => {
    expect(reply("Sent from my iPhone")).toBe("Sent from my iPhone");
  });
});

describe("previewOf", () => {
  test("is one line without control or invisible characters", () => {
    expect(previewOf(" a\n\n\tb\u0000c\u202ed\u200b e ")).toBe("a bcd e");
    expect(previewOf("one\r\n\u2028two\u00a0\ufeff\t three\n")).toBe("one two three");
  });
  test("is at most 200 characters and never splits a character", () => {
    const preview = previewOf(`${"x".repeat(198)}😀😀😀`);
    expect(preview.length).toBeLessThanOrEqual(200);
    expect(preview).toBe(`${"x".repeat(198)}…`);
    expect(previewOf("y".repeat(200))).toBe("y".repeat(200));
  });
});
