import { deviceWords } from "./device-words.ts";

const leads = deviceWords.flatMap((row) => row.leads);
const tails = deviceWords.flatMap((row) => row.tails);
const NAMES =
  /iphon|ipad|ipod|apple|android|samsung|galaxy|huawei|honor|xiaomi|redmi|oppo|blackberry|nokia|sony|xperia|htc|motorola|oneplus|pixel|wiko|fairphone|outlook|yahoo|\bmail\b|e-mail|aol|gmail|gmx|web\.de|proton|windows|mobile|mobil|phone|telefon|téléphone|teléfono|celular|móvil|cellulare|handy|handheld|tablet|tablette|verizon|wireless|t-mobile|at&t|orange|vodafone|spark|airmail|sparrow|thunderbird|bluemail|mailbird|surface|superhuman|айфон|телефон|смартфон|почт|手机|手機/;
const MY =
  /^(?:sent from my|von meinem|envoyé de mon|enviado desde mi|enviado do meu|inviato dal mio|verstuurd vanaf mijn|verzonden vanaf mijn|sendt fra min|skickat från min|发自我的|從我的|从我的) /;
const MAX_CHARS = 100;
const MAX_WORDS = 12;

/** Whether the line (as `bare`) is one that a device or mail program added, such as "Sent from my iPhone". */
export function isDeviceLine(bare: string): boolean {
  if (bare.length > MAX_CHARS + 200 || bare.length < 6) return false;
  const words = bare.replace(/[<([]?https?:\/\/\S*/, "").trim();
  if (words.length > MAX_CHARS || words.split(" ").length > MAX_WORDS || words.endsWith("?")) return false;
  if (MY.test(words) && words.split(" ").length <= MAX_WORDS - 3) return true;
  if (!NAMES.test(words)) return false;
  const begins = leads.find((lead) => words.startsWith(lead));
  if (begins === undefined) return tails.some((tail) => words.endsWith(tail)) && words.split(" ").length <= 7;
  return !/^(?:iphone|ipad|android|내|나의|मेरे|az iphone)/.test(begins) || tails.some((tail) => words.endsWith(tail));
}
