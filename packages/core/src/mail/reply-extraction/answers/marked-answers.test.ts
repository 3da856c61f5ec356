import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../../test/support/processor-time.ts";
import { extractNewText } from "../extract.ts";

const sender = { name: "Ada Moss", address: "ada@example.com" };
const HEADER = [
  "From: Bo <bo@example.com>",
  "Sent: Monday, 5 January 2026 09:00",
  "To: Ada Moss",
  "Subject: Tea",
  "",
];
const OTHER = HEADER.map((line) => line.replace("Bo <bo@", "Cy <cy@"));
const reply = (lines: readonly string[], change: Partial<Parameters<typeof extractNewText>[0]> = {}) =>
  extractNewText({
    text: lines.join("\n"),
    html: null,
    subject: "Re: Tea",
    is_reply: true,
    sender,
    ...change,
  });

describe("answers in unmarked old text", () => {
  test.each([
    ["the author's name in brackets", "Fine.", ["[Ada] Yes.", "[Ada] Two."]],
    ["the author's whole name in bold", "Fine.", ["*Ada Moss:* Yes.", "*Ada Moss:* Two."]],
    ["the author's initials in brackets", "Fine.", ["[AM] Yes.", "[AM] Two."]],
    ["the author's name before a colon", "My answers are below.", ["Ada: Yes.", "Ada: Two."]],
    ["arrows", "My answers are in red below:", ["=> Yes.", "=> Two."]],
    ["stars", "Antworten siehe unten", ["*** Yes.", "*** Two."]],
    ["a word for answers", "Réponses ci-dessous.", ["R: no mark", "Réponse : Yes.", "Réponse : Two."]],
  ])("are kept with the lines above them, by %s", (_, above, answers) => {
    const [yes = "", two = ""] = answers.slice(-2);
    const { extracted_text, method, from_quote } = reply([
      above,
      "",
      ...HEADER,
      "Tea?",
      yes,
      "How many?",
      two,
      "Bo",
    ]);
    expect(extracted_text.replace("\n\n", "\n")).toBe(`${above}\n> Tea?\n${yes}\n> How many?\n${two}`);
    expect({ method, from_quote }).toEqual({ method: "inline_reply", from_quote: true });
  });

  test("are kept with nothing above the old text, without their quote marks", () => {
    const lines = ["", ...HEADER, "Tea?", ">>> Yes.", "How many?", "", ">>> Two."];
    expect(reply(lines)).toMatchObject({
      extracted_text: "> Tea?\nYes.\n> How many?\nTwo.",
      own_words: true,
    });
  });

  test("are kept in HTML", () => {
    const html = `<p>My answers are below.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bo</div><br><div>Tea?</div><div>[Ada] Yes.</div><div>Bo</div>`;
    const { extracted_text, extracted_html } = reply([], { html });
    expect(extracted_text).toBe("My answers are below.\n> Tea?\n[Ada] Yes.");
    expect(extracted_html).toContain("[Ada] Yes.");
    expect(extracted_html).not.toContain("From:");
  });

  test.each([
    ["another's name", ["My answers are below.", "", ...HEADER, "Tea?", "[Cy] No."], "My answers are below."],
    [
      "a name before a colon, once",
      ["My answers are below.", "", ...HEADER, "Ada: tea?", "Bo"],
      "My answers are below.",
    ],
    ["marks that no words announce", ["Fine.", "", ...HEADER, "Tea?", "=> No.", "Cake?", "=> No."], "Fine."],
    [
      "a list",
      ["My answers are below.", "", ...HEADER, "I need:", "=> tea", "=> cake"],
      "My answers are below.",
    ],
    [
      "a quote in the old text",
      ["My answers are below.", "", ...HEADER, "Tea?", "> No.", ">> Why?"],
      "My answers are below.",
    ],
    [
      "an older mail",
      ["My answers are below.", "", ...HEADER, "Tea?", "", ...OTHER, "Cake?", "[Ada] No."],
      "My answers are below.",
    ],
    [
      "what the caller doesn't take",
      ["My answers are below.", "", ...HEADER, "Tea?", "[Ada] Yes."],
      "My answers are below.",
      false,
    ],
  ])("are not seen in %s", (_, lines, text, takes_answers?: boolean) => {
    expect(reply(lines, { takes_answers })).toMatchObject({ extracted_text: text, from_quote: false });
  });

  test.each([
    ["are announced", "Please see my answers below, in red.", 0.4],
    ["are announced in German", "Meine Antworten stehen unten in Rot", 0.4],
    ["are announced in Japanese", "下記に回答いたします。", 0.4],
    ["aren't announced", "The lamp is below the stairs.", 0.93],
  ])("that %s and not found lower the confidence or don't", (_, above, confidence) => {
    expect(reply([above, "", ...HEADER, "Tea?", "Yes, tea."])).toMatchObject({
      extracted_text: above,
      confidence,
    });
  });

  test.each([
    "[Ada] x\n",
    "=> x\ny\n",
    ">>> x\n",
    "a: b\n",
    "\n",
    "*".repeat(3),
    "My answers are below. ",
    "Ada Ada ",
  ])("are looked for in linear time among %j", async (piece) => {
    const text = ["My answers are below.", "", ...HEADER, piece.repeat(300_000 / piece.length)].join("\n");
    expect(await measureThreadCpu(() => reply([text]))).toBeLessThan(2_000);
  });
});
