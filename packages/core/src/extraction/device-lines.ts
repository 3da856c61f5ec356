/** How a line begins or ends that a phone or a mail program adds below a mail, by language. */
const leads: readonly string[] = [
  "sent from", "sent via", "sent with", "sent using", "sent by", "get outlook", "download outlook",
  "von meinem", "von meiner", "gesendet von", "gesendet mit", "gesendet über", "gesendet aus", "diese nachricht wurde von", "holen sie sich outlook",
  "envoyé de", "envoyé depuis", "envoyé à partir", "envoyé avec", "envoyé via", "télécharger outlook", "obtenez outlook", "obtenir outlook", "provenance",
  "enviado desde", "enviado con", "enviado mediante", "obtener outlook", "descargar outlook",
  "enviado do", "enviado a partir", "enviado via", "enviado de", "enviado pelo", "enviada do", "obter o outlook", "obtenha o outlook", "baixe o outlook",
  "inviato da", "inviato con", "inviato dal", "scarica outlook", "ottieni outlook",
  "verzonden vanaf", "verzonden vanuit", "verzonden met", "verzonden via", "verstuurd vanaf", "verstuurd met", "download outlook", "outlook voor", "outlook für", "outlook pour",
  "sendt fra", "sendt via", "sendt med", "hent outlook", "få outlook", "last ned outlook", "skickat från", "skickat med", "skickades från", "hämta outlook", "skaffa outlook",
  "lähetetty", "hanki outlook", "lataa outlook",
  "wysłane z", "wysłano z", "wysłane przez", "pobierz outlook", "pobierz aplikację outlook", "uzyskaj outlook",
  "odesláno z", "odesláno ze", "odesláno", "získat outlook", "získejte outlook", "odoslané z", "odoslané zo", "získať outlook",
  "elküldve", "küldve", "az iphone", "trimis de pe", "trimis din", "trimis de la", "obțineți outlook", "descărcați outlook",
  "poslano s", "poslano iz", "poslano z", "poslato sa", "изпратено от", "послато са",
  "отправлено с", "отправлено из", "отправлено через", "отправлено", "получить outlook", "скачать outlook", "надіслано з", "відправлено з", "отримати outlook",
  "στάλθηκε από", "εστάλη από", "απεστάλη από", "αποστολή από", "λήψη του outlook", "αποκτήστε το outlook",
  "أرسلت من", "أُرسلت من", "ارسلت من", "أرسل من", "تم الإرسال من", "مرسل من", "الحصول على outlook", "נשלח מ", "הורד את outlook", "קבל את outlook",
  "ارسال شده از", "فرستاده شده از", "मेरे", "đã gửi từ", "gửi từ", "được gửi từ", "dikirim dari", "ส่งจาก", "enviat des", "saadetud minu", "išsiųsta iš", "nosūtīts no",
  "从我的", "发自我的", "发自", "發自", "從我的", "來自我的", "傳送自", "获取适用于", "나의", "내", "outlook for", "iphone", "ipad", "android",
];

const tails: readonly string[] = ["gesendet", "gesendet.", "gönderildi", "gönderildi.", "送信", "送信しました", "发送", "發送", "傳送", "보냄", "보냈습니다", "에서 보냄", "भेजा गया", "küldve", "içinden gönderildi", "beziehen", "herunterladen", "downloaden", "のメール"];

const NAMES =
  /iphon|ipad|ipod|apple|android|samsung|galaxy|huawei|honor|xiaomi|redmi|oppo|blackberry|nokia|sony|xperia|htc|motorola|oneplus|pixel|wiko|fairphone|outlook|yahoo|\bmail\b|e-mail|aol|gmail|gmx|web\.de|proton|windows|mobile|mobil|phone|telefon|téléphone|teléfono|celular|móvil|cellulare|handy|handheld|tablet|tablette|verizon|wireless|t-mobile|at&t|orange|vodafone|spark|airmail|sparrow|thunderbird|bluemail|mailbird|surface|superhuman|айфон|телефон|смартфон|почт|手机|手機/;
const MY = /^(?:sent from my|von meinem|envoyé de mon|enviado desde mi|enviado do meu|inviato dal mio|verstuurd vanaf mijn|verzonden vanaf mijn|sendt fra min|skickat från min|发自我的|從我的|从我的) /;
const MAX_CHARS = 100;
const MAX_WORDS = 12;

/** Whether the line (as `bare`) is one that a device or mail program added, such as "Sent from my iPhone". */
export function isDeviceLine(bare: string): boolean {
  if (bare.length > MAX_CHARS + 200 || bare.length < 6) return false;
  const words = bare.replace(/[<(\[]?https?:\/\/\S*/, "").trim();
  if (words.length > MAX_CHARS || words.split(" ").length > MAX_WORDS || /\?$/.test(words)) return false;
  if (MY.test(words) && words.split(" ").length <= MAX_WORDS - 3) return true;
  if (!NAMES.test(words)) return false;
  const begins = leads.find((lead) => words.startsWith(lead));
  if (begins === undefined) return tails.some((tail) => words.endsWith(tail)) && words.split(" ").length <= 7;
  return !/^(?:iphone|ipad|android|내|나의|मेरे|az iphone)/.test(begins) || tails.some((tail) => words.endsWith(tail));
}
