import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import type { AnswerValue, Question } from "../../model/questions.ts";
import { readAnswer } from "./read-answer.ts";

const FRIDAY = new Date("2026-11-20T09:30:00.000Z");
const question = (type: Question["type"], options: string[] | null = null): Question => ({
  type,
  options,
  default: null,
  expires_at: null,
});
const read = (type: Question["type"], text: string, options?: string[]) =>
  readAnswer(question(type, options ?? null), text, FRIDAY);

describe("yes or no", () => {
  test.each<[string, boolean | null]>([
    ["Yes", true],
    ["yes please!", true],
    ["Yes, go ahead with the garden.", true],
    ["Hi Ada,\n\nYes, please do.\n\nBest\nMara", true],
    ["OK", true],
    ["Sure, thanks", true],
    ["No problem, go for it", true],
    ["No", false],
    ["No thanks, it is too expensive.", false],
    ["Don't", false],
    ["not yet", false],
    ["Yes, but only if it costs less than 500", null],
    ["No, unless the hall is taken", null],
    ["Not sure", null],
    ["Not a problem", true],
    ["Of course not", false],
    ["I don't think so", false],
    ["Perfect, thank you", true],
    ["Natürlich nicht", false],
    ["Ich bin einverstanden", true],
    ["Конечно нет", false],
    ["बिल्कुल नहीं", false],
    ["Maybe", null],
    ["What does it cost?", null],
    ["Yes or no, I can't tell", null],
    ["Yes no", null],
    ["", null],
    ["是的", true],
    ["好的，谢谢", true],
    ["可以", true],
    ["不", false],
    ["不要，太贵了", false],
    ["不错", true],
    ["可以，但是要便宜一点", null],
    ["Sí, adelante", true],
    ["Hola Ada:\nsí, por favor", true],
    ["No, gracias", false],
    ["Sí, pero solo si es barato", null],
    ["जी हाँ, ठीक है", true],
    ["नमस्ते, हाँ", true],
    ["नहीं, धन्यवाद", false],
    ["हाँ, लेकिन कल", null],
    ["نعم، من فضلك", true],
    ["لا شكرا", false],
    ["نعم ولكن غدا", null],
    ["Sim, pode reservar", true],
    ["Não, obrigado", false],
    ["Sim, mas só em maio", null],
    ["Oui, merci", true],
    ["Bonjour,\noui allez-y", true],
    ["Non merci", false],
    ["Oui, si le prix est bon", null],
    ["Да, конечно", true],
    ["Здравствуйте! Да, заказывайте.", true],
    ["Нет, спасибо", false],
    ["Да, но не сегодня", null],
    ["Ja, bitte", true],
    ["Hallo Ada,\nja gerne, machen Sie das.\nViele Grüße\nMara", true],
    ["Kein Problem", true],
    ["Nein danke", false],
    ["Bitte nicht", false],
    ["Passt nicht", null],
    ["Ja, aber nur am Freitag", null],
    ["はい、お願いします", true],
    ["いいえ、結構です", false],
    ["はい、でも明日にしてください", null],
    ["네, 좋아요", true],
    ["아니요", false],
    ["Sì, va bene", true],
    ["No, grazie", false],
    ["Ja, prima", true],
    ["Nee, liever niet", false],
    ["Tak, proszę", true],
    ["Nie, dziękuję", false],
    ["Evet, olur", true],
    ["Hayır, teşekkürler", false],
  ])("%j is %j", (text, value) => {
    expect(read("yes_no", text)).toBe(value);
  });
});

describe("a number", () => {
  test.each<[string, number | null]>([
    ["42", 42],
    ["About 42 people, I think", 42],
    ["-5", -5],
    ["€ 12,50", 12.5],
    ["12.5", 12.5],
    ["1,234.50", 1234.5],
    ["1.234,50 Euro", 1234.5],
    ["1.234.567", 1234567],
    ["12 000", 12000],
    ["1,000", 1000],
    ["1.000", 1000],
    ["1.234", null],
    ["1'234.5", 1234.5],
    ["between 5 and 10", null],
    ["5 or 6", null],
    ["four", 4],
    ["Hi Ada,\ntwenty", 20],
    ["zwölf Personen", 12],
    ["douze", 12],
    ["doce", 12],
    ["двенадцать", 12],
    ["पाँच", 5],
    ["خمسة", 5],
    ["三个", 3],
    ["二十五人", 25],
    ["十二", 12],
    ["三万五千", 35_000],
    ["百二十", 120],
    ["三三", null],
    ["1.23,45,6", null],
    ["12,34,56", null],
    ["+7", 7],
    ["４２", 42],
    ["٤٢", 42],
    ["४२", 42],
    ["셋", 3],
    ["cinco ou seis", null],
    ["I don't know", null],
    ["2026-12-24", null],
    ["99999999999999999999", null],
  ])("%j is %j", (text, value) => {
    expect(read("number", text)).toBe(value);
  });
});

describe("a date", () => {
  test.each<[string, string | null]>([
    ["2026-12-24", "2026-12-24"],
    ["24.12.2026", "2026-12-24"],
    ["am 24.12.", "2026-12-24"],
    ["3.1.", "2027-01-03"],
    ["24/12/2026", "2026-12-24"],
    ["12/24/2026", "2026-12-24"],
    ["3/4/2027", null],
    ["5/5/2027", "2027-05-05"],
    ["December 24", "2026-12-24"],
    ["Dec 24th, 2027 at 5pm", "2027-12-24"],
    ["the 24th of December", "2026-12-24"],
    ["24. Dezember 2026", "2026-12-24"],
    ["el 24 de diciembre", "2026-12-24"],
    ["24 décembre", "2026-12-24"],
    ["1er janvier", "2027-01-01"],
    ["24 de dezembro de 2026", "2026-12-24"],
    ["24 декабря", "2026-12-24"],
    ["२४ दिसंबर", "2026-12-24"],
    ["٢٤ ديسمبر", "2026-12-24"],
    ["12月24日", "2026-12-24"],
    ["2027年1月3日", "2027-01-03"],
    ["12월 24일", "2026-12-24"],
    ["24 dicembre", "2026-12-24"],
    ["tomorrow", "2026-11-21"],
    ["Heute", "2026-11-20"],
    ["morgen", "2026-11-21"],
    ["Guten Morgen, am Montag", "2026-11-23"],
    ["übermorgen", "2026-11-22"],
    ["mañana", "2026-11-21"],
    ["pasado mañana", "2026-11-22"],
    ["demain", "2026-11-21"],
    ["завтра", "2026-11-21"],
    ["明天", "2026-11-21"],
    ["明日", "2026-11-21"],
    ["غدا", "2026-11-21"],
    ["आज", "2026-11-20"],
    ["amanhã", "2026-11-21"],
    ["Monday", "2026-11-23"],
    ["on Friday please", "2026-11-27"],
    ["Dienstag passt", "2026-11-24"],
    ["в среду", "2026-11-25"],
    ["周三", "2026-11-25"],
    ["next Monday", null],
    ["nächsten Montag", null],
    ["Monday or Tuesday", null],
    ["24.12. or 26.12.", null],
    ["30.2.2027", null],
    ["24.12.26", "2026-12-24"],
    ["29.2.", null],
    ["December 24 or December 26", null],
    ["dimanche 29 novembre", "2026-11-29"],
    ["soon", null],
  ])("%j is %j", (text, value) => {
    expect(read("date", text)).toBe(value);
  });
});

describe("a choice", () => {
  const venues = ["Garden", "Town hall", "Hall"];
  test.each<[string, string | null]>([
    ["Garden", "Garden"],
    ["the garden, please", "Garden"],
    ["Town Hall", "Town hall"],
    ["hall", "Hall"],
    ["2", "Town hall"],
    ["number 3", "Hall"],
    ["4", null],
    ["not the garden", null],
    ["garden or hall", null],
    ["either is fine", null],
    ["Nr. 1 bitte", "Garden"],
    ["1 or 2", null],
    ["not 1", null],
  ])("%j is %j", (text, value) => {
    expect(read("choice", text, venues)).toBe(value);
  });

  test("a number is an option when the options are numbers", () => {
    expect(read("choice", "20", ["10", "20"])).toBe("20");
    expect(read("choice", "2", ["10", "20"])).toBeNull();
  });

  test("options are found without accents, and in scripts without spaces", () => {
    expect(read("choice", "cafe", ["Café", "Bar"])).toBe("Café");
    expect(read("choice", "去花园吧", ["花园", "大厅"])).toBe("花园");
  });
});

describe("a typed value", () => {
  test.each<[Question["type"], AnswerValue, AnswerValue | null]>([
    ["yes_no", true, true],
    ["yes_no", false, false],
    ["yes_no", "true", true],
    ["yes_no", " False ", false],
    ["yes_no", 1, null],
    ["number", 1.234, 1.234],
    ["number", "12.5", 12.5],
    ["number", "0.125", 0.125],
    ["number", "1234.567", 1234.567],
    ["number", Number.NaN, null],
    ["number", true, null],
    ["date", "2026-05-01", "2026-05-01"],
    ["date", 20260501, null],
    ["text", 12, "12"],
    ["text", true, "true"],
    ["choice", "Town hall", "Town hall"],
    ["choice", 2, "Town hall"],
    ["choice", 4, null],
    ["choice", true, null],
  ])("of %s, %j, is %j", (type, said, value) => {
    const options = type === "choice" ? ["Garden", "Town hall", "Hall"] : null;
    expect(readAnswer(question(type, options), said, FRIDAY)).toBe(value);
  });

  test("is an option in its very words, also where they sound like a refusal", () => {
    const options = ["No, thanks", "Don't send", "Send"];
    for (const option of options) expect(read("choice", option, options)).toBe(option);
    expect(read("choice", "don't send!", options)).toBe("Don't send");
    expect(read("choice", "!", ["!", "?!."])).toBe("!");
  });
});

test("text is returned as it is, and empty text is no answer", () => {
  expect(read("text", " Take the blue one. \n")).toBe("Take the blue one.");
  expect(read("text", " \n ")).toBeNull();
});

test("a long answer is read in linear time", async () => {
  const types: Question["type"][] = ["yes_no", "number", "date", "choice"];
  for (const piece of ["1.", "1 ", "24 de ", "yes no ", "一", "1,000,"]) {
    const text = piece.repeat(200_000);
    expect(await measureThreadCpu(() => types.map((type) => read(type, text, ["a", "b"])))).toBeLessThan(
      1_000,
    );
  }
});
