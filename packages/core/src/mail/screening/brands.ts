import { organisationOf } from "./hosts.ts";
import { oneSlipOff } from "./slips.ts";

interface Brand {
  name: string;
  words: readonly string[];
  labels: readonly string[];
}

/**
 * Brands that phishing imitates, with the words that show them in a display name and the labels of their own
 * domains. A brand that is an everyday word only matches with its companion ("chase bank", never "chase").
 */
const BRANDS: readonly Brand[] = [
  ...`paypal netflix facebook instagram whatsapp linkedin dropbox docusign adobe coinbase binance metamask blockchain kraken ledger trezor
  dhl fedex usps spotify walmart costco ebay mastercard mcafee norton santander bradesco itau nubank hsbc barclays citibank
  revolut steam roblox telegram tiktok snapchat wetransfer sharepoint onedrive office365 outlook icloud itunes postbank sparkasse commerzbank
  comdirect ameli chronopost laposte correos correios unicredit swisscom vodafone verizon comcast xfinity alibaba aliexpress
  rakuten mercari opensea phantom trustwallet bitpay godaddy cpanel zimbra roundcube quickbooks intuit zelle cashapp venmo klarna
  mercadolivre mercadopago livelo telstra bbva bancolombia walletconnect uphold posteitaliane posteinfo magalu serasa postnl bpost hermes evri lidl aldi booking airbnb inpost rabobank
  belastingdienst caixabank postfinance robinhood`
    .split(/\s+/u)
    .map((name) => ({
      name,
      words: [name],
      labels: [name],
    })),
  {
    name: "microsoft",
    words: ["microsoft", "office 365", "microsoft 365"],
    labels: ["microsoft", "office", "office365", "outlook", "live"],
  },
  { name: "amazon", words: ["amazon"], labels: ["amazon", "amazonses", "amazonaws", "aws", "audible"] },
  {
    name: "google",
    words: ["google", "gmail"],
    labels: ["google", "gmail", "youtube", "googlemail", "withgoogle"],
  },
  {
    name: "apple",
    words: ["apple id", "apple support", "apple pay", "apple inc", "apple security"],
    labels: ["apple", "icloud", "itunes"],
  },
  {
    name: "meta",
    words: ["meta business", "meta support", "meta security"],
    labels: ["meta", "facebook", "facebookmail", "metamail"],
  },
  { name: "ups", words: ["ups delivery", "ups express", "ups shipping", "ups"], labels: ["ups"] },
  { name: "wells fargo", words: ["wells fargo", "wellsfargo"], labels: ["wellsfargo"] },
  { name: "chase", words: ["chase bank", "jpmorgan"], labels: ["chase", "jpmorgan", "jpmchase"] },
  { name: "bank of america", words: ["bank of america", "bankofamerica"], labels: ["bankofamerica", "bofa"] },
  {
    name: "american express",
    words: ["american express", "amex"],
    labels: ["americanexpress", "aexp", "amex"],
  },
  { name: "geek squad", words: ["geek squad", "best buy"], labels: ["bestbuy", "geeksquad"] },
  { name: "home depot", words: ["home depot"], labels: ["homedepot"] },
  { name: "trust wallet", words: ["trust wallet"], labels: ["trustwallet"] },
  { name: "deutsche bank", words: ["deutsche bank"], labels: ["deutsche-bank", "db"] },
  { name: "banco do brasil", words: ["banco do brasil"], labels: ["bb"] },
  { name: "caixa", words: ["caixa economica"], labels: ["caixa"] },
  { name: "credit agricole", words: ["credit agricole"], labels: ["credit-agricole", "ca"] },
  { name: "australia post", words: ["australia post", "auspost"], labels: ["auspost"] },
  { name: "royal mail", words: ["royal mail"], labels: ["royalmail"] },
  { name: "hmrc", words: ["hmrc"], labels: ["hmrc", "service"] },
  { name: "ing", words: ["ing", "ing bank"], labels: ["ing", "ingbank"] },
  { name: "госуслуги", words: ["госуслуги"], labels: ["gosuslugi"] },
  { name: "abn amro", words: ["abn amro"], labels: ["abnamro"] },
  { name: "canada post", words: ["canada post"], labels: ["canadapost", "canadapost-postescanada"] },
  { name: "state farm", words: ["state farm"], labels: ["statefarm"] },
];

/** Labels that are everyday words: inside another domain they prove nothing. */
const EVERYDAY: ReadonlySet<string> = new Set([
  "office",
  "outlook",
  "hermes",
  "ledger",
  "phantom",
  "booking",
  "blockchain",
  "norton",
  "uphold",
]);

/** Shorter labels are part of too many honest names. */
const LEAST_MARK_CHARS = 6;

/** Labels distinctive enough to look for inside other domains. */
const MARKED: ReadonlySet<string> = new Set(
  BRANDS.flatMap((brand) => brand.labels).filter(
    (label) => label.length >= LEAST_MARK_CHARS && !EVERYDAY.has(label),
  ),
);

/** A name one typo away from a shorter one is usually a word of its own. */
const LEAST_SLIP_CHARS = 7;

/** People notice a typo in the first letter, so it is not looked for. */
const MARKS_BY_LETTER = Map.groupBy(
  [...MARKED].filter((mark) => mark.length >= LEAST_SLIP_CHARS),
  (mark) => mark.charAt(0),
);

/** The brands by the first of their words, in list order. */
const BY_FIRST_WORD = Map.groupBy(
  BRANDS.flatMap((brand, rank) => brand.words.map((words) => ({ brand, rank, words: ` ${words} ` }))),
  ({ words }) => words.split(" ", 2)[1],
);

/** The brand named in a display name (folded), or null. */
export function brandNamed(foldedName: string): Pick<Brand, "name" | "labels"> | null {
  const words = foldedName.split(/[^\p{L}\p{N}]+/u);
  const padded = ` ${words.join(" ")} `;
  let first: { brand: Brand; rank: number } | null = null;
  for (const word of words)
    for (const shown of BY_FIRST_WORD.get(word) ?? [])
      if (shown.rank < (first?.rank ?? BRANDS.length) && padded.includes(shown.words)) first = shown;
  return first === null ? null : first.brand;
}

/**
 * Whether a host belongs to a brand: the first label of its organisational domain is, or contains as a part,
 * one of the brand's labels.
 */
export function belongsTo(host: string, labels: readonly string[]): boolean {
  const first = organisationOf(host).split(".")[0] ?? "";
  return labels.some(
    (label) =>
      first === label ||
      (label.length >= 5 && first.startsWith(label) && !first.slice(label.length).includes("-")),
  );
}

/**
 * The brand label that a host imitates, or null: the label in front of another organisation
 * (`paypal.com.example.net`), inside a longer name (`secure-paypal-login.example`) or one letter off
 * (`paypa1.example`).
 */
export function imitatedBy(host: string): string | null {
  const first = organisationOf(host).split(".")[0] ?? "";
  if (MARKED.has(first)) return null;
  const plain = first
    .replace(/[0134578]/g, (digit) => DIGIT_LETTERS[digit] ?? digit)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  const part = [...host.split(/[.-]/), ...plain.split("-")].find((one) => MARKED.has(one));
  return part ?? (MARKS_BY_LETTER.get(first.charAt(0)) ?? []).find((mark) => oneSlipOff(first, mark)) ?? null;
}

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "l", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };
