/** Common words of a language, and the syllables that its rarer words are made of. */
interface Language {
  common: string;
  syllables: string;
}

const LANGUAGES: readonly Language[] = [
  {
    common: "the and to of a in is you that it for we on with this be please thanks order meeting",
    syllables: "ba con der ell fin gra hol ing jus ket lor men ner out pre qua ris ster tion ver",
  },
  {
    common: "der die und das ist nicht wir sie mit auf für bitte danke ein eine Termin Rechnung",
    syllables: "ab ber chen dorf ein fahr ge haus ig keit lich mach nung ober pf rück schaft tung ung zeit",
  },
  {
    common: "le la les et de un une est pour nous vous dans avec merci bonjour facture réunion",
    syllables: "ai ban ceau dou eur fra ger homme ier jour lon ment ner oir pau que ron sion té vous",
  },
  {
    common: "el la los y de que en un una es por con gracias hola factura reunión para",
    syllables: "al ban cion do es fue gar hor ito jun lla men nuev ora per que rra sión tar ver",
  },
  {
    common: "il la e di che è un una per con non grazie ciao fattura riunione sono",
    syllables: "ba ca do enza fi gli ino la mente ne ora per qua ri sta to u vo zione gi",
  },
  {
    common: "o a os e de que em um uma é por com obrigado olá fatura reunião para",
    syllables: "al bra ção do ente fei gui lha men não ou pre que ri são ta ver zinho mar lei",
  },
  {
    common: "de het een en van is dat niet wij u met op bedankt factuur afspraak voor",
    syllables: "aan bij cht daar een ge heid ij kaar lijk moe nen oor pr rij sch tie uit ver wer",
  },
  {
    common: "i w na z do nie jest się to że dla proszę dziękuję faktura spotkanie",
    syllables: "ba cie dzi ek for gra ho jak kow ła mie nie ość prze rz szy ta wać yw zna",
  },
  {
    common: "och att det i en är som på för med inte tack faktura möte vi",
    syllables: "an bar delse en för gre het ing jor kan lig ma ning om på rätt sk till und vär",
  },
  {
    common: "og at det i en er som på for med ikke takk faktura møte vi",
    syllables: "av ber delse en for gjø het ing ka lig mer ning opp på rett sam ti und ver år",
  },
  {
    common: "ja on ei se että hän me te kiitos lasku kokous kanssa mutta",
    syllables: "aa en ha in jä kau la mi nen on pää ra sta tä uus va yh öl ksi lla",
  },
  {
    common: "ve bir bu için ile değil biz siz teşekkürler fatura toplantı çok",
    syllables: "al bay ci de en ge han ik ka lar mek ni ol pa ra siz tir un ver yor",
  },
  {
    common: "и в не на что это мы вы с для спасибо счёт встреча пожалуйста",
    syllables: "ав бо ва го де ен за ин ка ла ми на ов пре ра ста тель уч ход ция",
  },
  {
    common: "і в не на що це ми ви з для дякую рахунок зустріч будь ласка",
    syllables: "ав бо ва го де ен за ін ка ла ми на ов пре ра ста тель уч хід ція",
  },
  {
    common: "και το να η ο δεν είναι για με σας ευχαριστώ τιμολόγιο συνάντηση",
    syllables: "αν βα γο δε εν ζω η θε ιν κα λο μα νο ου πρ ρα στ τη υπ ωσ",
  },
  {
    common: "و في من على أن هذا مع شكرا فاتورة اجتماع نحن لا",
    syllables: "ال با تا جم حس خر دو را سل شر صن طل عم فق قد كت لم من نه وي",
  },
  {
    common: "של את לא על זה אני אנחנו עם תודה חשבונית פגישה",
    syllables: "אב בר גד דל הו וי זמ חש טו יל כת לב מן נו סד על פר צה קו רש",
  },
  {
    common: "और में है की के यह हम आप धन्यवाद चालान बैठक नहीं",
    syllables: "आव बा चल दे एक फल गा हर इन जा का ला मा ना ओर पर रा सा ता वि",
  },
  {
    common: "的 了 在 是 我们 您 谢谢 发票 会议 请 不 和",
    syllables: "安 北 城 大 方 工 海 家 开 来 明 年 平 前 人 上 天 文 新 中",
  },
  {
    common: "の は に を です ます ありがとう 請求書 会議 私 お願い",
    syllables:
      "あい かい さく たん なか はや まち やま らく わた いち うみ えき おと きた くも けさ こと した すず",
  },
];

const RARE_WORDS = 4_000;
const COMMON_SHARE = 0.45;

/** The number of languages. */
export const LANGUAGE_COUNT = LANGUAGES.length;

/** Generates a text of about `chars` characters in a language, in lines as in a mail. */
export function generateText(random: () => number, language: number, chars: number): string {
  const { common, syllables } = LANGUAGES[language % LANGUAGE_COUNT] as Language;
  const words = common.split(" ");
  const parts = syllables.split(" ");
  const lines: string[] = [];
  let line = "";
  let length = 0;
  while (length < chars) {
    const word =
      random() < COMMON_SHARE
        ? (words[Math.floor(random() ** 2 * words.length)] ?? "")
        : RARE_WORD(random, parts);
    line += line === "" ? word : ` ${word}`;
    if (line.length < 70) continue;
    lines.push(random() < 0.15 ? `${line}.\n` : line);
    length += line.length + 1;
    line = "";
  }
  return lines.join("\n");
}

/** Picks one of a few thousand words, with a skewed frequency like that of real words. */
function RARE_WORD(random: () => number, parts: readonly string[]): string {
  let rank = Math.floor(random() ** 3 * RARE_WORDS) + parts.length;
  let word = "";
  while (rank > 0) {
    word += parts[rank % parts.length] ?? "";
    rank = Math.floor(rank / parts.length);
  }
  return word;
}
