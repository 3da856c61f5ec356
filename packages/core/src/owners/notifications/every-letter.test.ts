import { expect, test } from "vitest";
import { LETTER_KINDS } from "../../catalogue/letter-frames.ts";
import { CHIPS, THEMES, type Tone } from "../../catalogue/look.ts";
import { EVERY_LETTER } from "./every-letter.fixture.ts";
import { escapeHtml } from "./layout.ts";

test("every kind of letter is in the table", () => {
  expect(new Set(Object.values(EVERY_LETTER).map(({ kind }) => kind))).toEqual(new Set(LETTER_KINDS));
});

test("every chip has a word and colours of its own", () => {
  const chips = Object.values(CHIPS);
  for (const part of [
    chips.map(({ word }) => word),
    chips.map(({ light }) => light.join()),
    chips.map(({ dark }) => dark.join()),
  ])
    expect(new Set(part).size).toBe(chips.length);
});

const NAMES = { agent: ["A", "Ada"], service: ["M", "mail.example"] } as const;
/** The times and ids that only programs read. */
const RAW = /\b(?:acct|inb|key|ses|apr|msg|own)_\w|\d{4}-\d\d-\d\dT/;

test.each(Object.entries(EVERY_LETTER))("%s has its head, its chip and what it quotes", (_, example) => {
  const { tone, from, quotes = [], letter } = example;
  const { subject, text, html } = letter;
  const [initial, name] = NAMES[from];
  const { accent, on_accent } = THEMES.light;
  expect(html).toMatch(
    new RegExp(
      `<p class="initial" style="[^"]*width:40px;height:40px;border-radius:20px;background:${accent};color:${on_accent}[^"]*">${initial}</p>`,
    ),
  );
  expect(html).toContain(`<strong class="ink">${name}</strong>`);
  expect(chipsIn(html)).toEqual([[tone, CHIPS[tone].word, ...CHIPS[tone].light]]);
  const [dark, ground] = CHIPS[tone].dark;
  expect(html).toContain(`.chip-${tone}{color:${dark}!important;background:${ground}!important}`);
  expect(text).toMatch(new RegExp(`^${CHIPS[tone].word.toUpperCase()}\n\n`));
  expect(html).toContain(`<title>${escapeHtml(subject)}</title>`);
  expect(subject.length).toBeGreaterThan(10);
  expect(html.match(/<h1 /g)).toHaveLength(1);

  const boxes = [...html.matchAll(/<blockquote class="quote" [^>]*style="([^"]*)">(.*?)<\/blockquote>/g)];
  expect(boxes.map(([, , words]) => words)).toEqual(
    quotes.map((words) => escapeHtml(words).replaceAll("\n", "<br>")),
  );
  for (const [, style = ""] of boxes) expect(style).toMatch(/border-left:3px solid #.*background:#/);
  for (const words of quotes)
    expect(text).toContain(
      words
        .split("\n")
        .map((line) => `| ${line}`)
        .join("\n"),
    );
  expect(`${subject}\n${text}`).not.toMatch(RAW);
});

/** The chips of a letter: tone, word, colour and ground. */
const chipsIn = (html: string): string[][] =>
  [
    ...html.matchAll(
      /<span class="chip-(\w+)" style="[^"]*;color:(#\w+);background:(#\w+)">([^<]*)<\/span>/g,
    ),
  ].map(([, tone = "", colour = "", ground = "", word = ""]) => [tone, word, colour, ground]);

test.each(["question-yes_no", "question-again", "digest-concise"])(
  "%s has yes and no side by side, and no is the quiet one",
  (name) => {
    const { html = "" } = EVERY_LETTER[name]?.letter ?? {};
    const [row = ""] =
      /<tr><td class="button"[^>]*>(?:(?!<\/tr>).)*>Yes<(?:(?!<\/tr>).)*<\/tr>/.exec(html) ?? [];
    expect(
      [...row.matchAll(/<td class="(\w+)"[^>]*><a [^>]*>([^<]*)<\/a><\/td>/g)].map((each) => each.slice(1)),
    ).toEqual([
      ["button", "Yes"],
      ["quiet", "No"],
    ]);
  },
);

test.each<[string, Tone]>([
  ["update-detailed-needs_input", "question"],
  ["update-detailed-done", "done"],
  ["update-detailed-progress", "progress"],
  ["update-detailed-error", "problem"],
  ["approval-email", "approval"],
])("%s is about %s", (name, tone) => {
  expect(chipsIn(EVERY_LETTER[name]?.letter.html ?? "").map(([each]) => each)).toEqual([tone]);
});

test("times are days and minutes", () => {
  const text = (name: string) => EVERY_LETTER[name]?.letter.text ?? "";
  expect(text("approval-email")).toContain("Send at: Friday 27 November 2026, 18:32 UTC\n");
  expect(text("approval-email")).toContain("expires on Friday 27 November, 18:32 UTC.");
  expect(text("question-yes_no")).toContain("answer by Friday 27 November, 18:32 UTC.");
  expect(text("domain-receives-yours")).toContain("from Friday 27 November, 18:32 UTC on");
  expect(text("keys-left")).toContain("Created Friday 20 November 2026, 09:05 UTC");
  expect(text("flood")).toContain("Expires on Friday 27 November, 18:32 UTC.");
});
