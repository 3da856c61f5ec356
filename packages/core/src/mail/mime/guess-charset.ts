interface Guess {
  charset: string;
  /** The most frequent letters of text in this charset. */
  frequent: RegExp;
  /** All usual letters of such text, including the frequent ones. */
  usual: RegExp;
  reason: string;
}

/** Bytes examined: enough for any subject, and for a body to show its language. */
const SAMPLE_BYTES = 4_000;
/** Fewer bytes above 0x7f than this prove nothing. */
const MIN_HIGH_BYTES = 4;
/** The lead over Western European that a guess must score. */
const MARGIN = 0.2;

const HAN = "\u4e00-\u9fff";
const CJK_POINTS = "\u3000-\u3011\uff01-\uff1f《》“”…—";
const SIMPLIFIED =
  "的一是不了在有人我他这们中来上大为和国地到以说时要就出会可也你对生能子那得于着下自之年过发后作里用道行所然家事成方多经么去如都同现没动面起看定天分还进好小部其些主样开本新请问您收通知发票订单公司账号密码验证会议确认";
const TRADITIONAL =
  "的一是不了在有人我他這們中來上大為和國地到以說時要就出會可也你對生能子那得於著下自之年過發後作里用道行所然家事成方多經麼去如都同現沒動面起看定天分還進好小部其些主樣開本新請問您收通知票訂單公司帳號密碼驗證會議確認";
const SYLLABLES =
  "이다는에하고의을를가로사인지합습니한은도어기서시자아요안세녕해그나리대들일수있정보주문메확부스게과으전여성제신장라";

const between = (letters: string): RegExp =>
  new RegExp(`(?<=[a-z])[${letters}]|[${letters}](?=[a-z])`, "giu");
const anyOf = (letters: string): RegExp => new RegExp(`[${letters}]`, "gu");
const words = (upper: string, lower: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:[${upper}]?[${lower}]+|[${upper}]{2,})(?!\\p{L})`, "gu");

const LATIN_POINTS = "–—‘’“”„…€°§«»\u00a0";
const CYRILLIC = { frequent: anyOf("оеаинтсрвлкмОЕАИНТСРВЛКМ"), usual: words("А-ЯЁІЇЄҐ", "а-яёіїєґ") };
const KANA = { frequent: anyOf("ぁ-んァ-ヶー"), usual: anyOf(`ぁ-んァ-ヶー々${HAN}${CJK_POINTS}`) };

/**
 * The charsets of mail and the letters of text in them. Text decoded in the wrong charset has letters that occur in no
 * word.
 */
const GUESSES: readonly Guess[] = [
  {
    charset: "windows-1250",
    frequent: between("ąćęłńśźżěščřžýáíéůúňťďőűóöüăâîșț"),
    usual: anyOf(`\u00c0-\u017e${LATIN_POINTS}`),
    reason: "Central European: in windows-1252 signs stand within its words",
  },
  {
    charset: "iso-8859-2",
    frequent: between("ąćęłńśźżěščřžýáíéůúňťďőűóöüăâî"),
    usual: anyOf("\u00c0-\u017e\u00a0"),
    reason: "the same before Windows; ą, ś, š and ž stand elsewhere",
  },
  {
    charset: "windows-1254",
    frequent: between("çğıöşüİâî"),
    usual: anyOf(`\u00c0-\u017e${LATIN_POINTS}`),
    reason: "Turkish: in windows-1252 ğ, ı and ş are letters of Iceland",
  },
  { charset: "windows-1251", ...CYRILLIC, reason: "Cyrillic of Windows" },
  {
    charset: "koi8-u",
    ...CYRILLIC,
    reason: "Cyrillic of Unix, whose capitals are the others' small letters",
  },
  { charset: "iso-8859-5", ...CYRILLIC, reason: "Cyrillic of the standard" },
  { charset: "ibm866", ...CYRILLIC, reason: "Cyrillic of MS-DOS" },
  {
    charset: "windows-1253",
    frequent: anyOf("αοιετσνηυρπκμλςάέήίόύώ"),
    usual: words("Α-ΩΆΈΉΊΌΎΏ", "α-ωάέήίόύώϊϋΐΰ"),
    reason: "Greek",
  },
  { charset: "windows-1255", frequent: anyOf("יוהלאמרתבשנ"), usual: anyOf("א-ת"), reason: "Hebrew" },
  {
    charset: "windows-1256",
    frequent: anyOf("اليمنرتوبدعسقةهفك"),
    usual: anyOf("\u0621-\u064aپچژگ،؟"),
    reason: "Arabic, Persian",
  },
  {
    charset: "gb18030",
    frequent: anyOf(SIMPLIFIED),
    usual: anyOf(HAN + CJK_POINTS),
    reason: "simplified Chinese",
  },
  {
    charset: "big5",
    frequent: anyOf(TRADITIONAL),
    usual: anyOf(HAN + CJK_POINTS),
    reason: "traditional Chinese",
  },
  { charset: "euc-kr", frequent: anyOf(SYLLABLES), usual: anyOf("가-힣"), reason: "Korean" },
  { charset: "euc-jp", ...KANA, reason: "Japanese of Unix: half of it is kana" },
  { charset: "shift_jis", ...KANA, reason: "Japanese of Windows" },
];

const WESTERN: Guess = {
  charset: "windows-1252",
  frequent: between("äöüßéèêëàâáãåæçñìíîïòóôõøùúûœ"),
  usual: anyOf(`\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff${LATIN_POINTS}`),
  reason: "Western European, which most mail without a charset is",
};

/**
 * The most likely charset of bytes that are not UTF-8: `windows-1252` unless another one clearly fits better.
 */
export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.reduce((count, byte) => count + (byte >> 7), 0) < MIN_HIGH_BYTES) return WESTERN.charset;
  const best = GUESSES.map((guess) => ({ charset: guess.charset, score: scoreOf(guess, sample) })).reduce(
    (a, b) => (b.score > a.score ? b : a),
  );
  return best.score > scoreOf(WESTERN, sample) + MARGIN ? best.charset : WESTERN.charset;
}

/**
 * Scores a guess from 0 to 1: the shares of usual and frequent letters combined; 0 when the bytes are invalid in the
 * charset.
 */
function scoreOf({ charset, frequent, usual }: Guess, sample: Uint8Array): number {
  const text = strictly(sample, charset);
  if (text === null) return 0;
  const all = lengthIn(text, /[^\x00-\x7f]/g);
  return (0.6 * lengthIn(text, frequent) + 0.4 * lengthIn(text, usual)) / Math.max(1, all);
}

function strictly(bytes: Uint8Array, charset: string): string | null {
  try {
    // The sample may end in the middle of a character.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function lengthIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.reduce((length, match) => length + match.length, 0) ?? 0;
}
