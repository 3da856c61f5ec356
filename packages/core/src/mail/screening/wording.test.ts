import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { screeningInput } from "../../../test/screened-mail.ts";
import { foldText } from "./fold.ts";
import { SUSPICIOUS_FROM, screenMail } from "./screen.ts";
import { judgedBy, wordingShare, wordingSignals } from "./wording.ts";
import { MAX_WORDING_CHARS, wordingFeatures } from "./wording-features.ts";
import { WORDING_BIAS, WORDING_WEIGHTS } from "./wording-weights.ts";

const OFFER =
  "We are proud to offer you an exclusive price. Fill out the form below and our marketing partners will send you free information. Guaranteed.";
const textOf = (text: string) => [{ text, folded: foldText(text) }];
const signals = (text: string) => wordingSignals(textOf(text)).map(({ type }) => type);

describe("wording", () => {
  test("of an unsolicited offer is noticed, and the finding names the telling words", () => {
    const [found] = wordingSignals(textOf(OFFER));
    expect(found?.type).toBe("spam_wording_strong");
    expect(found?.detail).toMatch(/our marketing|free information|an exclusive/);
  });

  test("never holds a mail alone, but does together with a lure", () => {
    const alone = screenMail(screeningInput({ mail: { text: OFFER } }));
    expect(alone.findings.map(({ type }) => type)).toContain("spam_wording_strong");
    expect(alone.score).toBeLessThan(SUSPICIOUS_FROM);
    const lured = `${OFFER} Melt belly fat with this keto miracle.`;
    expect(screenMail(screeningInput({ mail: { text: lured } })).score).toBeGreaterThanOrEqual(
      SUSPICIOUS_FROM,
    );
  });

  test.each([
    "Thanks!!",
    "Great news!! See you soon, we all look forward to the party on Friday, bring the children too!!",
    "Call us",
    "Free on Friday?",
  ])("of a short note is not judged: %s", (text) => {
    expect(signals(text)).toEqual([]);
  });

  test("weighs little when the sender is trusted", () => {
    const mail = { text: "To be removed from our list, click here. We offer free information." };
    const trusted = screenMail(screeningInput({ mail, sender: { authenticated: true, trusted: true } }));
    expect(trusted.score).toBeLessThan(screenMail(screeningInput({ mail })).score / 2);
  });

  test.each([
    "Your order has shipped. Track your package with the number below. Thank you for shopping with us.",
    "Hi Bo, the minutes of the meeting are attached. Could you look at item four before Thursday? Thanks, Ada",
    "We received a request to reset your password. If you did not ask for this, you can ignore this email.",
    "Your invoice for May is attached. The amount is due within fourteen days. Best regards, the billing team",
  ])("of honest mail is not like it: %s", (text) => {
    expect(signals(text).filter((type) => type !== "spam_wording_faint")).toEqual([]);
  });

  test("is read from HTML when there is no text", () => {
    const html = `<html><body><p>${OFFER}</p></body></html>`;
    expect(screenMail(screeningInput({ mail: { html } })).findings.map(({ type }) => type)).toContain(
      "spam_wording_strong",
    );
  });
});

describe("the features of wording", () => {
  test("are words, neighbours and marks, each once", () => {
    const { features, words } = wordingFeatures(textOf("Buy now, buy now!! it's $5."));
    expect([...features].sort()).toEqual([
      "#",
      "$",
      "$ #",
      "buy",
      "buy now",
      "it's",
      "it's $",
      "now",
      "now buy",
    ]);
    expect(words).toBe(5);
  });

  test("are neither quotes nor links nor addresses", () => {
    const { features } = wordingFeatures(
      textOf("> cheap offer\nsee https://offer.example/cheap or www.offer.example or ann@offer.example"),
    );
    expect([...features].sort()).toEqual(["or", "see"]);
  });

  test("stop at the character limit", () => {
    const { features } = wordingFeatures(textOf(`${" ".repeat(MAX_WORDING_CHARS)}offer`));
    expect(features.size).toBe(0);
  });

  test.each(["x", "x@", "a!", "> ", "' ", "$"])("of a long run of %j take linear time", async (piece) => {
    const texts = textOf(piece.repeat(MAX_WORDING_CHARS));
    expect(await measureThreadCpu(() => wordingFeatures(texts))).toBeLessThan(1_000);
  });
});

describe("the manner of a text", () => {
  const manners = (text: string) =>
    [...wordingFeatures(textOf(text)).features].filter((feature) => feature.startsWith("("));
  const letters = "the quick brown fox jumps over the lazy dog and runs home ".repeat(3);

  test.each([
    ["quiet", letters, []],
    ["with capitals", letters + "ACT NOW BEFORE IT ENDS TODAY", ["(capitals)"]],
    ["mostly in capitals", letters.toUpperCase(), ["(capitals)", "(mostly-capitals)"]],
    ["exclaiming", `${letters}!!!`, ["(exclaiming)"]],
    ["loudly exclaiming", `${letters}!!!!!!`, ["(exclaiming)", "(loudly-exclaiming)"]],
    ["a name in capitals", "ANNA BELL", []],
  ])("is noticed: %s", (_, text, expected) => {
    expect(manners(text)).toEqual(expected);
  });
});

test("a text is judged by the features that the model learns from", () => {
  const weights = new Map(
    WORDING_WEIGHTS.flatMap(([weight, names]) => names.split("|").map((name) => [name, weight] as const)),
  );
  const words = [...weights.keys()].filter((name) => !name.startsWith("("));
  const any = fc.array(
    fc.oneof(fc.constantFrom(...words), fc.constantFrom(".", "!!", "\n> ", "\n", "$5", "A@B", "é")),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(any, any, (subject, body) => {
      const texts = [...textOf(subject.join(" ")), ...textOf(body.join(" "))];
      const { features, words: count } = wordingFeatures(texts);
      const sum = [...features].reduce((total, feature) => total + (weights.get(feature) ?? 0), 0);
      expect(judgedBy(texts).odds).toBeCloseTo(WORDING_BIAS + sum * wordingShare(count), 9);
      expect(judgedBy(texts).count).toBe(count);
    }),
    { numRuns: 100, seed: 24 },
  );
});

test("the model learned no year, date or mailing list name", () => {
  const features = WORDING_WEIGHTS.flatMap(([, names]) => names.split("|"));
  expect(features.length).toBeGreaterThan(1_000);
  const marks = /\d|\b(?:january|monday|linux|razor|exmh|ilug|spamassassin|mailman|wrote|url|date)\b/;
  expect(features.filter((feature) => marks.test(feature))).toEqual([]);
});
