import { expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { isAutomaticSubject, withoutForwardPrefixes, withoutReplyPrefixes } from "./subjects.ts";
import { inEachLanguage } from "./words/index.ts";

test.each([
  ["AW: Angebot", "Angebot"],
  ["回复:报价", "报价"],
  ["回覆：報價", "報價"],
  ["Antw.: Offerte", "Offerte"],
  ["SV: VS: Antw: Odp: Tilbud", "Tilbud"],
  ["RE[2]: RE(3): Re^4: Re*5: Offer", "Offer"],
  ["Re:subject", "subject"],
  ["RE : Devis", "Devis"],
  ["R: I: Ordine", "I: Ordine"],
  ["YNT: İLT: Teklif", "İLT: Teklif"],
  ["ΑΠ: Προσφορά", "Προσφορά"],
  ["Re: ", ""],
  ["Re: Fwd: AW: Offer", "Fwd: AW: Offer"],
  ["Regarding: the offer", "Regarding: the offer"],
  ["Answer: 42", "Answer: 42"],
  ["re invoice", "re invoice"],
  ["Resin: two boxes", "Resin: two boxes"],
  ["R 2: the sequel", "R 2: the sequel"],
])("of %j a reply keeps %j", (subject, rest) => {
  expect(withoutReplyPrefixes(subject)).toBe(rest);
});

test.each([
  ["WG: Fwd: FW: TR: Offer", "Offer"],
  ["转发：报价", "报价"],
  ["VB: VL: Doorst: ENC: RV: x", "x"],
  ["Forward: march", "Forward: march"],
  ["Fwd: Re: Offer", "Re: Offer"],
])("of %j a forward keeps %j", (subject, rest) => {
  expect(withoutForwardPrefixes(subject)).toBe(rest);
});

test("words of automatic replies are known in at least thirty languages, and each is recognised", () => {
  const each = inEachLanguage("automatic_subjects");
  expect(each.length).toBeGreaterThanOrEqual(30);
  for (const { words } of each)
    for (const phrase of words)
      for (const subject of [
        phrase,
        `${phrase}: Offer`,
        `${phrase.toUpperCase()} - Re: Offer`,
        `[${phrase}] Offer`,
        `Re: Offer (${phrase})`,
        `AW: ${phrase}`,
      ])
        expect(isAutomaticSubject(subject), subject).toBe(true);
});

test.each([
  "Automatische Antwort: Ihre Anfrage",
  "Réponse automatique : devis",
  "Auto: Out of Office",
  "自动回复:会议",
  "不在通知：夏季休業",
])("%j is the subject of an automatic reply", (subject) => {
  expect(isAutomaticSubject(subject)).toBe(true);
});

test.each([
  "Please write our out of office text for August",
  "Automatic replyer broken",
  "Abwesenheiten im August",
  "Offer",
  "",
  "Re:",
  "Autosvaret virker ikke",
])("%j is not", (subject) => {
  expect(isAutomaticSubject(subject)).toBe(false);
});

test("subjects are read in linear time", async () => {
  const hostile = [
    "re".repeat(500_000),
    "Re: ".repeat(250_000),
    " ".repeat(1_000_000),
    `re${" ".repeat(999_998)}`,
    "Re[1".repeat(250_000),
  ];
  const spent = await measureThreadCpu(() => {
    for (const subject of hostile) {
      withoutReplyPrefixes(subject);
      withoutForwardPrefixes(subject);
      isAutomaticSubject(subject);
    }
  });
  expect(spent).toBeLessThan(500);
});
