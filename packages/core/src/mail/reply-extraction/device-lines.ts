import { inEachLanguage } from "../words/index.ts";

const DEVICE_WORDS = inEachLanguage("devices").map(({ words }) => words);

const LEADS_BY_LETTER = Map.groupBy(
  DEVICE_WORDS.flatMap((row) => row.leads),
  (lead) => lead.charAt(0),
);
const TAILS_BY_LAST_LETTER = Map.groupBy(
  DEVICE_WORDS.flatMap((row) => row.tails),
  (tail) => tail.charAt(tail.length - 1),
);
const NAMES =
  /iphon|ipad|ipod|apple|android|samsung|galaxy|huawei|honor|xiaomi|redmi|oppo|blackberry|nokia|sony|xperia|htc|motorola|oneplus|pixel|wiko|fairphone|outlook|yahoo|\bmail\b|e-mail|aol|gmail|gmx|web\.de|proton|windows|mobile|mobil|phone|telefon|téléphone|teléfono|celular|móvil|cellulare|handy|handheld|tablet|tablette|macbook|\bimac\b|\bmac\b|laptop|notebook|chromebook|thinkpad|\bpc\b|computer|ordinateur|rechner|ordenador|watch|kindle|lumia|\bmoto\b|realme|vivo|alcatel|lenovo|nexus|\bzte\b|\basus\b|\blg\b|device|gerät|appareil|dispositivo|verizon|wireless|t-mobile|at&t|orange|vodafone|spark|airmail|sparrow|thunderbird|bluemail|mailbird|surface|superhuman|айфон|телефон|смартфон|мобільн|почт|אייפון|آیفون|گوشی|手机|手機|网易|郵件|邮件|邮箱|메일|갤럭시|스마트폰/;
/** "Sent from the plans mailing list archive": where a list keeps it, not what it was written on. */
const LISTS = /mailing[ -]list|\barchives?\b/;
const MAX_CHARS = 100;
const MAX_WORDS = 12;
/** The words between "sent from" and the name of the device: "my new Samsung". */
const WORDS_BEFORE_NAME = 3;

/** Whether the line (as `bare`) was added by a device or mail program, such as "Sent from my iPhone". */
export function isDeviceLine(bare: string): boolean {
  if (bare.length > MAX_CHARS + 200 || bare.length < 6) return false;
  const words = (bare.includes("http") ? bare.replace(/[<([]?https?:\/\/\S*/, "") : bare)
    .trim()
    .replace(/[.。]$/, "");
  if (words.length > MAX_CHARS || words.endsWith("?")) return false;
  const begins = leadOf(words);
  const ends = hasTail(words);
  // Nearly every line stops here; the rest is slower.
  if (begins === undefined && !ends) return false;
  if (LISTS.test(words)) return false;
  const count = words.split(" ").length;
  if (count > MAX_WORDS) return false;
  const named = NAMES.exec(words);
  if (named === null) return false;
  if (begins === undefined) return count <= 7;
  // "Sent from the Oslo office by mail": what was sent, not what it was written on.
  if (wordsBefore(named.index - begins.length, words.slice(begins.length)) > WORDS_BEFORE_NAME) return false;
  return !/^(?:iphone|ipad|android|내|나의|मेरे|az iphone)/.test(begins) || ends;
}

const wordsBefore = (end: number, text: string): number =>
  end <= 0
    ? 0
    : text
        .slice(0, end)
        .split(" ")
        .filter((word) => word !== "").length;

function leadOf(words: string): string | undefined {
  for (const lead of LEADS_BY_LETTER.get(words.charAt(0)) ?? []) if (words.startsWith(lead)) return lead;
  return undefined;
}

function hasTail(words: string): boolean {
  for (const tail of TAILS_BY_LAST_LETTER.get(words.charAt(words.length - 1)) ?? [])
    if (words.endsWith(tail)) return true;
  return false;
}
