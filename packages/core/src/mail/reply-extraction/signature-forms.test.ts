import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const TEXT = "Hi Bo,\n\nthe ferry leaves at nine. Could you bring the maps?\n\nWe meet at the pier.";
const sender = { name: "Ada Moss", address: "ada@example.com" };
const newText = (text: string) =>
  extractNewText({ text, html: null, subject: "Island", is_reply: false, sender }).extracted_text;

const NOTICE =
  "This email and any attachments are confidential and intended only for the addressee. If you received it in\nerror, please delete it and tell the sender.";
const SIGNATURES = [
  "Ada Moss, PhD",
  "Ada Moss | Chief Executive Officer | Example Ltd.",
  "Ada Moss | CEO | Example Ltd.\nada@example.com",
  "Ada Moss <ada@example.com>",
  "Ada Moss (ada@example.com)",
  "Ada Moss            ada@example.com\nUniversity of Example    +44 20 5550 0100",
  "+-----------------------------+\n| Ada Moss   ada@example.com  |\n+-----------------------------+",
  "Regards,\nAda Moss - Example Ltd - 555 0100 123",
  "Best,\nAda Moss\n\nExample Ltd. | 1 Harbour Road | London\nT: +44 20 5550 0100 | M: +44 7700 900000\nwww.example.com",
  `Best regards,\nAda Moss\n\n${NOTICE}`,
  `Best regards,\n\nAda Moss\nHead of Ferries\nExample Ltd.\n\n${NOTICE}\n\nPlease consider the environment before printing this email.`,
  "Mit freundlichen Grüßen\nAda Moss\n\nDiese E-Mail ist vertraulich. Wenn Sie nicht der Empfänger sind, löschen Sie diese Nachricht.",
  "A.M.",
  "Tks & Rgds,\nAda Moss",
  "xoxo\nAda",
];
const WORDS = [
  "Ada Moss and Bo Hill will come, too, with the lamp and the rope",
  "Ada\n\nPlease treat the plans of the bridge as confidential until the harbour master has seen them on Monday.",
  "Ask Ada Moss | she knows",
];

describe("signatures below a text", () => {
  test.each(SIGNATURES)("%j is taken away", (signature) => {
    expect(newText(`${TEXT}\n\n${signature}\n`)).toBe(TEXT);
  });

  test.each(WORDS)("%j is none", (words) => {
    expect(newText(`${TEXT}\n\n${words}\n`)).toBe(`${TEXT}\n\n${words}`);
  });
});
