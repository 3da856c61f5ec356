/** How servers of one language say that nobody has the address: somebody, and that they aren't there. */
interface Wording {
  language: string;
  /** User, recipient, address, mailbox or account; stems, since endings change with the sentence. */
  who: string;
  /** Doesn't exist, isn't found, is unknown or invalid. */
  missing: string;
}

const WORDINGS: readonly Wording[] = [
  {
    language: "English",
    who: "user|recipient|addressee|mailbox|e-?mail address|account|directory entry",
    missing:
      "does(?: not|n't) exist|not registered|(?:was|were|has been|is) (?:deleted|removed)|(?:could not|couldn't|cannot|can't) find (?:the|this|that|any|such)|not in (?:(?:the|our|this) )?directory",
  },
  {
    language: "German",
    who: "benutzer|nutzer|empf(?:ä|ae)nger|(?:e-?mail-?)?adresse|postfach|konto|mailbox",
    missing:
      "existiert nicht|gibt es nicht|nicht (?:gefunden|bekannt|vorhanden)|unbekannt|ung(?:ü|ue)ltig|kein solche[rs]?",
  },
  {
    language: "French",
    who: "utilisateur|destinataire|adresse|bo[iî]te|compte",
    missing: "n['’ ]?existe (?:pas|plus)|inexistante?|inconnue?|introuvable|invalide|aucun",
  },
  {
    language: "Spanish",
    who: "usuario|destinatario|direcci[oó]n|buz[oó]n|cuenta",
    missing:
      "no existe|inexistente|desconocid[oa]|no (?:fue |ha sido )?encontrad[oa]|no se encontr|inv[aá]lid[oa]",
  },
  {
    language: "Portuguese",
    who: "usu[aá]rio|utilizador|destinat[aá]rio|endere[cç]o|caixa|conta",
    missing:
      "n[aã]o existe|inexistente|desconhecid[oa]|n[aã]o (?:foi )?(?:encontrad[oa]|poss[ií]vel encontrar)|inv[aá]lid[oa]",
  },
  {
    language: "Italian",
    who: "utente|destinatario|indirizzo|casella|account",
    missing: "non esiste|inesistente|sconosciut[oa]|non (?:[eè] stat[oa] )?trovat[oa]|non valid[oa]",
  },
  {
    language: "Dutch",
    who: "gebruiker|ontvanger|geadresseerde|(?:e-?mail)?adres|mailbox|postvak",
    missing: "bestaat niet|onbekend|niet (?:gevonden|bekend)|ongeldig",
  },
  {
    language: "Swedish",
    who: "anv(?:ä|ae)ndare|mottagare|adress|brevl(?:å|aa)da|konto",
    missing: "finns inte|ok(?:ä|ae)nd|hittades inte|existerar inte|ogiltig",
  },
  {
    language: "Danish and Norwegian",
    who: "bruger|bruker|modtager|mottaker|adresse|postkasse|konto",
    missing: "findes ikke|finnes ikke|ukendt|ukjent|ikke fundet|ikke funnet|eksisterer ikke|ugyldig",
  },
  {
    language: "Finnish",
    who: "k[aä]ytt[aä]j|vastaanottaja|osoite|postilaatikko",
    missing: "ei (?:l[oö]ydy|ole olemassa|l[oö]ytynyt)|tuntematon|virheellinen",
  },
  {
    language: "Hungarian",
    who: "c[ií]mzett|felhaszn[aá]l|postafi[oó]k|e-?mail c[ií]m",
    missing: "nem (?:l[eé]tezik|tal[aá]lhat)|ismeretlen|[eé]rv[eé]nytelen",
  },
  {
    language: "Polish",
    who: "u[żz]ytkownik|odbiorc|adres|skrzynk|kont[oa]\\b",
    missing: "nie (?:istnieje|znaleziono)|nieznan|nie ma takiego|nieprawid[łl]ow|nieistniej",
  },
  {
    language: "Czech and Slovak",
    who: "u[žz]ivatel|pou[žz][ií]vate[lľ]|p[řr][ií]jemc|adres|schr[aá]nk",
    missing: "neexistuje|nezn[aá]m|nenalezen|nen[aá]jden|neplatn",
  },
  {
    language: "Romanian",
    who: "utilizator|destinatar|adres[aă]|c[aă]su[tț]|cont(?:ul)?\\b",
    missing: "nu exist[aă]|necunoscut|nu a fost g[aă]sit|invalid",
  },
  {
    language: "Turkish",
    who: "kullan[ıi]c[ıi]|al[ıi]c[ıi]|adres|posta kutusu|hesap",
    missing: "bulunamad[ıi]|bulunmuyor|ge[cç]ersiz|mevcut de[gğ]il|bilinmeyen|b[oö]yle bir|\\byok\\b",
  },
  {
    language: "Greek",
    who: "χρήστη|παραλήπτη|διεύθυνση|λογαριασμ|γραμματοκιβώτιο",
    missing: "δεν (?:υπάρχει|βρέθηκε)|άγνωστ|άκυρ|μη έγκυρ",
  },
  {
    language: "Russian, Ukrainian, Bulgarian and Serbian",
    who: "пользовател|получател|адресат|адрес|ящик|уч[её]тн|користувач|отримувач|одержувач|скриньк|потребител|кутия|прима[оч]|налог",
    missing:
      "не (?:найден|существует|знайден|існує|съществува|(?:е )?намерен|постоји|пронађен)|неизвест|невідом|непознат|неверн|нет так|такого (?=[^.\\n]{0,30} нет(?![а-я]))|немає так",
  },
  {
    language: "Arabic",
    who: "المستخدم|مستخدم|المستلم|مستلم|عنوان|العنوان|البريد|صندوق|الحساب",
    missing: "غير (?:موجود|معروف|صالح)|لا يوجد|لم يتم العثور",
  },
  {
    language: "Persian",
    who: "کاربر|گیرنده|نشانی|آدرس|صندوق",
    missing: "یافت نشد|وجود ندارد|ناشناخته|نامعتبر",
  },
  {
    language: "Hebrew",
    who: "משתמש|נמען|כתובת|תיבת|חשבון",
    missing: "לא (?:קיים|קיימת|נמצא|נמצאה|מוכר|תקין|תקינה)|אינ[וה] קיי",
  },
  {
    language: "Hindi",
    who: "उपयोगकर्ता|प्राप्तकर्ता|पता|खाता|मेलबॉक्स",
    missing: "नहीं मिल|मौजूद नहीं|अज्ञात|अमान्य",
  },
  { language: "Thai", who: "ผู้ใช้|ผู้รับ|ที่อยู่|กล่องจดหมาย|บัญชี", missing: "ไม่พบ|ไม่มี|ไม่รู้จัก|ไม่ถูกต้อง" },
  {
    language: "Vietnamese",
    who: "người dùng|người nhận|địa chỉ|hộp thư|tài khoản",
    missing: "không (?:tồn tại|tìm thấy|hợp lệ|xác định)",
  },
  {
    language: "Indonesian and Malay",
    who: "pengguna|penerima|alamat|kotak surat|akun|akaun",
    missing: "tidak (?:ditemukan|ada|dikenal|dijumpai|wujud|valid|sah)",
  },
  {
    language: "Chinese",
    who: "用[户戶]|使用者|收件[人者]|[邮郵信]箱|地址|[帐賬账帳][号號户戶]",
    missing: "不存在|未找到|找不到|无此|無此|无效|無效|不正确|不正確",
  },
  {
    language: "Japanese",
    who: "ユーザー?|受信者|宛先|アドレス|メールボックス|アカウント",
    missing: "存在しません|見つかりません|不明|無効|存在しない",
  },
  {
    language: "Korean",
    who: "사용자|수신자|받는 ?사람|메일 ?주소|계정|편지함|메일함",
    missing: "찾을 수 없|존재하지 않|알 수 없|없는|잘못된",
  },
];

/** Words for whom a mail is from, in the languages above: an unknown one says nothing of the recipient. */
const SENDER_WORDS =
  "sender|absender|exp[eé]diteur|remitente|remetente|mittente|afzender|avs[aä]ndare|afsender|avsender|l[aä]hett[aä]j|felad[oó]|nadawc|odes[ií]latel|odosielate|expeditor|g[oö]nderen|αποστολ|отправител|відправник|подател|пошиљал|المرسل|فرستنده|שולח|प्रेषक|ผู้ส่ง|người gửi|pengirim|发件人|寄件[人者]|發件人|送信者|差出人|보낸 ?사람|발신자";

const MISSING = WORDINGS.map(({ missing }) => missing).join("|");

/** An IP address is nobody's. */
const somebody = (who: string): string => `(?<!\\bip[- ]?)(?:${who})(?![- ]{0,2}ip\\b)`;

/** A sender that is unknown or invalid, in any of the languages. */
export const UNKNOWN_SENDER = new RegExp(
  `(?:${SENDER_WORDS})[^.。\\n]{0,60}(?:${MISSING})|(?:${MISSING})[^.。\\n]{0,30}(?:${SENDER_WORDS})`,
  "i",
);

/** Nobody has the address: one pattern per language, in either order of words. */
export const UNKNOWN_USERS: readonly RegExp[] = WORDINGS.map(
  ({ who, missing }) =>
    new RegExp(
      `${somebody(who)}[^.。\\n]{0,60}(?:${missing})|(?:${missing})[^.。\\n]{0,30}${somebody(who)}`,
      "i",
    ),
);
