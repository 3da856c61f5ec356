import { describe, expect, test } from "vitest";
import { isDeviceLine } from "./device-lines.ts";
import { extractNewText } from "./extract.ts";
import { bareOf } from "./line.ts";

const DEVICE_LINES = [
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
  "Get BlueMail for Android",
  "Sent from Yahoo Mail on Android",
  "Sent from my Samsung Galaxy smartphone.",
  "Sent from Mail for Windows",
  "Sent with Proton Mail secure email.",
  "Von meinem Samsung Galaxy Smartphone gesendet.",
  "Envoyé à partir d’Outlook pour iOS",
  "Enviado desde Yahoo Mail con Android",
  "Enviado a partir do meu smartphone Samsung Galaxy.",
  "Outlook voor iOS downloaden",
  "Pobierz program Outlook dla systemu iOS",
  "Отправлено из мобильной Яндекс Почты",
  "Відправлено з мобільного UKR.NET",
  "Hämta Outlook för iOS",
  "Hent Outlook til iOS",
  "Samsung Galaxy okostelefonomról küldve",
  "Luați Outlook pentru iOS",
  "Αποστολή από το iPhone μου",
  "Samsung Galaxy akıllı telefonumdan gönderildi.",
  "iOS için Outlook'u edinin",
  "تم الإرسال من iPhone الخاص بي",
  "נשלח מהאייפון שלי",
  "מה-iPhone שלי נשלח",
  "ارسال شده از آیفون من",
  "از iPhone من ارسال شد",
  "मेरे iPhone से भेजा गया",
  "发自 网易邮箱大师",
  "发送自 Windows 10 版邮件应用",
  "寄件自 Windows 10 的郵件",
  "Outlook for iOS を入手",
  "삼성 갤럭시 스마트폰에서 보냈습니다.",
  "네이버 메일 앱에서 보냄",
  "Sent from my MacBook Pro",
  "Sent from my new Fairphone 5",
  "iOS용 Outlook 다운로드",
];

const plain = { html: null, subject: "Re: Lunch", is_reply: true };

describe("device lines", () => {
  test.each(DEVICE_LINES)("%s", (line) => {
    expect(isDeviceLine(bareOf(line))).toBe(true);
    expect(extractNewText({ ...plain, text: `See you there.\n\n${line}` }).extracted_text).toBe(
      "See you there.",
    );
  });
  test.each([
    "Sent from the warehouse on Monday, all 40 boxes.",
    "Is your iPhone broken?",
    "Sent from my office this morning.",
    "Sent from the Oslo warehouse yesterday by mail.",
    "Sent by the bank on Friday, ask them by phone.",
    "The iPhone and the iPad are sold out.",
    "发自内心的感谢",
    "Отправлено вчера, ждите курьера.",
    "Gesendet haben wir das Paket am Montag.",
    "Enviado el pago por transferencia esta mañana.",
    "보냈습니다.",
  ])("prose stays: %s", (line) => {
    expect(isDeviceLine(bareOf(line))).toBe(false);
  });
});
