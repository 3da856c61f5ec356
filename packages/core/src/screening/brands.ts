import { organisationOf } from "./hosts.ts";

/**
 * Names that phishing borrows, with the words that show them in a display name and the labels that their own domains contain.
 * A name that is an everyday word is only matched with its companion ("chase bank", never "chase").
 */
const BRANDS: ReadonlyArray<{ name: string; words: readonly string[]; labels: readonly string[] }> = [
  ...`paypal netflix facebook instagram whatsapp linkedin dropbox docusign adobe coinbase binance metamask blockchain kraken ledger trezor
  dhl fedex usps spotify walmart costco ebay mastercard mcafee norton santander bradesco itau nubank hsbc barclays citibank
  revolut steam roblox telegram tiktok snapchat wetransfer sharepoint onedrive office365 outlook icloud itunes postbank sparkasse commerzbank
  comdirect ameli chronopost laposte correos correios unicredit swisscom vodafone verizon comcast xfinity alibaba aliexpress
  rakuten mercari opensea phantom trustwallet bitpay godaddy cpanel zimbra roundcube quickbooks intuit zelle cashapp venmo klarna
  mercadolivre mercadopago livelo telstra bbva bancolombia walletconnect uphold posteitaliane magalu serasa postnl bpost hermes evri lidl aldi booking airbnb`
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
  { name: "google", words: ["google", "gmail"], labels: ["google", "gmail", "youtube", "googlemail", "withgoogle"] },
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
  { name: "american express", words: ["american express", "amex"], labels: ["americanexpress", "aexp", "amex"] },
  { name: "geek squad", words: ["geek squad", "best buy"], labels: ["bestbuy", "geeksquad"] },
  { name: "home depot", words: ["home depot"], labels: ["homedepot"] },
  { name: "trust wallet", words: ["trust wallet"], labels: ["trustwallet"] },
  { name: "deutsche bank", words: ["deutsche bank"], labels: ["deutsche-bank", "db"] },
  { name: "banco do brasil", words: ["banco do brasil"], labels: ["bb"] },
  { name: "caixa", words: ["caixa economica"], labels: ["caixa"] },
  { name: "credit agricole", words: ["credit agricole"], labels: ["credit-agricole", "ca"] },
  { name: "australia post", words: ["australia post", "auspost"], labels: ["auspost"] },
  { name: "royal mail", words: ["royal mail"], labels: ["royalmail"] },
  { name: "state farm", words: ["state farm"], labels: ["statefarm"] },
];

/** Labels that are everyday words: they prove nothing inside another domain. */
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

/** Labels long and odd enough to be looked for inside other domains. */
const MARKS: readonly string[] = [...new Set(BRANDS.flatMap((brand) => brand.labels))].filter(
  (label) => label.length >= LEAST_MARK_CHARS && !EVERYDAY.has(label),
);

/** The brand whose name stands in a display name (folded), or null. */
export function brandNamed(foldedName: string): { name: string; labels: readonly string[] } | null {
  const padded = ` ${foldedName.replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return BRANDS.find((brand) => brand.words.some((word) => padded.includes(` ${word} `))) ?? null;
}

/** Whether a host is under a domain of the brand: its organisation's first label is, or contains as a part, a label of the brand. */
export function belongsTo(host: string, labels: readonly string[]): boolean {
  const first = organisationOf(host).split(".")[0] ?? "";
  return labels.some(
    (label) => first === label || (label.length >= 5 && first.startsWith(label) && !first.slice(label.length).includes("-")),
  );
}

/**
 * The brand label that a host imitates, or null: the label in front of another organisation (`paypal.com.example.net`), inside a
 * longer name (`secure-paypal-login.example`) or one letter off (`paypa1.example`).
 */
export function imitatedBy(host: string): string | null {
  const organisation = organisationOf(host);
  const first = organisation.split(".")[0] ?? "";
  if (MARKS.includes(first)) return null;
  const parts = host.split(/[.-]/u);
  const plain = first
    .replace(/[0134578]/gu, (digit) => DIGIT_LETTERS[digit] ?? digit)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  return MARKS.find((mark) => parts.includes(mark) || plain.split("-").includes(mark) || oneLetterOff(first, mark)) ?? null;
}

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "l", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

function oneLetterOff(word: string, mark: string): boolean {
  if (word[0] !== mark[0] || Math.abs(word.length - mark.length) > 1 || mark.length < 7) return false;
  let at = 0;
  while (at < word.length && word[at] === mark[at]) at += 1;
  const rest = word.length - mark.length;
  if (rest === 0)
    return (
      word.slice(at + 1) === mark.slice(at + 1) ||
      (word[at] === mark[at + 1] && word[at + 1] === mark[at] && word.slice(at + 2) === mark.slice(at + 2))
    );
  return rest > 0 ? word.slice(at + 1) === mark.slice(at) : word.slice(at) === mark.slice(at + 1);
}
