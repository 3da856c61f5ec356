import { describe, expect, test } from "vitest";
import { isDeviceLine } from "./device-lines.ts";
import { extract } from "./extract.ts";
import { bareOf } from "./line.ts";

const replyHeaders: Record<string, string> = {
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

const outlookLabels: Record<string, [from: string, sent: string, to: string, subject: string]> = {
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

const deviceLines = [
  "Sent from my iPhone",
  "Sent from my Galaxy",
  "Get Outlook for iOS<https://aka.example.com/o>",
  "Von meinem iPhone gesendet",
  "Gesendet mit der GMX Mail App",
  "Envoyé de mon iPhone",
  "Télécharger Outlook pour Android",
  "Enviado desde mi iPhone",
  "Enviado do meu iPhone",
  "Obter o Outlook para iOS",
  "Inviato da iPhone",
  "Verstuurd vanaf mijn iPhone",
  "Sendt fra min iPhone",
  "Skickat från min iPhone",
  "Lähetetty iPhonesta",
  "Wysłane z iPhone'a",
  "Odesláno z iPhonu",
  "Odoslané z iPhonu",
  "iPhone-ról küldve",
  "Trimis de pe iPhone",
  "Отправлено с iPhone",
  "Надіслано з iPhone",
  "Στάλθηκε από το iPhone μου",
  "iPhone'umdan gönderildi",
  "أُرسلت من الـ iPhone",
  "נשלח מה-iPhone שלי",
  "iPhoneから送信",
  "发自我的 iPhone",
  "從我的 iPhone 傳送",
  "나의 iPhone에서 보냄",
];

const plain = { html: null, subject: "Re: Lunch", is_reply: true };

describe("reply headers by language", () => {
  test.each(Object.entries(replyHeaders))("%s: unmarked history below the header goes", (_, header) => {
    expect(extract({ ...plain, text: `See you there.\n\n${header}\n\nShall we meet?\nAt noon.` }).extracted_text).toBe(
      "See you there.",
    );
  });
  test.each(Object.entries(replyHeaders))("%s: an answer below the quote stays", (_, header) => {
    expect(extract({ ...plain, text: `${header}\n\n> Shall we meet?\n\nSee you there.` }).extracted_text).toBe("See you there.");
  });
  test.each(Object.entries(replyHeaders))("%s: the header is recognised when it is folded before the address", (_, header) => {
    const folded = header.replace(/ \(?<\u202a?ada/, (before) => `${before.slice(0, -3)}\n${before.slice(-3)}`);
    expect(extract({ ...plain, text: `See you there.\n\n${folded}\n\n> Shall we meet?` }).extracted_text).toBe("See you there.");
  });
});

describe("header blocks by language", () => {
  test.each(Object.entries(outlookLabels))(
    "%s: everything below From, Sent, To and Subject goes",
    (_, [from, sent, to, subject]) => {
      const block = `${from}: Ada Bell <ada@example.com>\n${sent}: 4.3.2025 10:15\n${to}: Bo\n${subject}: Lunch`;
      expect(extract({ ...plain, text: `See you there.\n\n${block}\n\nShall we meet?` }).extracted_text).toBe("See you there.");
    },
  );
});

describe("device lines", () => {
  test.each(deviceLines)("%s", (line) => {
    expect(isDeviceLine(bareOf(line))).toBe(true);
    expect(extract({ ...plain, text: `See you there.\n\n${line}` }).extracted_text).toBe("See you there.");
  });
  test.each([
    "Sent from the warehouse on Monday, all 40 boxes.",
    "Is your iPhone broken?",
    "The iPhone and the iPad are sold out.",
  ])("prose stays: %s", (line) => {
    expect(isDeviceLine(bareOf(line))).toBe(false);
  });
});
