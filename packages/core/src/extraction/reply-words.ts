/** How mail clients introduce what is answered, in one language: the words that begin the line, and the verbs in it. */
export interface ReplyWords {
  language: string;
  leads: readonly string[];
  verbs: readonly string[];
  reason: string;
}

/** "On … wrote:" by language. The verb decides; the lead says where a folded header begins. */
export const replyWords: readonly ReplyWords[] = [
  { language: "en", leads: ["on"], verbs: ["wrote", "writes", "said"], reason: "Gmail, Apple Mail, Thunderbird" },
  {
    language: "de",
    leads: ["am"],
    verbs: ["schrieb", "geschrieben", "hat geschrieben"],
    reason: "Gmail sets the verb before the date",
  },
  {
    language: "fr",
    leads: ["le"],
    verbs: ["a écrit", "a ecrit", "écrit"],
    reason: "Gmail, Apple Mail; a blank before the colon",
  },
  { language: "es", leads: ["el"], verbs: ["escribió", "escribio", "ha escrito"], reason: "Gmail: El …, a la(s) …, … escribió" },
  { language: "pt", leads: ["em", "a", "no dia", "no"], verbs: ["escreveu"], reason: "Gmail Em …, Apple Mail No dia …" },
  {
    language: "it",
    leads: ["il", "in data", "il giorno"],
    verbs: ["ha scritto", "scritto"],
    reason: "Gmail Il giorno …, AquaMail In data …",
  },
  {
    language: "nl",
    leads: ["op"],
    verbs: ["schreef", "geschreven", "het volgende geschreven"],
    reason: "Gmail schreef, Apple Mail heeft … geschreven",
  },
  {
    language: "pl",
    leads: ["w dniu", "dnia", "dn."],
    verbs: ["napisał", "napisała", "napisał(a)", "pisze"],
    reason: "Gmail, Onet, Interia",
  },
  {
    language: "ru",
    leads: ["в"],
    verbs: ["написал", "написала", "написал(а)", "пишет", "писал"],
    reason: "Gmail, Mail.ru, Yandex",
  },
  { language: "uk", leads: ["о", "в"], verbs: ["пише", "написав", "написала", "написав(-ла)"], reason: "Gmail, ukr.net" },
  {
    language: "sv",
    leads: ["den", "på"],
    verbs: ["skrev", "skrev följande"],
    reason: "Gmail, Apple Mail; Danish and Norwegian too",
  },
  { language: "da", leads: ["den", "på"], verbs: ["skrev", "skrev følgende"], reason: "Gmail: Den … skrev …" },
  { language: "no", leads: ["den", "på"], verbs: ["skrev"], reason: "Apple Mail: Den … kl. … skrev …" },
  { language: "fi", leads: [], verbs: ["kirjoitti"], reason: "Gmail begins with the weekday" },
  { language: "cs", leads: ["dne"], verbs: ["napsal", "napsala", "napsal(a)"], reason: "Gmail, Seznam" },
  { language: "sk", leads: ["dňa", "dna"], verbs: ["napísal", "napísala", "napísal(a)"], reason: "Gmail, Azet" },
  { language: "hu", leads: [], verbs: ["ezt írta", "írta"], reason: "Gmail sets the name first" },
  { language: "ro", leads: ["pe", "în"], verbs: ["a scris"], reason: "Gmail: În …, … a scris" },
  { language: "bg", leads: ["на"], verbs: ["написа"], reason: "Gmail: На … написа" },
  {
    language: "hr",
    leads: ["dana"],
    verbs: ["napisao", "napisala", "napisao/la", "je napisao", "je napisao/la"],
    reason: "Gmail, also Serbian and Bosnian",
  },
  { language: "sl", leads: ["v", "dne"], verbs: ["je napisal", "je napisala", "je napisal/-a"], reason: "Gmail" },
  { language: "sr", leads: ["дана"], verbs: ["је написао", "је написао/ла"], reason: "Gmail, Cyrillic" },
  { language: "et", leads: [], verbs: ["kirjutas"], reason: "Gmail" },
  { language: "lv", leads: [], verbs: ["rakstīja"], reason: "Gmail" },
  { language: "lt", leads: [], verbs: ["rašė", "parašė"], reason: "Gmail" },
  { language: "el", leads: ["στις", "την"], verbs: ["έγραψε"], reason: "Gmail: Στις …, ο χρήστης … έγραψε" },
  { language: "tr", leads: [], verbs: ["yazdı", "şunu yazdı", "şunları yazdı"], reason: "Gmail: … tarihinde şunu yazdı" },
  { language: "ar", leads: ["في", "بتاريخ"], verbs: ["كتب", "كتبت", "كتب/كتبت", "كتب:"], reason: "Gmail; digits may be Arabic" },
  { language: "he", leads: ["בתאריך", "ב-", "ב"], verbs: ["כתב", "כתבה", "כתב/ה", "מאת"], reason: "Gmail: בתאריך … מאת …" },
  { language: "fa", leads: ["در", "در تاریخ"], verbs: ["نوشت", "نوشته"], reason: "Gmail; Persian digits" },
  { language: "hi", leads: [], verbs: ["ने लिखा"], reason: "Gmail" },
  { language: "vi", leads: ["vào", "ngày"], verbs: ["đã viết"], reason: "Gmail: Vào … đã viết" },
  { language: "id", leads: ["pada"], verbs: ["menulis"], reason: "Gmail, also Malay" },
  { language: "th", leads: ["เมื่อ", "ในวันที่"], verbs: ["เขียนว่า", "เขียน"], reason: "Gmail" },
  { language: "ca", leads: ["el dia", "el"], verbs: ["va escriure"], reason: "Gmail" },
  {
    language: "zh",
    leads: ["在", "于"],
    verbs: ["写道", "寫道", "写到", "來信", "撰寫"],
    reason: "Gmail, QQ, NetEase; no blanks between words",
  },
  {
    language: "ja",
    leads: [],
    verbs: ["のメール", "のメッセージ", "さんは書きました", "書きました", "wrote"],
    reason: "Gmail gives no verb, others these",
  },
  { language: "ko", leads: [], verbs: ["작성", "님이 작성", "님이 씀", "썼습니다"], reason: "Gmail: … 님이 작성" },
];

/** Who the writer is talking to: "you wrote" is prose unless a quote follows. */
export const proseSubjects: readonly string[] = [
  "you",
  "he",
  "she",
  "they",
  "we",
  "i",
  "du",
  "sie",
  "er",
  "vous",
  "tu",
  "il",
  "elle",
  "usted",
  "voi",
  "lei",
  "você",
  "jij",
  "u",
  "вы",
  "ты",
];
