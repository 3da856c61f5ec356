import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const REPLY = "I will bring the plans on Tuesday.";
const QUOTED = "Can you bring the plans of the bridge?\n\nAda";

const newTextOf = (text: string, subject = "Re: Bridge") =>
  extractNewText({ text, html: null, subject, is_reply: true, sender: undefined });

describe("a header that names its author and date without labels", () => {
  test.each<[string, string]>([
    [
      "a name and a date, each in its line",
      "Ada Field\n03/04/2025 10:15 AM\nTo: Bo Hill/HOU/ORG@ORG\ncc:\nSubject: Bridge",
    ],
    [
      "indented by tabs",
      "\tAda Field@ORG\n\t03/04/2025 10:15 AM\n\t\t\n\t\t To: Bo Hill/NA/ORG@ORG\n\t\t cc: \n\t\t Subject: Bridge",
    ],
    ["24 hours and a year first", "Ada Field\n2025-04-03 19:41\nTo: Bo Hill\nSubject: Re: Bridge"],
    [
      "an address and a date in one line",
      '"Ada Field" <ada@example.com> on 03/04/2025 08:48:07 AM\nTo: <bo@example.org>\ncc:\nSubject: Bridge',
    ],
    [
      "broken before the time",
      '"Ada Field" <ada@example.com> on 03/04/2025\n05:20:20 PM\n\nTo: bo@example.org\ncc:\n\nSubject: Bridge',
    ],
    [
      "many recipients in folded lines",
      "Ada Field@ORG\n01/31/2025 12:34 PM\nTo: Bo Hill/HOU/ORG@ORG, Cy Moor/HOU/ORG@ORG, Di \nReed/HOU/ORG@ORG, Ed Vale/HOU/ORG@ORG\ncc: \n\nSubject: Bridge",
    ],
    [
      "who sent it, and where to answer",
      "Ada Field@ORG\nSent by: Cy Moor\n03/04/2025 10:15 AM\nPlease respond to ada@example.com\nTo: Bo Hill\nSubject: Bridge",
    ],
    ["the beginning of the text, too", "Ada Field ---03/04/2025 10:15:04 AM---Bo, can you bring the plans"],
    ["the same, with a day first", "Ada Field/HOU/ORG ---04.03.2025 10:15---Bo, can you bring the plans"],
    ["a date in words", "Ada Field\nTuesday, March 4, 2025 10:15 AM\nTo: Bo Hill\ncc:\nSubject: Bridge"],
    ["a date in other words", "Ada Field\n4 mars 2025 10:15\nPour: Bo Hill\nObjet: Pont"],
    [
      "forty recipients",
      `Ada Field@ORG\n03/04/2025 10:15 AM\nTo: ${"Bo Hill/HOU/ORG@ORG, Cy Moor/HOU/ORG@ORG,\n".repeat(20)}cc:\nSubject: Bridge`,
    ],
    ["Danish labels", "Ada Field\n03-04-2025 10:15\nTil: Bo Hill\nEmne: Bro"],
  ])("%s", (_, header) => {
    const { extracted_text, method } = newTextOf(`${REPLY}\n\n\n${header}\n\n${QUOTED}`);
    expect(extracted_text).toBe(REPLY);
    expect(method).toBe("header_block");
  });

  test.each<[string, string]>([
    [
      "a name and a date in a text",
      `The next talks:\n\nAda Field\n03/04/2025 10:15 AM\nThe bridge, in the old hall.`,
    ],
    ["a form without a subject", "Ada Field\n03/04/2025 10:15 AM\nTo: the harbour\nSeats: two"],
    ["a sentence above the date", "Please meet us here.\n03/04/2025 10:15 AM\nTo: all\nSubject: the bridge"],
    [
      "a date far above the labels",
      "Ada Field\n03/04/2025 10:15 AM\nwrote a poem.\nTo: Autumn\nSubject: leaves",
    ],
  ])("isn't %s", (_, text) => {
    expect(newTextOf(`${REPLY}\n\n${text}`).extracted_text).toContain(text.split("\n").at(-1));
  });
});

describe("a marker that was broken in transit", () => {
  const marker =
    "---------------------- Forwarded by Ada Field/HOU/ORG on 03/04/2025 \n09:09 AM ---------------------------";
  const header =
    "Cy Moor <cy@example.org> on 03/04/2025 08:57:14 AM\nTo: <ada@example.com>\ncc:\nSubject: Plans";
  test.each(["Ada Field-Hill/HOU/ORG on 03-04-2025 10:15", "Ada Field/HOU/ORG on 03/04/2025 10:15 AM"])(
    "may name who forwarded it: %s",
    (words) => {
      const forwarded = `Please look.\n\n------------- Forwarded by ${words} -------------\n\nThe plans.`;
      expect(newTextOf(forwarded).extracted_text).toBe("Please look.");
    },
  );

  const text = `Please look at this before Tuesday.\n${marker}\n\n${header}\n\nThe plans are done.`;

  test("ends what was written above it", () => {
    expect(newTextOf(text).extracted_text).toBe("Please look at this before Tuesday.");
  });

  test("keeps a forwarded mail whole", () => {
    expect(newTextOf(text, "Fwd: Plans").extracted_text).toContain("The plans are done.");
  });
});
