import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const QUOTE = "> Shall we meet at the old bridge?\n> I could bring the maps.";
const ANSWER = "That suits me fine.";
const newText = (text: string) =>
  extractNewText({ text, html: null, subject: "Re: maps", is_reply: true }).extracted_text;

/** Lines above a marked quote, by what writes them. */
const INTRODUCTIONS: Record<string, readonly string[]> = {
  "Unix mail programs and newsreaders": [
    "In message <20260105.GAA12@mail.example.org>, Ada Moss writes:",
    "In message <20260105.GAA12@mail.example.org>,\nAda Moss writes:",
    "In article <20260105.GAA12@mail.example.org>,\n  Ada Moss <ada@example.org> wrote:",
    "* Ada Moss (ada@example.org) [260105 12:34]:",
    "* Ada Moss <ada@example.org> [2026-01-05 12:34]:",
    "Thus spake Ada (ada@example.org):",
    "also sprach Ada Moss <ada@example.org> [2026.01.05.1234 +0100]:",
    "Once upon a time, Ada Moss <ada@example.org> said:",
    "begin Ada Moss quotation:",
    "[ Ada Moss writes ]",
    "According to Ada Moss:",
    "Previously Ada Moss wrote:",
  ],
  "webmail that says whom it quotes": [
    "Quoting Ada Moss <ada@example.org>:",
    'Quoting "Ada Moss" <ada@example.org>:',
    "Quoting ada@example.org:",
    "Zitat von Ada Moss <ada@example.org>:",
    "Selon Ada Moss <ada@example.org>:",
    "Dixit Ada Moss <ada@example.org> le 05/01/2026:",
    "Citando Ada Moss <ada@example.org>:",
    "Mensaje citado por Ada Moss <ada@example.org>:",
    "Citát Ada Moss <ada@example.org>:",
  ],
  "Notes and others that say who and when": [
    "Ada Moss <ada@example.org> on 05/01/2026 12:34:56",
    "Ada Moss <ada@example.org> on 01/05/2026 12:34:56 PM",
    "Ada Moss/ACME@ACME on 01/05/2026 12:34:56 PM",
    "Ada Moss 01/05/2026 12:34 PM",
    "Ada Moss, 05.01.2026 12:34:",
    "Ada Moss, 5 janvier 2026 12:34:",
    "Ада Мосс, 5 января 2026 г. 12:34:",
  ],
  "people who change the line": [
    "Ada Moss said:",
    "Ada Moss <ada@example.org> said:",
    "Ada Moss wrote the following:",
    "On Monday, Ada Moss wrote the following:",
    "Ada Moss wrote (2026-01-05):",
    "Ada Moss wrote...",
    "Ada Moss wrote",
    "Ada Moss schrieb",
    "Ada Moss wrote on Monday:",
    "Ada Moss wrote at 12:34:",
    "Ada Moss wrote as follows:",
    "Ada Moss replied:",
    "Ada Moss schreef op 05-01-2026 12:34",
    "On Mon, Jan 05, 2026 at 12:34:56PM +0100, Ada Moss thus spake:",
    "Nachricht von Ada Moss vom 05.01.2026 12:34:",
    "Message de Ada Moss du 05/01/2026 12:34 :",
    "Message from Ada Moss <ada@example.org>:",
  ],
  "clients that leave out the verb": [
    "On Mon, 5 Jan 2026, Ada Moss <ada@example.org>",
    "W dniu 05.01.2026 o 12:34, Ada Moss pisze",
    "Em seg., 5 de jan. de 2026 às 12:34, Ada Moss <ada@example.org>",
    "Ada Moss\nJanuary 5, 2026 at 12:34 PM",
  ],
  "clients that break the line": [
    "Ada Moss <ada@example.org>\nwrote on 01/05/2026 12:34:56 PM:",
    '--- "Moss, Ada" <ada@example.org>\nwrote:',
    "On Mon, 5 Jan 2026 12:34:56 +0100\nAda Moss <ada@example.org> wrote:",
  ],
  "Outlook Express and others that mark what they quote below labels": [
    'From: "Ada Moss" <ada@example.org>',
    "Date: Mon, 5 Jan 2026\nFrom: Ada Moss <ada@example.org>",
    '----- Original Message -----\nFrom: "Ada Moss" <ada@example.org>\nTo: <plans@example.org>\nSubject: maps\n\n',
    'From: "Ada Moss" <ada@example.org>\nTo: <plans@example.org>\nSent: Monday, January 05, 2026 12:34 PM\nSubject: maps\n',
  ],
};

/** Sentences above a marked quote that the writer wrote. */
const SENTENCES = [
  "Please forward this to ada@example.org:",
  "Send Ada Moss <ada@example.org> these words:",
  "Remind Ada on 5 January 2026 at 9:00:",
  "As Ada said:",
  "Ada said on the phone:",
  "Date: next week",
  "This is what Ada said:",
  "The train of 05.01.2026 12:34 is late:",
  "What do you think of this:",
];

describe("lines that introduce a marked quote", () => {
  for (const [client, lines] of Object.entries(INTRODUCTIONS))
    test.each(lines)(`of ${client}: %s`, (line) => {
      expect(newText(`${ANSWER}\n\n${line}\n${QUOTE}\n`)).toBe(ANSWER);
      expect(newText(`${ANSWER}\n\n${line}\n\n${QUOTE}\n`)).toBe(ANSWER);
      expect(newText(`${line}\n${QUOTE}\n\n${ANSWER}\n`)).toBe(ANSWER);
    });

  test.each(SENTENCES)("a sentence of the writer stays: %s", (line) => {
    expect(newText(`${line}\n\n${QUOTE}\n\n${ANSWER}`)).toContain(line);
    expect(newText(`${ANSWER}\n\n${line}\n\n${QUOTE}\n`)).toContain(line);
  });

  test.each([
    ">>> Ada Moss <ada@example.org> 1/5/2026 12:34:56 PM >>>",
    ">>> ada@example.org 01/05/26 12:34PM >>>",
    '>>> "Ada Moss" <ada@example.org> 05.01.26 12.34 Uhr >>>',
  ])("of GroupWise, which marks nothing below it: %s", (line) => {
    expect(newText(`${ANSWER}\n\n${line}\nShall we meet at the old bridge?\nI could bring the maps.`)).toBe(
      ANSWER,
    );
    expect(newText(`${line}\n${QUOTE}\n\n${ANSWER}`)).toBe(ANSWER);
  });

  test.each([
    "2026-01-05 12:34 GMT+01:00 Ada Moss <ada@example.org>",
    "On Mon, Jan 5, 2026 at 12:34 PM Ada Moss <ada@example.org>",
    "On Mon, Jan 5, 2026 at 12:34 PM Ada Moss wrote",
    "Am 05.01.2026 um 12:34 schrieb Ada Moss <ada@example.org>",
    "Le 05/01/2026 à 12:34, Ada Moss a écrit",
    "Ada Moss <ada@example.org> - 05/01/2026 12:34:",
    "On Monday, 5 January 2026 Ada Moss <ada@example.org> replied:",
    "Quoting Ada Moss <ada@example.org>:",
    "From Ada Moss <ada@example.org>\nDate Mon, 5 Jan 2026 12:34\nTo Bo Lind <bo@example.org>\nSubject maps",
    "De Ada Moss <ada@example.org>\nPara bo@example.org\nFecha 05/01/2026 12:34\nAsunto planos",
    "From Ada Moss\nSent 5 January 2026 12:34\nTo Bo Lind\nSubject maps",
    "From\nAda Moss <ada@example.org>\nTo\nBo Lind\nDate\n5 January 2026 12:34\nSubject\nmaps",
    "| From | Ada Moss<ada@example.org> |\n| Date | 01/05/2026 12:34 |\n| To | bo@example.org |\n| Subject | maps |",
    "Quoting Ada Moss (2026-01-05 12:34:56)",
    "At Mon, 5 Jan 2026 12:34:56 +0100,\nAda Moss wrote:",
    "On Mon, Jan 5, 2026 at 12:34 PM ada@example.org",
  ])("without a colon or a client's verb, above an unmarked quote: %s", (line) => {
    expect(newText(`${ANSWER}\n\n${line}\n\nShall we meet at the old bridge?\nI could bring the maps.`)).toBe(
      ANSWER,
    );
  });

  test.each(["_", "/", "__", "**", "# ", "| ", "~"])(
    "labels between %j of plain text for what was bold",
    (mark) => {
      const end = mark.trim() === mark && mark !== "#" ? mark : "";
      const labels = ["From:", "Sent:", "To:", "Subject:"].map((label) => `${mark}${label}${end}`);
      const values = ["Ada Moss <ada@example.org>", "5 January 2026 12:34", "Bo Lind", "maps"];
      const block = labels.map((label, at) => `${label} ${values[at]}`).join("\n");
      expect(newText(`${ANSWER}\n\n${block}\n\nShall we meet at the old bridge?`)).toBe(ANSWER);
    },
  );

  test.each([
    "Am 05.01.2026 um 12:34 schrieb Ada Moss <ada@example.org>",
    "On Mon, Jan 5, 2026 at 12:34 PM, Ada Moss <ada@example.org> wrote",
    "Le 05/01/2026 à 12:34, Ada Moss <ada@example.org> a écrit",
    "Am 05.01.2026 um 12:34 schrieb Ada Moss:",
    "On 5 January 2026 at 12:34 Ada Moss replied:",
  ])("with an address or a colon, directly above an unmarked quote: %s", (line) => {
    expect(newText(`${ANSWER}\n\n${line}\nShall we meet at the old bridge?`)).toBe(ANSWER);
  });

  test("an answer below a quote stays where the address of its line is on the next one", () => {
    const head = 'Am 05.01.2026 12:34 schrieb "Ada Moss"\n<ada@example.org>:';
    expect(newText(`Hi,\n\n${head}\n\n${QUOTE}\n\n${ANSWER}`)).toBe(`Hi,\n\n${ANSWER}`);
  });

  test.each([
    "From Oslo to Rome\nDate 5 January 2026\nSubject maps",
    "From May\nTo Bo Lind\nSubject maps",
    "To bo@example.org\nSubject maps\nDate 5 January 2026 12:34",
    "| From | Oslo |\n| To | Rome |\n| Date | 5 January 2026 12:34 |\n| Subject | Fares |",
    "| From | Oslo Airport |\n| To | Rome |\n| Date | 5 January 2026 12:34 |\n| Subject | Fares |",
    "From Oslo\nTo Rome\nDate 5 January 2026 12:34\nSubject Fares",
    "From\nOslo\nTo\nRome\nDate\n5 January 2026 12:34\nSubject\nFares",
  ])("a table of the writer stays: %j", (table) => {
    const text = `${ANSWER}\n\n${table}\n\nShall we meet at the old bridge?`;
    expect(newText(text)).toBe(text);
  });

  test.each([
    "Board Meeting, 5 January 2026, 12:34:",
    "Ask Ada Moss <ada@example.org>:",
    "Ada Moss wrote on Monday",
    "Our train of 5 January 2026 leaves at 12:34",
    "Ada Moss <ada@example.org>",
  ])("a line between paragraphs that introduces no quote: %s", (line) => {
    const text = `${ANSWER}\n\n${line}\n\nShall we meet at the old bridge?\nI could bring the maps.`;
    expect(newText(text)).toBe(text);
  });

  test.each([
    ["Is this the line that you mean?\n\n> Shall we meet at the old bridge?", null],
    ["", "<p>This is the line that I mean:</p><blockquote>Shall we meet at the old bridge?</blockquote>"],
  ])("a quote at the end of a mail that answers none is the writer's own", (text, html) => {
    const { extracted_text } = extractNewText({ text, html, subject: "A line", is_reply: false });
    expect(extracted_text).toContain("> Shall we meet at the old bridge?");
  });

  test("a quote of the third degree is a quote", () => {
    expect(newText(`${ANSWER}\n\n>>> Tea? >>>\n>>> At 5?`)).toBe(ANSWER);
    expect(newText(">>> 50 % off <<<")).toBe(">>> 50 % off <<<");
  });

  test("answers between quotes below labels stay with the questions", () => {
    const head = "----- Original Message -----\nFrom: Ada Moss <ada@example.org>\nSubject: maps\n\n";
    expect(newText(`Hi,\n\n${head}> Tea?\n\nYes.\n\n> Milk?\n\nNo.`)).toBe(
      "Hi,\n\n> Tea?\n\nYes.\n\n> Milk?\n\nNo.",
    );
  });

  test("a quote that starts with its own header is the answered mail", () => {
    const quote =
      "> From: Ada Moss <ada@example.org>\n> Sent: Monday, January 5, 2026 12:34 PM\n> Subject: maps\n>";
    expect(newText(`${quote}\n${QUOTE}\n\n${ANSWER}`)).toBe(ANSWER);
  });
});

describe("what lists and trackers add", () => {
  test.each([
    "View this message in context: https://lists.example.org/plans/12345.html\nSent from the plans mailing list archive at lists.example.org.",
    "This message was sent by the tracker\n(v6.1)",
    "You received this message because you are subscribed to plans.\nTo leave, write to leave@example.org.",
  ])("is no signature, and stays: %s", (footer) => {
    expect(newText(`${ANSWER}\n\n-- \n${footer}`)).toContain(footer.split("\n")[0]);
  });

  test.each(["---------------------------------------------------------------------", "__________", "-- "])(
    "goes with the quote that it follows, below %j",
    (rule) => {
      const footer = `${rule}\nTo unsubscribe, write to plans-leave@example.org\nTo reply, write to plans@example.org`;
      const head = "On Mon, 5 Jan 2026, Ada Moss <ada@example.com> wrote:";
      expect(newText(`${ANSWER}\n\n${head}\n${QUOTE}\n\n${footer}`)).toBe(ANSWER);
      expect(newText(`${head}\n${QUOTE}\n\n${ANSWER}\n\n${footer}`)).toContain("To unsubscribe");
    },
  );
});
