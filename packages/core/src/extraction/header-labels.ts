/** What a line of a quoted mail's header says. */
export type HeaderKind = "from" | "date" | "to" | "subject" | "other";

interface HeaderLabels {
  language: string;
  from: readonly string[];
  date: readonly string[];
  to: readonly string[];
  subject: readonly string[];
  other: readonly string[];
}

/**
 * The labels above a quoted mail as Outlook, Apple Mail, Gmail and Thunderbird write them, by language, since these clients
 * mark neither the quote's lines nor its end: the labels are all there is to see.
 */
export const headerLabels: readonly HeaderLabels[] = [
  { language: "en", from: ["from", "sender"], date: ["sent", "date"], to: ["to", "recipient", "recipients"], subject: ["subject"], other: ["cc", "bcc", "reply-to", "reply to", "importance", "attachments", "sent at", "organization", "resent-from"] },
  { language: "de", from: ["von", "absender"], date: ["gesendet", "datum", "gesendet am"], to: ["an", "empfänger"], subject: ["betreff"], other: ["kopie", "antwort an", "antwort-an", "wichtigkeit", "priorität", "anlagen"] },
  { language: "fr", from: ["de", "expéditeur"], date: ["envoyé", "date", "envoyé le"], to: ["à", "a", "pour", "destinataire"], subject: ["objet", "sujet"], other: ["répondre à", "copie à", "copie", "importance", "pièces jointes"] },
  { language: "es", from: ["de", "remitente"], date: ["enviado", "enviado el", "fecha"], to: ["para", "destinatario"], subject: ["asunto"], other: ["responder a", "con copia", "importancia"] },
  { language: "pt", from: ["de", "remetente"], date: ["enviado", "enviada", "enviada em", "enviado em", "data"], to: ["para", "destinatário"], subject: ["assunto"], other: ["responder a", "responder para", "com cópia"] },
  { language: "it", from: ["da", "mittente"], date: ["inviato", "data", "inviato il"], to: ["a", "destinatario"], subject: ["oggetto"], other: ["rispondi a", "copia"] },
  { language: "nl", from: ["van", "afzender"], date: ["verzonden", "datum", "verstuurd"], to: ["aan"], subject: ["onderwerp"], other: ["antwoord aan", "kopie"] },
  { language: "pl", from: ["od", "nadawca"], date: ["wysłano", "data", "wysłane"], to: ["do", "adresat"], subject: ["temat"], other: ["dw", "odpowiedz do"] },
  { language: "ru", from: ["от", "от кого"], date: ["отправлено", "дата"], to: ["кому"], subject: ["тема"], other: ["копия", "ответить"] },
  { language: "uk", from: ["від", "від кого"], date: ["надіслано", "дата", "відправлено"], to: ["кому", "до"], subject: ["тема"], other: ["копія"] },
  { language: "bg", from: ["от"], date: ["изпратено", "дата"], to: ["до"], subject: ["относно", "тема"], other: ["копие"] },
  { language: "sr", from: ["od", "šalje", "од"], date: ["poslato", "datum", "poslano", "послато"], to: ["za", "prima", "за"], subject: ["tema", "predmet", "naslov", "тема"], other: ["kopija"] },
  { language: "sv", from: ["från", "avsändare"], date: ["skickat", "datum"], to: ["till"], subject: ["ämne"], other: ["kopia", "svara till"] },
  { language: "da", from: ["fra", "afsender"], date: ["sendt", "dato"], to: ["til"], subject: ["emne"], other: ["svar til"] },
  { language: "no", from: ["fra", "frå"], date: ["sendt", "dato"], to: ["til"], subject: ["emne"], other: ["kopi", "svar til"] },
  { language: "fi", from: ["lähettäjä"], date: ["lähetetty", "päivämäärä", "päiväys"], to: ["vastaanottaja"], subject: ["aihe"], other: ["kopio"] },
  { language: "cs", from: ["od", "odesílatel"], date: ["odesláno", "datum"], to: ["komu", "pro", "příjemce"], subject: ["předmět"], other: ["kopie"] },
  { language: "sk", from: ["od", "odosielateľ"], date: ["odoslané", "dátum", "poslané"], to: ["komu", "príjemca"], subject: ["predmet"], other: ["kópia"] },
  { language: "hu", from: ["feladó", "küldő"], date: ["elküldve", "dátum", "küldve"], to: ["címzett"], subject: ["tárgy"], other: ["másolatot kap"] },
  { language: "ro", from: ["de la", "expeditor"], date: ["trimis", "data", "dată"], to: ["către", "catre", "la"], subject: ["subiect"], other: ["răspuns către"] },
  { language: "et", from: ["saatja"], date: ["saadetud", "kuupäev"], to: ["adressaat", "saaja"], subject: ["teema"], other: ["koopia"] },
  { language: "lt", from: ["nuo", "siuntėjas"], date: ["išsiųsta", "data"], to: ["kam", "iki", "gavėjas"], subject: ["tema"], other: ["kopija"] },
  { language: "lv", from: ["no"], date: ["nosūtīts", "datums"], to: ["kam"], subject: ["temats", "tēma"], other: ["kopija"] },
  { language: "el", from: ["από"], date: ["στάλθηκε", "ημερομηνία", "αποστολή"], to: ["προς"], subject: ["θέμα"], other: ["κοινοποίηση"] },
  { language: "tr", from: ["gönderen", "kimden"], date: ["gönderildi", "tarih", "gönderme tarihi"], to: ["alıcı", "kime"], subject: ["konu"], other: ["bilgi"] },
  { language: "ar", from: ["من"], date: ["تاريخ الإرسال", "التاريخ", "أرسلت", "تم الإرسال", "تاريخ"], to: ["إلى", "الى"], subject: ["الموضوع", "موضوع"], other: ["نسخة"] },
  { language: "he", from: ["מאת"], date: ["נשלח", "תאריך"], to: ["אל"], subject: ["נושא", "הנושא"], other: ["עותק"] },
  { language: "fa", from: ["از", "فرستنده"], date: ["ارسال شده", "تاریخ", "ارسال"], to: ["به", "گیرنده"], subject: ["موضوع"], other: ["رونوشت"] },
  { language: "hi", from: ["प्रेषक", "से"], date: ["भेजा गया", "दिनांक", "तारीख"], to: ["प्रति", "को", "प्रेषिती"], subject: ["विषय"], other: ["प्रतिलिपि"] },
  { language: "vi", from: ["từ"], date: ["đã gửi", "ngày", "gửi"], to: ["đến", "tới"], subject: ["chủ đề", "tiêu đề"], other: [] },
  { language: "id", from: ["dari"], date: ["dikirim", "tanggal"], to: ["kepada", "untuk", "ke"], subject: ["subjek", "perihal"], other: [] },
  { language: "th", from: ["จาก"], date: ["ส่ง", "วันที่"], to: ["ถึง"], subject: ["เรื่อง", "หัวเรื่อง"], other: ["สำเนา"] },
  { language: "ca", from: ["de"], date: ["enviat", "data"], to: ["per a", "a"], subject: ["assumpte", "tema"], other: [] },
  { language: "hr", from: ["šalje", "od"], date: ["poslano", "datum"], to: ["prima", "za"], subject: ["predmet"], other: [] },
  { language: "sl", from: ["od", "pošiljatelj"], date: ["poslano", "datum"], to: ["za", "prejemnik"], subject: ["zadeva"], other: [] },
  { language: "zh", from: ["发件人", "寄件者", "寄件人", "發件人"], date: ["发送时间", "日期", "寄件日期", "發送時間", "时间", "傳送時間"], to: ["收件人", "收件者"], subject: ["主题", "主旨", "主題"], other: ["抄送", "副本"] },
  { language: "ja", from: ["差出人", "送信者", "from"], date: ["送信日時", "日時", "送信済み", "日付"], to: ["宛先"], subject: ["件名"], other: ["写し"] },
  { language: "ko", from: ["보낸 사람", "보낸사람", "발신"], date: ["보낸 날짜", "날짜", "보낸날짜"], to: ["받는 사람", "받는사람", "수신"], subject: ["제목"], other: ["참조"] },
];
