import { describe, expect, test } from "vitest";
import { inEachLanguage } from "../words/index.ts";
import { extractNewText } from "./extract.ts";

const REPLY_HEADER_WORDS = inEachLanguage("reply_headers").map(({ language, words }) => ({
  language,
  ...words,
  days: "days" in words ? words.days : undefined,
}));

const REPLY_HEADERS: Record<string, string> = {
  en: "On Tue, 4 Mar 2025 at 10:15, Ada Bell <ada@example.com> wrote:",
  de: "Am Di., 4. März 2025 um 10:15 Uhr schrieb Ada Bell <ada@example.com>:",
  fr: "Le mar. 4 mars 2025 à 10:15, Ada Bell <ada@example.com> a écrit :",
  es: "El mar, 4 mar 2025 a las 10:15, Ada Bell (<ada@example.com>) escribió:",
  pt: "Em ter., 4 de mar. de 2025 às 10:15, Ada Bell <ada@example.com> escreveu:",
  it: "Il giorno mar 4 mar 2025 alle ore 10:15 Ada Bell <ada@example.com> ha scritto:",
  nl: "Op di 4 mrt 2025 om 10:15 schreef Ada Bell <ada@example.com>:",
  pl: "wt., 4 mar 2025 o 10:15 Ada Bell <ada@example.com> napisał(a):",
  ru: "вт, 4 мар. 2025 г. в 10:15, Ada Bell <ada@example.com>:",
  uk: "вт, 4 бер. 2025 р. о 10:15 Ada Bell <ada@example.com> пише:",
  sv: "Den tis 4 mars 2025 kl 10:15 skrev Ada Bell <ada@example.com>:",
  da: "Den tirs. 4. mar. 2025 kl. 10.15 skrev Ada Bell <ada@example.com>:",
  no: "tir. 4. mars 2025 kl. 10:15 skrev Ada Bell <ada@example.com>:",
  fi: "ti 4. maalisk. 2025 klo 10.15 Ada Bell (ada@example.com) kirjoitti:",
  cs: "út 4. 3. 2025 v 10:15 odesílatel Ada Bell <ada@example.com> napsal:",
  sk: "ut 4. 3. 2025 o 10:15 Ada Bell <ada@example.com> napísal(a):",
  hu: "Ada Bell <ada@example.com> ezt írta (időpont: 2025. márc. 4., K, 10:15):",
  ro: "mar., 4 mar. 2025 la 10:15, Ada Bell <ada@example.com> a scris:",
  el: "Στις Τρί 4 Μαρ 2025 στις 10:15 π.μ., ο χρήστης Ada Bell <ada@example.com> έγραψε:",
  tr: "Ada Bell <ada@example.com>, 4 Mar 2025 Sal, 10:15 tarihinde şunu yazdı:",
  ar: "في الثلاثاء، ٤ مارس ٢٠٢٥ في ١٠:١٥ ص تمت كتابة ما يلي بواسطة ‪Ada Bell‬‏ <‪ada@example.com‬‏>:",
  he: "‫בתאריך יום ג׳, 4 במרץ 2025 ב-10:15 מאת ‪Ada Bell‬‏ <‪ada@example.com‬‏>:‬",
  fa: "در تاریخ سه‌شنبه ۴ مارس ۲۰۲۵، ۱۰:۱۵ Ada Bell <ada@example.com> نوشت:",
  hi: "मंगल, 4 मार्च 2025 को 10:15 am बजे को Ada Bell <ada@example.com> ने लिखा:",
  vi: "Vào Th 3, 4 thg 3, 2025 vào lúc 10:15 Ada Bell <ada@example.com> đã viết:",
  zh: "Ada Bell <ada@example.com> 于2025年3月4日周二 10:15写道：",
  "zh-TW": "Ada Bell <ada@example.com> 於 2025年3月4日 週二 上午10:15寫道：",
  ja: "2025年3月4日(火) 10:15 Ada Bell <ada@example.com>:",
  ko: "2025년 3월 4일 (화) 오전 10:15, Ada Bell <ada@example.com>님이 작성:",
  bg: "На вт, 4.03.2025 г. в 10:15 Ada Bell <ada@example.com> написа:",
  hr: "uto, 4. ožu 2025. u 10:15 Ada Bell <ada@example.com> napisao je:",
  id: "Pada tanggal Sel, 4 Mar 2025 pukul 10.15 Ada Bell <ada@example.com> menulis:",
  th: "ในวันที่ อ. 4 มี.ค. 2025 เวลา 10:15 Ada Bell <ada@example.com> เขียนว่า:",
  ca: "El dia dt., 4 de març 2025 a les 10:15, Ada Bell (<ada@example.com>) va escriure:",
};

/**
 * Only the writer and perhaps the day: without an address or a date, only a quote below shows that it is a
 * header.
 */
const UNDATED_HEADERS: Record<string, readonly string[]> = {
  en: ["Ada wrote:", "On Thursday, Ada Bell wrote:"],
  de: ["Ada schrieb:", "Am Donnerstag schrieb Ada:", "Ada Bell schrieb gestern:"],
  fr: ["Ada a écrit :", "Le jeudi, Ada a écrit :"],
  es: ["Ada escribió:", "El jueves Ada Bell escribió:"],
  pt: ["Ada escreveu:", "Na quinta-feira, Ada escreveu:"],
  it: ["Ada ha scritto:", "Giovedì Ada Bell ha scritto:"],
  nl: ["Ada schreef:", "Op donderdag schreef Ada Bell:", "Op donderdag heeft Ada het volgende geschreven:"],
  pl: ["Ada napisała:", "W czwartek Ada Bell pisze:"],
  ru: ["Ада написала:", "В четверг Ада Белл пишет:"],
  uk: ["Ада написала:", "У четвер Ада пише:"],
  sv: ["Ada skrev:", "På torsdagen skrev Ada:", "I torsdags skrev Ada Bell:"],
  da: ["Ada skrev:", "I torsdags skrev Ada:", "Den torsdag skrev Ada Bell følgende:"],
  no: ["Ada skrev:", "På torsdag skrev Ada:", "Torsdag skrev Ada Bell:"],
  fi: ["Ada kirjoitti:", "Torstaina Ada Bell kirjoitti:"],
  cs: ["Ada napsala:", "Ve čtvrtek Ada Bell napsal(a):"],
  hu: ["Ada írta:", "Csütörtökön Ada Bell ezt írta:"],
  ro: ["Ada a scris:", "Joi, Ada Bell a scris:"],
  el: ["Η Άντα έγραψε:", "Την Πέμπτη, η Άντα έγραψε:"],
  tr: ["Ada yazdı:", "Perşembe günü Ada Bell şunu yazdı:"],
  ar: ["كتبت آدا:", "في يوم الخميس كتبت آدا:"],
  he: ["עדה כתבה:", "ביום חמישי כתבה עדה:"],
  fa: ["آدا نوشت:", "در پنج‌شنبه آدا نوشت:"],
  hi: ["आदा ने लिखा:", "गुरुवार को आदा ने लिखा:"],
  zh: ["小艾写道:", "星期四，小艾写道：", "小艾 寫道："],
  ja: ["恵田さんは書きました:", "木曜日に恵田さんは書きました："],
  ko: ["에이다 님이 작성:", "목요일에 에이다님이 썼습니다:"],
};

const OUTLOOK_LABELS: Record<string, [from: string, sent: string, to: string, subject: string]> = {
  en: ["From", "Sent", "To", "Subject"],
  de: ["Von", "Gesendet", "An", "Betreff"],
  fr: ["De", "Envoyé", "À", "Objet"],
  es: ["De", "Enviado el", "Para", "Asunto"],
  pt: ["De", "Enviada em", "Para", "Assunto"],
  it: ["Da", "Inviato", "A", "Oggetto"],
  nl: ["Van", "Verzonden", "Aan", "Onderwerp"],
  pl: ["Od", "Wysłano", "Do", "Temat"],
  ru: ["От", "Отправлено", "Кому", "Тема"],
  uk: ["Від", "Надіслано", "Кому", "Тема"],
  sv: ["Från", "Skickat", "Till", "Ämne"],
  da: ["Fra", "Sendt", "Til", "Emne"],
  no: ["Fra", "Sendt", "Til", "Emne"],
  fi: ["Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"],
  cs: ["Od", "Odesláno", "Komu", "Předmět"],
  hu: ["Feladó", "Elküldve", "Címzett", "Tárgy"],
  ro: ["De la", "Trimis", "Către", "Subiect"],
  el: ["Από", "Στάλθηκε", "Προς", "Θέμα"],
  tr: ["Gönderen", "Gönderildi", "Alıcı", "Konu"],
  ar: ["من", "تاريخ الإرسال", "إلى", "الموضوع"],
  he: ["מאת", "נשלח", "אל", "נושא"],
  fa: ["از", "ارسال شده", "به", "موضوع"],
  hi: ["प्रेषक", "भेजा गया", "प्रति", "विषय"],
  zh: ["发件人", "发送时间", "收件人", "主题"],
  ja: ["差出人", "送信日時", "宛先", "件名"],
  ko: ["보낸 사람", "보낸 날짜", "받는 사람", "제목"],
};

/**
 * As written by Apple Mail and others; where an app has several words, those missing from the table above.
 */
const OTHER_LABELS: Record<string, [from: string, subject: string, date: string, to: string]> = {
  en: ["From", "Subject", "Date", "To"],
  de: ["Von", "Betreff", "Datum", "An"],
  fr: ["De", "Objet", "Date", "À"],
  es: ["De", "Asunto", "Fecha", "Para"],
  pt: ["De", "Assunto", "Data", "Para"],
  it: ["Da", "Oggetto", "Data", "A"],
  nl: ["Van", "Onderwerp", "Datum", "Aan"],
  pl: ["Od", "Temat", "Data", "Do"],
  ru: ["От", "Тема", "Дата", "Кому"],
  uk: ["Від", "Тема", "Дата", "Кому"],
  sv: ["Från", "Ämne", "Datum", "Till"],
  da: ["Fra", "Emne", "Dato", "Til"],
  no: ["Fra", "Emne", "Dato", "Til"],
  fi: ["Lähettäjä", "Aihe", "Päivämäärä", "Vastaanottaja"],
  cs: ["Od", "Předmět", "Datum", "Komu"],
  hu: ["Feladó", "Tárgy", "Dátum", "Címzett"],
  ro: ["De la", "Subiect", "Data", "Către"],
  el: ["Από", "Θέμα", "Ημερομηνία", "Προς"],
  tr: ["Kimden", "Konu", "Gönderme Tarihi", "Kime"],
  ar: ["من", "الموضوع", "التاريخ", "إلى"],
  he: ["מאת", "נושא", "תאריך", "אל"],
  fa: ["از", "موضوع", "تاریخ", "به"],
  hi: ["से", "विषय", "दिनांक", "को"],
  zh: ["发件人", "主题", "日期", "收件人"],
  "zh-TW": ["寄件者", "主旨", "寄件日期", "收件者"],
  ja: ["送信者", "件名", "日付", "宛先"],
  ko: ["보낸사람", "제목", "보낸시간", "받는사람"],
};
const BLOCK_FORMS: Record<string, (label: string, value: string) => string> = {
  plain: (label, value) => `${label}: ${value}\n`,
  "in bold": (label, value) => `*${label}:* ${value}\n`,
  "with blank lines": (label, value) => `${label}: ${value}\n\n`,
  "with a blank before the colon": (label, value) => `${label} : ${value}\n`,
  "with a wide colon": (label, value) => `${label}：${value}\n`,
};

const plain = { html: null, subject: "Re: Lunch", is_reply: true };

describe("reply headers by language", () => {
  test.each(Object.entries(REPLY_HEADERS))(
    "%s: unmarked history below the header is removed",
    (_, header) => {
      expect(
        extractNewText({ ...plain, text: `See you there.\n\n${header}\n\nShall we meet?\nAt noon.` })
          .extracted_text,
      ).toBe("See you there.");
    },
  );
  test.each(Object.entries(REPLY_HEADERS))("%s: an answer below the quote stays", (_, header) => {
    expect(
      extractNewText({ ...plain, text: `${header}\n\n> Shall we meet?\n\nSee you there.` }).extracted_text,
    ).toBe("See you there.");
  });
  test.each(Object.entries(REPLY_HEADERS))(
    "%s: a header folded before the address is recognised",
    (_, header) => {
      const folded = header.replace(
        / \(?<\u202a?ada/,
        (before) => `${before.slice(0, -3)}\n${before.slice(-3)}`,
      );
      expect(
        extractNewText({ ...plain, text: `See you there.\n\n${folded}\n\n> Shall we meet?` }).extracted_text,
      ).toBe("See you there.");
    },
  );
});

describe("reply headers without a date, by language", () => {
  const cases = Object.entries(UNDATED_HEADERS).flatMap(([language, headers]) =>
    headers.map((header) => [language, header] as const),
  );
  test.each(cases)("%s: %s is removed with the quote below it", (_, header) => {
    expect(
      extractNewText({ ...plain, text: `See you there.\n\n${header}\n\n> Shall we meet?\n> At noon.` })
        .extracted_text,
    ).toBe("See you there.");
    expect(
      extractNewText({ ...plain, text: `${header}\n> Shall we meet?\n\nSee you there.` }).extracted_text,
    ).toBe("See you there.");
  });
  test.each(cases)("%s: %s stays without a quote", (_, header) => {
    const text = `See you there.\n\n${header}\n\nShall we meet?`;
    expect(extractNewText({ ...plain, text }).extracted_text).toBe(text);
  });
  test("a header on two lines is removed whole", () => {
    expect(
      extractNewText({ ...plain, text: "See you there.\n\nOn Thursday,\nAda Bell wrote:\n> Shall we meet?" })
        .extracted_text,
    ).toBe("See you there.");
  });
  test.each([
    "Schiller schrieb dazu:\n\n> Freude",
    "Kant wrote of this:\n\n> Act",
    "Strindberg skrev om det:\n\n> Dröm",
  ])("a quoted saying stays: %s", (saying) => {
    const text = `${saying}\n\nThat still holds.`;
    expect(extractNewText({ ...plain, text }).extracted_text).toBe(text);
  });
});

describe("header blocks by language", () => {
  test.each(Object.entries(OUTLOOK_LABELS))(
    "%s: everything below From, Sent, To and Subject is removed",
    (_, [from, sent, to, subject]) => {
      const block = `${from}: Ada Bell <ada@example.com>\n${sent}: 4.3.2025 10:15\n${to}: Bo\n${subject}: Lunch`;
      expect(
        extractNewText({ ...plain, text: `See you there.\n\n${block}\n\nShall we meet?` }).extracted_text,
      ).toBe("See you there.");
    },
  );
  test.each(Object.entries(OTHER_LABELS))(
    "%s: a block of another client is removed in any form",
    (_, labels) => {
      const values = ["Ada Bell <ada@example.com>", "Re: Lunch", "4.3.2025 10:15", "Bo Carr"];
      for (const form of Object.values(BLOCK_FORMS)) {
        const block = labels.map((label, index) => form(label, values[index] ?? "")).join("");
        expect(
          extractNewText({ ...plain, text: `See you there.\n\n${block}\nShall we meet?` }).extracted_text,
        ).toBe("See you there.");
      }
    },
  );
});

describe("the line above the answered mail, made of CLDR's dates and each language's verbs", () => {
  const date = new Date(Date.UTC(2026, 0, 5, 12, 34));
  test.each(REPLY_HEADER_WORDS)("in $language", ({ language, leads, verbs }) => {
    for (const dateStyle of ["full", "long", "medium", "short"] as const) {
      const format = new Intl.DateTimeFormat(language, { dateStyle, timeStyle: "short", timeZone: "UTC" });
      const when = `${leads[0] ?? ""} ${format.format(date)}`.trim();
      for (const verb of verbs.filter((each) => !/[(:]/.test(each)))
        for (const header of [`${when}, Ada <ada@example.com> ${verb}:`, `${when} Ada ${verb}:`])
          for (const quote of ["> Aa bb\n> cc", "Aa bb\ncc"])
            expect(
              extractNewText({
                text: `Zz qq.\n\n${header}\n\n${quote}`,
                html: null,
                subject: "Re: x",
                is_reply: true,
              }).extracted_text,
            ).toBe("Zz qq.");
    }
  });
  test.each(REPLY_HEADER_WORDS)(
    "behind the writer, wrapped within it, in $language",
    ({ language, verbs }) => {
      const format = new Intl.DateTimeFormat(language, {
        dateStyle: "full",
        timeStyle: "short",
        timeZone: "UTC",
      });
      for (const columns of [50, 60, 70]) {
        const header = wrapped(`Ada <ada@example.com> ${verbs[0]} (${format.format(date)}):`, columns);
        const text = `Zz qq.\n\n${header}\n\nAa bb\ncc`;
        expect(extractNewText({ ...plain, text }).extracted_text).toBe("Zz qq.");
      }
    },
  );

  // Basque, Armenian and Vietnamese put letters into dates that no table has.
  const dated = REPLY_HEADER_WORDS.filter(
    ({ language }) =>
      inEachLanguage("calendar").some((one) => one.language === language) && !["eu", "hy"].includes(language),
  );
  test.each(dated)("without a time of day, in $language", ({ language, leads, verbs }) => {
    const format = new Intl.DateTimeFormat(language, {
      dateStyle: "long",
      timeZone: "UTC",
      calendar: "gregory",
    });
    const when = `${leads[0] ?? ""} ${format.format(date)}`.trim();
    const text = `Zz qq.\n\n${when}, Ada ${verbs[0]}:\n\nAa bb\ncc`;
    expect(extractNewText({ ...plain, text }).extracted_text).toBe("Zz qq.");
  });

  test("is known in more than forty languages", () => {
    expect(new Set(REPLY_HEADER_WORDS.map(({ language }) => language)).size).toBeGreaterThan(60);
  });
});

function wrapped(text: string, columns: number): string {
  return text.replace(new RegExp(`(.{1,${columns}})(?: |$)`, "g"), "$1\n").trimEnd();
}
