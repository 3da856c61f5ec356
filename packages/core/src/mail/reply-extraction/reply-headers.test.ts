import { describe, expect, test } from "vitest";
import { extractNewText } from "./extract.ts";

/** The line above the answered mail, by the client that writes it, in its languages. */
const HEADERS: Record<string, readonly string[]> = {
  Thunderbird: [
    "On 04/03/2025 10:15, Ada wrote:",
    "Am 04.03.25 um 10:15 schrieb Ada:",
    "Le 04/03/2025 à 10:15, Ada a écrit :",
    "Il 04/03/2025 10:15, Ada ha scritto:",
    "El 04/03/2025 a las 10:15, Ada escribió:",
    "Em 04/03/2025 10:15, Ada escreveu:",
    "Op 04-03-2025 om 10:15 schreef Ada:",
    "W dniu 04.03.2025 o 10:15, Ada pisze:",
    "04.03.2025 10:15, Ada пишет:",
    "04.03.25 10:15, Ada пише:",
    "Den 2025-03-04 kl. 10:15, skrev Ada:",
    "Den 04.03.2025 kl. 10.15 skrev Ada:",
    "Den 04.03.2025 10:15, skrev Ada:",
    "Ada kirjoitti 4.3.2025 klo 10.15:",
    "Dne 04. 03. 25 v 10:15 Ada napsal(a):",
    "2025. 03. 04. 10:15 keltezéssel, Ada írta:",
    "Pe 04.03.2025 10:15, Ada a scris:",
    "Στις 4/3/25 10:15, ο/η Ada έγραψε:",
    "4.03.2025 10:15 tarihinde Ada yazdı:",
    "في 4/3/2025 10:15, كتب Ada:",
    "בתאריך 04/03/2025 10:15, Ada כתב:",
    "در 2025/3/4 10:15، Ada نوشت:",
    "On 2025/03/04 10:15, Ada wrote:",
    "25. 3. 4. 10:15에 Ada 이(가) 쓴 글:",
    "在 2025/3/4 10:15, Ada 写道:",
    "Ada 於 2025/3/4 上午 10:15 寫道:",
  ],
  "Apple Mail": [
    "On 4 Mar 2025, at 10:15, Ada <ada@example.com> wrote:",
    "Am 04.03.2025 um 10:15 schrieb Ada <ada@example.com>:",
    "Le 4 mars 2025 à 10:15, Ada <ada@example.com> a écrit :",
    "El 4 mar 2025, a las 10:15, Ada <ada@example.com> escribió:",
    "No dia 04/03/2025, às 10:15, Ada <ada@example.com> escreveu:",
    "Em 4 de mar. de 2025, à(s) 10:15, Ada <ada@example.com> escreveu:",
    "Il giorno 4 mar 2025, alle ore 10:15, Ada <ada@example.com> ha scritto:",
    "Op 4 mrt 2025, om 10:15 heeft Ada <ada@example.com> het volgende geschreven:",
    "Wiadomość napisana przez Ada <ada@example.com> w dniu 4 mar 2025, o godz. 10:15:",
    "4 марта 2025 г., в 10:15, Ada <ada@example.com> написал(а):",
    "4 бер. 2025 р. о 10:15 Ada <ada@example.com> пише:",
    "4 березня 2025 р. о 10:15 Ada <ada@example.com> написав(-ла):",
    "4 mars 2025 kl. 10:15 skrev Ada <ada@example.com>:",
    "Den 4. mar. 2025 kl. 10.15 skrev Ada <ada@example.com>:",
    "4. mar. 2025 kl. 10:15 skrev Ada <ada@example.com>:",
    "Ada <ada@example.com> kirjoitti 4.3.2025 kello 10.15:",
    "4. 3. 2025 v 10:15, Ada <ada@example.com>:",
    "Ada <ada@example.com> írta (időpont: 2025. márc. 4., 10:15):",
    "2025. márc. 4. dátummal, 10:15 időpontban Ada <ada@example.com> írta:",
    "Pe 4 mar. 2025, la 10:15, Ada <ada@example.com> a scris:",
    "4 Μαρ 2025, 10:15 π.μ., ο χρήστης «Ada <ada@example.com>» έγραψε:",
    "Ada <ada@example.com> şunları yazdı (4 Mar 2025 10:15):",
    "في ٤ مارس ٢٠٢٥، الساعة ١٠:١٥ ص، كتب/كتبت Ada <ada@example.com>:",
    "ב-4 במרץ 2025, בשעה 10:15, Ada <ada@example.com> כתב/ה:",
    "2025/03/04 10:15、Ada <ada@example.com>のメール:",
    "2025. 3. 4. 오전 10:15, Ada <ada@example.com> 작성:",
    "在 2025年3月4日，10:15，Ada <ada@example.com> 写道：",
    "Ada <ada@example.com> 於 2025年3月4日 上午10:15 寫道：",
    "On Tuesday, March 4, 2025 at 10:15:00 AM GMT, Ada <ada@example.com> wrote:",
    "Am Dienstag, 4. März 2025 um 10:15:00 MEZ hat Ada <ada@example.com> Folgendes geschrieben:",
  ],
  Yahoo: [
    "Le mardi 4 mars 2025 à 10:15:00 UTC+1, Ada <ada@example.com> a écrit :",
    "El martes, 4 de marzo de 2025, 10:15:00 CET, Ada <ada@example.com> escribió:",
    "Em terça-feira, 4 de março de 2025 10:15:00 BRT, Ada <ada@example.com> escreveu:",
    "Il martedì 4 marzo 2025 alle ore 10:15:00 CET, Ada <ada@example.com> ha scritto:",
    "On Tuesday, March 4th, 2025 at 10:15 AM, Ada <ada@example.com> wrote:",
  ],
  Zoho: [
    "---- On Tue, 04 Mar 2025 10:15:00 +0000 Ada <ada@example.com> wrote ----",
    "---- Il mar, 04 mar 2025 10:15:00 +0000 Ada <ada@example.com> ha scritto ----",
    "---- El mar, 04 mar 2025 10:15:00 +0000 Ada <ada@example.com> escribió ----",
  ],
  NetEase: ['At 2025-03-04 10:15:00, "Ada" <ada@example.com> wrote:'],
  Gmail: [
    "2025-03-04 10:15 GMT+01:00 Ada <ada@example.com>:",
    "2025-03-04 10:15 UTC+01:00, Ada <ada@example.com>:",
    "mar. 4 mars 2025 à 10:15, Ada <ada@example.com> a écrit :",
    "tiistai 4. maaliskuuta 2025 Ada <ada@example.com> kirjoitti:",
    "tirsdag 4. mars 2025 skrev Ada <ada@example.com>:",
    "mardi 4 mars 2025, Ada <ada@example.com> a écrit :",
    "martes, 4 de marzo de 2025, Ada <ada@example.com> escribió:",
    "Il martedì 4 marzo 2025, Ada <ada@example.com> ha scritto:",
    "Ada <ada@example.com> schrieb am Di., 4. März 2025, 10:15:",
    "Ada <ada@example.com> schrieb am Di. 4. März 2025 um 10:15:",
    "Op di 4 mrt. 2025 10:15 schreef Ada <ada@example.com>:",
    "Em ter, 4 de mar de 2025 10:15, Ada <ada@example.com> escreveu:",
    "Dne út 4. 3. 2025 10:15 uživatel Ada <ada@example.com> napsal:",
    "ti 4. maalisk. 2025 klo 10.15 Ada <ada@example.com> kirjoitti:",
    "tir. 4. mar. 2025 10.15 skrev Ada <ada@example.com>:",
    "4 Mar 2025 Sal 10:15 tarihinde Ada <ada@example.com> şunu yazdı:",
    "‫في الثلاثاء، 4 مارس 2025 في 10:15 ص تمت كتابة ما يلي بواسطة ‪Ada‬‏ <‪ada@example.com‬‏>:",
    "On Tue, 4 Mar 2025, 10:15 Ada, <ada@example.com> wrote:",
    "Ada <ada@example.com> ezt írta (időpont: 2025. márc. 4., K 10:15):",
    "wt., 4 mar 2025, 10:15 użytkownik Ada <ada@example.com> napisał:",
    "вт, 4 мар. 2025 г., 10:15 Ada <ada@example.com>:",
    "вт, 4 бер. 2025 р., 10:15 користувач Ada <ada@example.com> пише:",
    "Στις Τρί, 4 Μαρ 2025, 10:15 ο χρήστης Ada <ada@example.com> έγραψε:",
    "2025년 3월 4일 (화) 10:15, Ada <ada@example.com>님이 작성:",
    "2025年3月4日(火) 10:15 Ada <ada@example.com>:",
    "मंगल, 4 मार्च 2025, 10:15 am को Ada <ada@example.com> ने लिखा:",
  ],
  Tutanota: [
    "Mar 4, 2025, 10:15 by ada@example.com:",
    "4. März 2025, 10:15 von ada@example.com:",
    "4 mars 2025, 10:15 par ada@example.com:",
    "4 мар. 2025 г., 10:15 от ada@example.com:",
  ],
  "Mail.ru": ["Вторник, 4 марта 2025, 10:15 +03:00 от Ada <ada@example.com>:"],
  Yandex: ['04.03.2025, 10:15, "Ada" <ada@example.com>:'],
  Onet: ["W dniu 2025-03-04 10:15:00 użytkownik Ada <ada@example.com> napisał:"],
  WP: ["Dnia 4 marca 2025 10:15 Ada <ada@example.com> napisał(a):"],
  "ukr.net": ['4 березня 2025, 10:15:00, від "Ada" <ada@example.com>:'],
  Libero: ["Il 4 marzo 2025 alle 10:15 Ada <ada@example.com> ha scritto:"],
  "without a date": [
    "ada@example.com wrote:",
    "ada@example.com schrieb:",
    "Ada <ada@example.com> schreef:",
    "ada@example.com a écrit :",
    "ada@example.com escribió:",
    "ada@example.com napisał(a):",
    '"Ada Bell" <ada@example.com> írta:',
  ],
};

/** Header blocks with their original order and line breaks. */
const BLOCKS: readonly string[] = [
  'Gesendet: Dienstag, 04. März 2025 um 10:15 Uhr\nVon: "Ada" <ada@example.com>\nAn: bo@example.com\nBetreff: Plan',
  "---------- Původní e-mail ----------\nOd: Ada <ada@example.com>\nKomu: bo@example.com",
  '-----Original Message-----\nFrom: "Ada" <ada@example.com>\nTo: "Bo" <bo@example.com>;',
  '-----Original-Nachricht-----\nBetreff: Plan\nDatum: 2025-03-04T10:15:00+0100\nVon: "Ada" <ada@example.com>',
  "Von: Ada <ada@example.com> Gesendet: Dienstag, 4. März 2025 10:15 An: Bo Betreff: Plan",
  "De : Ada <ada@example.com> Envoyé : mardi 4 mars 2025 10:15 À : Bo Objet : Plan",
  "De: Ada <ada@example.com> Enviado: martes, 4 de marzo de 2025 10:15 Para: Bo Asunto: Plan",
  "Da: Ada <ada@example.com> Inviato: martedì 4 marzo 2025 10:15 A: Bo Oggetto: Plan",
  "От: Ada <ada@example.com> Отправлено: 4 марта 2025 г. 10:15 Кому: Bo Тема: Plan",
  "Van: Ada <ada@example.com> Verzonden: dinsdag 4 maart 2025 10:15 Aan: Bo Onderwerp: Plan",
];

const textOf = (text: string) =>
  extractNewText({ text, html: null, subject: "Re: Lunch", is_reply: true }).extracted_text;
const CASES = Object.entries(HEADERS).flatMap(([client, lines]) =>
  lines.map((line) => [client, line] as const),
);
const ADDRESSED = CASES.filter(([, line]) => line.includes(" <"));

describe("unmarked history is removed", () => {
  test.each(CASES)("below the line of %s: %s", (_, header) => {
    expect(textOf(`See you.\n\n${header}\n\nShall we meet?\nAt noon.`)).toBe("See you.");
    expect(textOf(`See you.\n${header}\nShall we meet?`)).toBe("See you.");
    expect(textOf(`See you.\nSent from my iPhone\n\n${header}\n\nShall we meet?`)).toBe("See you.");
  });
  test.each(ADDRESSED)("below the wrapped line of %s: %s", (_, header) => {
    expect(textOf(`See you.\n\n${header.replace(" <", " <\n")}\n\nShall we meet?`)).toBe("See you.");
    expect(textOf(`See you.\n\n${header.replace(" <", "\n<")}\n\nShall we meet?`)).toBe("See you.");
  });
  test.each(BLOCKS)("below %j", (block) => {
    expect(textOf(`See you.\n\n${block}\n\nShall we meet?`)).toBe("See you.");
  });
});

describe("a quote with the writer's initials before its marks", () => {
  const header = "Tuesday, March 4, 2025, 10:15:00 AM, you wrote:";

  test.each(["AM> Shall we meet?\nAM> At noon.", " AB> Shall we meet?\n AB>\n AB> At noon.", "АБ> Когда?"])(
    "is removed below its header: %j",
    (quote) => {
      expect(textOf(`See you.\n\n${header}\n\n${quote}`)).toBe("See you.");
      expect(textOf(`${header}\n\n${quote}\n\nSee you.`)).toBe("See you.");
    },
  );

  test("stays with the answers between its parts", () => {
    const parts = "AM> Shall we meet?\n\nYes.\n\nAM> Where?\n\nAt the pier.";
    expect(textOf(`Hello Ada,\n\n${header}\n\n${parts}`)).toBe(`Hello Ada,\n\n${parts}`);
  });

  test("isn't what a program printed", () => {
    const text = "This is what I see:\n\nSQL> select name from plans;\nSQL> quit";
    expect(textOf(text)).toBe(text);
  });

  test("isn't the writer's own table below a quote with bars", () => {
    const table = "| day | ferry |\n| Mon | 9:00 |";
    expect(textOf(`${header}\n\n| Shall we meet?\n\nSee you.\n\n${table}`)).toBe(`See you.\n\n${table}`);
  });
});

describe("marked history is removed", () => {
  test.each(CASES)("with the line of %s: %s", (_, header) => {
    expect(textOf(`See you.\n\n${header}\n> Shall we meet?`)).toBe("See you.");
    expect(textOf(`${header}\n> Shall we meet?\n\nSee you.`)).toBe("See you.");
  });
  test("the writer's name above an answered address stays", () => {
    expect(textOf("See you.\n\nRegards,\nBo\n<ada@example.com> wrote:\n> Shall we meet?")).toBe(
      "See you.\n\nRegards,\nBo",
    );
  });
});
