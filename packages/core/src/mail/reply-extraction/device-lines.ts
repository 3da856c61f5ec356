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
/** Names that only devices, mail programs and their makers have. */
const NAMES =
  /iphon|ipad|ipod|apple|android|samsung|galaxy|huawei|\bhonor\b|xiaomi|redmi|oppo|blackberry|nokia|sony|xperia|htc|motorola|oneplus|pixel|wiko|fairphone|outlook|yahoo|\baol\b|gmail|gmx|web\.de|ukr\.net|proton|windows|macbook|\bimac\b|chromebook|thinkpad|kindle|lumia|\bmoto\b|realme|vivo|alcatel|lenovo|nexus|\bzte\b|\basus\b|\blg\b|verizon|t-mobile|at&t|vodafone|airmail|sparrow|thunderbird|bluemail|mailbird|superhuman|smartphon|айфон|смартфон|почт|אייפון|آیفون|گوشی|手机|手機|网易|郵件|邮件|邮箱|메일|갤럭시|스마트폰/;
/** Names that have other meanings, too: "sent from the mobile library". */
const NOUNS =
  /mobil|phone|telefon|téléphone|teléfono|celular|móvil|cellulare|handy\b|handheld|tablet|\bmac\b|laptop|notebook|\bpc\b|computer|ordinateur|rechner|ordenador|watch|device|gerät|appareil|dispositivo|wireless|orange|spark|surface|телефон|мобільн/;
/** Means of sending that name no device by themselves: "sent by e-mail". */
const MEANS = /\b(?:e-?mail|mail)\b/;
const ANY_NAMES = new RegExp(`${NAMES.source}|${NOUNS.source}|${MEANS.source}`, "gu");
const OWN =
  /(?<!\p{L})(?:my|mein\p{L}*|mon|ma|mi|meu|minha|mio|mia|mijn|min|mitt|moj\p{L}*|mého|môjho|мо[ейгё]\p{L}*|мого|mea)(?!\p{L})/u;
/** What may follow the name of a device: a sentence of its own, a link, or nothing. */
const ENDS_NAME = /^[^\s.,;:!]*(?:$|[.,;:!](?: |$)|\s*[([<|–—-]|\s+(?:app|network|device|powered)(?!\p{L}))/u;
/** What may follow a maker's or a program's name, too: a word, a model, a platform. */
const CONTINUES_NAME =
  /^\S*\s+(?:\S+$|\S*\d|(?:on|for|using|via|with|by|from|to|running|über|für|mit|pour|avec|sur|para|con|com|no|per|su|voor|met|op|dla|na|pre|pro|pentru|til|för|med|для|на|від|الخاص)\s)/u;
/** "Sent from the plans mailing list archive": where a list keeps it, not what it was written on. */
const LISTS = /mailing[ -]list|\barchives?\b/;
const MAX_CHARS = 100;
const MAX_WORDS = 12;
/** The words between "sent from" and the name of the device: "my new Samsung". */
const WORDS_BEFORE_NAME = 3;
/** The characters after the first words in which "my" stands. */
const OWN_CHARS = 12;

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
  const named = NAMES.exec(words) ?? NOUNS.exec(words);
  if (named === null) return false;
  if (begins === undefined) return count <= 7;
  // "Sent from the Oslo office by mail": what was sent, not what it was written on.
  if (wordsBefore(named.index - begins.length, words.slice(begins.length)) > WORDS_BEFORE_NAME) return false;
  if (!ends && !isOfDevice(words, begins.length)) return false;
  return !/^(?:iphone|ipad|android|내|나의|मेरे|az iphone)/.test(begins) || ends;
}

/** Whether a line says no more than the name of the writer's own device, or of another one and its kind. */
function isOfDevice(words: string, begins: number): boolean {
  if (OWN.test(words.slice(0, begins + OWN_CHARS))) return true;
  let end = 0;
  for (const { 0: name, index } of words.matchAll(ANY_NAMES)) end = Math.max(end, index + name.length);
  const rest = words.slice(end);
  return ENDS_NAME.test(rest) || (NAMES.test(words) && CONTINUES_NAME.test(rest));
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
