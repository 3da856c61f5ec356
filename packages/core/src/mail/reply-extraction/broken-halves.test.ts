import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

const HEAD = "On Mon, 5 Jan 2026 at 10:15, Ada Moss <ada@example.com> wrote:";
// Wrapped again at 76 columns by a server that doesn't know of quotes.
const REWRAPPED = [
  "> The ferry to the island leaves at nine in the morning from the small pier",
  "behind the fish market,",
  "> and it comes back at six. We could take the maps and the long rope, but I",
  "have not found",
  "> the lamp yet. Do you know whether the keeper of the lighthouse would let us",
  "Mr. Bell and me",
  "> stay there overnight if the weather turns?",
];
const ANSWERED: readonly { name: string; lines: readonly string[]; expected: readonly string[] }[] = [
  {
    name: "tails of wrapped lines below an answer",
    lines: ["Fine with me.", "", HEAD, ...REWRAPPED],
    expected: ["Fine with me."],
  },
  {
    name: "tails of wrapped lines above an answer",
    lines: [HEAD, ...REWRAPPED, "", "Fine with me."],
    expected: ["Fine with me."],
  },
  {
    name: "a paragraph of which only the first line is marked",
    lines: [
      "Fine with me.",
      "",
      HEAD,
      "> The ferry to the island leaves at nine in the morning from the small pier",
      "behind the fish market, and it comes back at six. We could take the maps and",
      "the long rope, but I have not found the lamp yet.",
      "> Do you know the keeper?",
      "> His name is Bell.",
    ],
    expected: ["Fine with me."],
  },
  {
    name: "a link that was broken",
    lines: [
      "Fine.",
      "",
      HEAD,
      "> The map is at https://maps.example.com/island/",
      "of/birds",
      "> as you know.",
    ],
    expected: ["Fine."],
  },
  {
    name: "tails of a deep quote that was wrapped at several widths",
    lines: [
      "Fine.",
      "",
      HEAD,
      "> >> > The ferry to the island leaves at nine in the morning from",
      "the pier",
      "> >> > behind the fish market, and it comes back at six if the",
      "weather lets",
      "> >> > it. Whoever misses it stays there until the next day, with",
      "the keeper",
      "> >> > of the lighthouse, who has two rooms and a stove, and it is",
      "cold",
      "> >> > there in spring.",
    ],
    expected: ["Fine."],
  },
  {
    name: "a paragraph that goes on with a capital, in a mail that was wrapped again,",
    lines: [
      "Fine.",
      "",
      HEAD,
      "> Good! The ferry to the island leaves at nine in the morning and when I was there,",
      "I saw the keeper of the lighthouse and his three dogs, who came down to the pier",
      "to look at us.",
      ">",
      "> Do you know whether he would let us stay there overnight if the weather",
      "turns and the ferry does not come?",
      ">",
      "> Ada",
    ],
    expected: ["Fine."],
  },
  {
    name: "tails in a mail that was wrapped at sixty columns",
    lines: [
      "Fine with me.",
      "",
      HEAD.replace(" <", "\n<"),
      "> The ferry to the island leaves at nine in the morning from",
      "the small pier",
      "> behind the fish market, and it comes back at six. We could",
      "take the maps",
      "> and the long rope.",
      "> https://maps.example.com/island/of/birds/and/of/seals/in/the/north",
    ],
    expected: ["Fine with me."],
  },
  {
    name: "a link that its line had no room for",
    lines: [
      "Fine.",
      "",
      HEAD,
      ...REWRAPPED,
      "> The map of the island with all of its lighthouses is here for you to see:",
      `https://maps.example.com/island/of/birds/and/of/seals`,
      "> as you know.",
    ],
    expected: ["Fine."],
  },
  {
    name: "what is left of a line of markup",
    lines: [
      "Fine.",
      "",
      HEAD,
      '> <island name="Rock"',
      "/>",
      "> <ferry at={nine} />",
      "> if (weather",
      "<",
      "> storm) stay();",
    ],
    expected: ["Fine."],
  },
  {
    name: "a line that was wrapped within an address",
    lines: [HEAD, "> Ada said:", "> The keeper is Mr. Bell <", "> bell@example.com>, I think.", "", "Fine."],
    expected: ["Fine."],
  },
];

const INLINE: readonly { name: string; lines: readonly string[]; kept: string }[] = [
  {
    name: "an answer below a short line",
    lines: [HEAD, "> Do we take the ferry?", "yes, at nine", "> And the maps?", "I have them."],
    kept: "yes, at nine",
  },
  {
    name: "an answer below a full line that ends a sentence",
    lines: [
      HEAD,
      "> The ferry to the island leaves at nine in the morning from the small pier.",
      "Good to know.",
      "> And the maps, who has them? I looked in the boat house and in the cellar?",
      "I do.",
    ],
    kept: "Good to know.",
  },
  {
    name: "an answer that stands apart",
    lines: [
      HEAD,
      "> The ferry to the island leaves at nine in the morning from the small pier",
      "",
      "and from the new one too",
      "",
      "> behind the fish market.",
      "",
      "So be it.",
    ],
    kept: "and from the new one too",
  },
  {
    name: "an answer of several lines",
    lines: [
      HEAD,
      "> The ferry to the island leaves at nine in the morning from the small pier",
      "no, it",
      "leaves from the new one",
      "> behind the fish market.",
      "",
      "So be it.",
    ],
    kept: "leaves from the new one",
  },
  {
    name: "a face",
    lines: [HEAD, "> Do we take the ferry", ":-)", "> And the maps?", "I have them."],
    kept: ":-)",
  },
  {
    name: "short answers in small letters to questions",
    lines: [
      HEAD,
      ...["> Ferry?", "yes", "> Maps?", "yes", "> Rope?", "no", "> Lamp?", "no", "> Stove?", "no"],
    ],
    kept: "yes",
  },
  {
    name: "one answer in small letters, in a mail of short lines",
    lines: [
      "Ada Moss wrote:",
      "> Do we take the ferry that leaves at nine or the other",
      "the other one",
      "> And the maps?",
      "I have them.",
    ],
    kept: "the other one",
  },
  {
    name: "a link that answers",
    lines: [
      HEAD,
      "> Where is the map of the island with all of the lighthouses that we need:",
      "https://maps.example.com/island/of/birds",
      "> And the rope?",
      "I have it.",
    ],
    kept: "https://maps.example.com/island/of/birds",
  },
  {
    name: "a capital below a full line, where nothing shows that the mail was wrapped again,",
    lines: [
      HEAD,
      "> The ferry to the island leaves at nine in the morning from the small pier of",
      "I know.",
      "> And the maps?",
      "I have them.",
    ],
    kept: "I know.",
  },
];

const newText = (lines: readonly string[]) =>
  extractNewText({ text: lines.join("\n"), html: null, subject: "Re: island", is_reply: true });

describe("lines of a quote that lost their mark", () => {
  test.each(ANSWERED)("$name belong to the quote", ({ lines, expected }) => {
    expect(newText(lines).extracted_text).toBe(expected.join("\n"));
  });

  test.each(INLINE)("$name is the writer's", ({ lines, kept }) => {
    expect(newText(lines)).toMatchObject({
      method: "inline_reply",
      extracted_text: expect.stringContaining(kept),
    });
  });
});
