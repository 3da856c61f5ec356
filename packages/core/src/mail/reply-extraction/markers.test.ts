import { describe, expect, test } from "vitest";
import { inAllLanguages } from "../words/index.ts";
import { extractNewText } from "./extract.ts";

const [ORIGINAL, FORWARD] = [inAllLanguages("original_markers"), inAllLanguages("forward_markers")];
const mail = { html: null, is_reply: true };
const newText = (text: string) => extractNewText({ ...mail, subject: "Re: Lunch", text }).extracted_text;
const FORWARDED = "Xx: Ada\n\nShall we meet?";
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The forms of a marker in mail clients. */
const dashed = (word: string) => [
  `---------- ${word} ---------`,
  `-----${capital(word)}-----`,
  `________ ${word} ________`,
];
const said = (word: string) => [`${capital(word)}:`, `${word} :`, `${word}：`];

describe("a marker of history", () => {
  test.each([...ORIGINAL, ...FORWARD])("%s ends the reply", (word) => {
    for (const marker of dashed(word))
      expect(
        extractNewText({ ...mail, subject: "Re: Lunch", text: `See you.\n\n${marker}\n${FORWARDED}` })
          .extracted_text,
      ).toBe("See you.");
  });
  test.each(FORWARD)("%s with a colon ends the reply too", (word) => {
    for (const marker of said(word))
      expect(
        extractNewText({ ...mail, subject: "Re: Lunch", text: `See you.\n\n${marker}\n\n${FORWARDED}` })
          .extracted_text,
      ).toBe("See you.");
  });
  test.each(FORWARD)("%s keeps the forwarded mail in a mail that says so", (word) => {
    for (const marker of [...dashed(word), ...said(word)]) {
      const text = `Please handle this.\n\n${marker}\n${FORWARDED}`;
      expect(extractNewText({ ...mail, subject: "Fwd: Lunch", text })).toMatchObject({
        extracted_text: text,
        method: "forward",
      });
    }
  });
  test.each([..."-_=#~+‐‑‒–—―−─━═"])("its rule may be drawn with %s", (sign) => {
    const rule = sign.repeat(7);
    expect(newText(`See you.\n\n${rule} Original Message ${rule}\n${FORWARDED}`)).toBe("See you.");
    expect(newText(`See you.\n\n${rule}Original Message${rule}\n${FORWARDED}`)).toBe("See you.");
  });
  test.each([
    "— Reply above this line.",
    "--- Bitte antworten Sie oberhalb dieser Zeile ---",
    "##- Répondez au-dessus de cette ligne -##",
    "-- Escriba su respuesta por encima de esta línea --",
    "--- Rispondi sopra questa riga ---",
    "--- Пожалуйста, пишите выше этой линии ---",
    "--- この行より上に返信してください ---",
  ])("a request to write above it ends the text: %s", (line) => {
    expect(newText(`Fine.\n\n${line}\nAda: shall we go?\nBo: when?`)).toBe("Fine.");
  });

  test("a sentence about a line above which something stands is no marker", () => {
    const text = "Sign above this line.\n\nWrite your name above the line, not below it.\n\nThanks";
    expect(newText(text)).toBe(text);
  });

  test.each(["##- Please type your reply above this line -##", "--- Reply above this line ---"])(
    "a help desk's own mail, which starts with %s, stays whole",
    (line) => {
      const text = `${line}\n\nYour request was updated.`;
      expect(extractNewText({ ...mail, subject: "Request", text }).extracted_text).toBe(text);
      expect(
        extractNewText({ ...mail, subject: "Re: Request", text: `Thanks.\n\n${text}` }).extracted_text,
      ).toBe("Thanks.");
    },
  );
  test.each([
    "Original message",
    "original: 5 €",
    "Forwarded message received",
    "-- original idea, new price",
    "The original message:",
  ])("prose stays: %s", (line) => {
    const text = `See you.\n\n${line}\n\nBring tea.`;
    expect(extractNewText({ ...mail, subject: "Re: Lunch", text }).extracted_text).toBe(text);
  });
});
