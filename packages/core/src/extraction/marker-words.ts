/** The words of a marker in some languages, and who writes them. */
export interface MarkerWords {
  languages: string;
  words: readonly string[];
  reason: string;
}

/** "-----Original Message-----": Outlook and phones set it above what is answered, without marking the quoted lines. */
export const originalMarkers: readonly MarkerWords[] = [
  {
    languages: "en",
    words: [
      "original message",
      "original",
      "original email",
      "original appointment",
      "reply message",
      "replied message",
      "previous message",
    ],
    reason: "Outlook, NetEase",
  },
  {
    languages: "de",
    words: [
      "ursprüngliche nachricht",
      "ursprüngliche mail",
      "ursprüngliche e-mail",
      "original-nachricht",
      "originalnachricht",
      "urspruengliche nachricht",
    ],
    reason: "Outlook, T-Online",
  },
  {
    languages: "fr",
    words: ["message d'origine", "message d’origine", "message original", "message initial"],
    reason: "Outlook, Orange",
  },
  {
    languages: "es pt it",
    words: ["mensaje original", "correo original", "mensagem original", "mensagem de origem", "messaggio originale"],
    reason: "Outlook, phones",
  },
  {
    languages: "nl",
    words: ["oorspronkelijk bericht", "oorspronkelijke bericht", "origineel bericht"],
    reason: "Outlook, Ziggo",
  },
  {
    languages: "da no sv",
    words: [
      "oprindelig meddelelse",
      "oprindelig besked",
      "opprinnelig melding",
      "originalmelding",
      "ursprungligt meddelande",
      "originalmeddelande",
    ],
    reason: "Outlook, Samsung",
  },
  { languages: "fi", words: ["alkuperäinen viesti"], reason: "Outlook" },
  {
    languages: "pl cs sk",
    words: [
      "oryginalna wiadomość",
      "wiadomość oryginalna",
      "treść oryginalnej wiadomości",
      "původní zpráva",
      "původní e-mail",
      "pôvodná správa",
    ],
    reason: "Outlook, Seznam",
  },
  {
    languages: "hu ro hr sl",
    words: ["eredeti üzenet", "mesaj original", "mesajul original", "izvorna poruka", "originalna poruka", "izvirno sporočilo"],
    reason: "Outlook, Samsung",
  },
  {
    languages: "ru uk bg",
    words: [
      "исходное сообщение",
      "оригинальное сообщение",
      "исходное письмо",
      "оригінальне повідомлення",
      "вихідне повідомлення",
      "оригинално съобщение",
    ],
    reason: "Outlook, Mail.ru",
  },
  { languages: "el tr", words: ["αρχικό μήνυμα", "orijinal mesaj", "özgün ileti", "orijinal ileti"], reason: "Outlook, Samsung" },
  {
    languages: "ar he fa hi",
    words: ["الرسالة الأصلية", "رسالة أصلية", "הודעה מקורית", "ההודעה המקורית", "پیام اصلی", "मूल संदेश"],
    reason: "Outlook, Samsung",
  },
  {
    languages: "zh ja ko vi",
    words: [
      "原始邮件",
      "原始郵件",
      "原始訊息",
      "邮件原件",
      "元のメッセージ",
      "original message",
      "원본 메시지",
      "원본 메일",
      "tin nhắn gốc",
      "thư gốc",
    ],
    reason: "QQ, Outlook, Naver",
  },
];

/** "---------- Forwarded message ----------": what follows was passed on by hand. */
export const forwardMarkers: readonly MarkerWords[] = [
  {
    languages: "en",
    words: [
      "forwarded message",
      "forwarded by",
      "begin forwarded message",
      "forwarded mail",
      "forwarding messages",
      "forwarded email",
      "start of forwarded message",
    ],
    reason: "Gmail, Apple Mail, NetEase",
  },
  {
    languages: "de",
    words: [
      "weitergeleitete nachricht",
      "anfang der weitergeleiteten nachricht",
      "anfang der weitergeleiteten e-mail",
      "weitergeleitete e-mail",
    ],
    reason: "Thunderbird, Apple Mail",
  },
  {
    languages: "fr",
    words: [
      "message transféré",
      "début du message réexpédié",
      "début du message transféré",
      "message transmis",
      "message réexpédié",
    ],
    reason: "Gmail, Apple Mail",
  },
  {
    languages: "es pt it",
    words: [
      "mensaje reenviado",
      "inicio del mensaje reenviado",
      "mensagem encaminhada",
      "mensagem reencaminhada",
      "início da mensagem encaminhada",
      "início da mensagem reencaminhada",
      "messaggio inoltrato",
      "inizio messaggio inoltrato",
    ],
    reason: "Gmail, Apple Mail",
  },
  { languages: "nl", words: ["doorgestuurd bericht", "begin doorgestuurd bericht"], reason: "Gmail, Apple Mail" },
  {
    languages: "da no sv fi",
    words: [
      "videresendt meddelelse",
      "videresendt besked",
      "start på videresendt besked",
      "videresendt melding",
      "vidarebefordrat meddelande",
      "vidarebefordrat brev",
      "välitetty viesti",
      "välitetty viesti alkaa",
    ],
    reason: "Gmail, Apple Mail",
  },
  {
    languages: "pl cs sk hu ro",
    words: [
      "wiadomość przekazana dalej",
      "przekazana wiadomość",
      "treść przekazanej wiadomości",
      "přeposlaná zpráva",
      "předaná zpráva",
      "preposlaná správa",
      "továbbított üzenet",
      "továbbított levél",
      "mesaj redirecționat",
      "mesaj redirectionat",
    ],
    reason: "Gmail, Apple Mail",
  },
  {
    languages: "ru uk",
    words: [
      "пересылаемое сообщение",
      "пересланное сообщение",
      "начало переадресованного сообщения",
      "конец пересылаемого сообщения",
      "переслане повідомлення",
      "переадресоване повідомлення",
    ],
    reason: "Gmail, Yandex",
  },
  {
    languages: "el tr",
    words: ["προωθημένο μήνυμα", "iletilmiş mesaj", "yönlendirilmiş ileti", "iletilen mesaj"],
    reason: "Gmail",
  },
  {
    languages: "ar he fa",
    words: ["رسالة مُعاد توجيهها", "رسالة معاد توجيهها", "הודעה שהועברה", "پیام فرستاده‌شده", "پیام هدایت‌شده"],
    reason: "Gmail",
  },
  {
    languages: "zh ja ko",
    words: [
      "转发的邮件",
      "转发邮件信息",
      "轉寄郵件",
      "轉寄的郵件",
      "已转发邮件",
      "開始轉寄郵件",
      "転送されたメッセージ",
      "転送メッセージ",
      "전달된 메시지",
      "전달된 메일",
    ],
    reason: "Gmail, NetEase",
  },
];
