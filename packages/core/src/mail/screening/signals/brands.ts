import { listedWords, UNLISTED } from "../engine/listed-words.ts";
import { oneSlipOff } from "../engine/one-typo.ts";
import { remembering } from "../engine/remember.ts";
import { unitsOf } from "../engine/utf16-units.ts";
import { CELLS, COMPOSED, HASH, LENGTH, MARKS, START, textAt, type Words } from "../engine/words.ts";
import { hostingOf, MAX_REMEMBERED_HOSTS, organisationOf } from "./hosts.ts";

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
  ...table(`
    n26; dkb; swedbank; nordea; danske bank = danskebank; handelsbanken; lloyds bank = lloydsbank lloydsbankinggroup; natwest; monzo
    tsb bank = tsb; nationwide building society = nationwide; bnp paribas = bnpparibas bnpparibasfortis; societe generale = societegenerale socgen
    banque postale = labanquepostale; credit mutuel = creditmutuel; boursorama; bankinter; sabadell = bancsabadell bancosabadell
    intesa sanpaolo = intesasanpaolo; fineco = finecobank; kbc; belfius; bunq; pko bank = pkobp; mbank; millennium bcp = millenniumbcp
    raiffeisen = raiffeisen raiffeisenbank; volksbank = volksbank vr; erste bank = erstebank sparkasse
    сбербанк = sberbank sber; sberbank = sberbank sber; tinkoff = tinkoff tbank; garanti = garantibbva; akbank; ziraat = ziraatbank
    emirates nbd = emiratesnbd; al rajhi = alrajhibank; absa; nedbank; capitec = capitecbank; standard bank = standardbank; fnb
    gtbank; zenith bank = zenithbank; mpesa = safaricom; safaricom; hdfc = hdfcbank hdfc; icici = icicibank; state bank of india = sbi onlinesbi
    axis bank = axisbank; kotak; paytm; phonepe; maybank = maybank maybank2u; cimb; dbs bank = dbs; ocbc; uob = uobgroup uob
    bank mandiri = bankmandiri; kasikornbank = kasikornbank; vietcombank; mufg; smbc; 三井住友 = smbc smbc-card vpass; 楽天 = rakuten; mizuho = mizuhobank mizuho-fg
    三菱 = mufg; icbc; bank of china = boc bankofchina; alipay; wechat = wechat tencent; 支付宝 = alipay; commbank = commbank cba
    commonwealth bank = commbank cba; westpac; anz; nab; royal bank of canada = rbc rbcroyalbank; scotiabank; bmo; cibc; desjardins; interac
    capital one = capitalone; us bank = usbank; truist; fidelity investments = fidelity; charles schwab = schwab; discover card = discover
    banorte; banamex = banamex citibanamex; mercado libre = mercadolibre; davivienda; banco estado = bancoestado; banco galicia = galicia bancogalicia
    picpay; pagseguro = pagseguro pagbank uol; sicredi; wise transfer = wise; western union = westernunion; moneygram; skrill; payoneer
    gls = gls-group gls; dpd; an post = anpost; colissimo = laposte; la poste = laposte; mondial relay = mondialrelay; ctt = ctt
    poste italiane = poste posteitaliane; postnord; poczta polska = poczta-polska; deutsche post = deutschepost dhl; singpost; japan post = japanpost
    ヤマト運輸 = kuronekoyamato; 佐川急便 = sagawa-exp; india post = indiapost; nz post = nzpost; aramex; seur; ups = ups; 日本郵便 = japanpost
    telekom = telekom t-online; t mobile = t-mobile; sfr; bouygues = bouyguestelecom; free mobile = free; movistar = movistar telefonica; telenor; telia
    docomo = docomo nttdocomo; softbank; optus; bell canada = bell; virgin media = virginmedia; github; gitlab; shopify; stripe; namecheap; ionos
    ovh = ovh ovhcloud; hostinger; cloudflare; okta; discord = discord discordapp; twitch; epic games = epicgames unrealengine; playstation = playstation sony
    nintendo; xbox = xbox microsoft; disney plus = disneyplus disney; hulu; prime video = amazon primevideo; temu = temu temuemail; shein
    allegro = allegro; olx; vinted; leboncoin; zalando; mediamarkt; ikea; kaufland; carrefour; decathlon; tesco; asda; walgreens; cvs pharmacy = cvs
    lowe s = lowes; starbucks; internal revenue = irs; irs; elster = elster; agencia tributaria = agenciatributaria aeat gob; agenzia entrate = agenziaentrate
    inps = inps; canada revenue = cra-arc canada; mygov = my; social security administration = ssa; medicare = medicare cms
    kucoin; bybit; okx; crypto com = crypto; bitfinex; electrum; trezor suite = trezor; exodus wallet = exodus
    expedia = expedia expediamail; agoda; ryanair; easyjet; lufthansa = lufthansa miles-and-more; uber eats = uber; lyft; marriott
  `),
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

/** Brands as `words = labels of its domains`, separated by semicolons or lines; the label is the word, if it is one. */
function table(rows: string): Brand[] {
  return rows
    .split(/[;\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .map((row) => {
      const [words = "", labels = words] = row.split(" = ");
      return { name: words, words: [words], labels: labels.split(" ") };
    });
}

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
  "allegro",
  "crypto",
  "discover",
  "fidelity",
  "stripe",
  "disney",
  "medicare",
  "exodus",
  "orange",
  "electrum",
  "galicia",
  "nationwide",
  "discord",
  "canada",
]);

/** Shorter labels are part of too many honest names. */
const LEAST_MARK_CHARS = 6;

/** Labels distinctive enough to look for inside other domains. */
const MARKED: ReadonlySet<string> = new Set(
  BRANDS.flatMap((brand) => brand.labels).filter(
    (label) => label.length >= LEAST_MARK_CHARS && !EVERYDAY.has(label),
  ),
);

/** Brands of one company, each of which stands in hosts of the others: `onedrive.live.com`, `itunes.apple.com`. */
const COMPANIES: readonly string[][] = [
  "microsoft office office365 outlook live onedrive sharepoint xbox linkedin github".split(" "),
  "apple icloud itunes".split(" "),
  "meta facebook instagram whatsapp facebookmail metamail".split(" "),
  "google gmail youtube googlemail withgoogle".split(" "),
  "amazon amazonaws aws audible twitch primevideo".split(" "),
  "paypal venmo".split(" "),
  "intuit quickbooks".split(" "),
  "adobe".split(" "),
];

/** The labels of domains on which a brand's own label is at home. */
const HOMES = new Map<string, ReadonlySet<string>>();
for (const labels of [...BRANDS.map((brand) => brand.labels), ...COMPANIES])
  for (const label of labels) HOMES.set(label, new Set([...(HOMES.get(label) ?? []), ...labels]));

/** Services that give each customer a host of its own, which is named after the customer. */
const CUSTOMER_HOSTS: ReadonlySet<string> = new Set(
  `zendesk.com freshdesk.com intercom.help intercom-mail.com helpscoutdocs.com statuspage.io atlassian.net atlassian.com slack.com
  salesforce.com force.com my.site.com service-now.com okta.com auth0.com onelogin.com workday.com myworkday.com myworkdayjobs.com
  greenhouse.io lever.co bamboohr.com recruitee.com teamtailor.com personio.com sendgrid.net mailgun.org sparkpostmail.com
  mcsv.net list-manage.com rsgsv.net createsend.com cmail19.com cmail20.com hubspotemail.net exacttarget.com exct.net
  mktoweb.com marketo.com pardot.com eloqua.com klaviyomail.com customeriomail.com braze.com akamaized.net akamai.net
  edgesuite.net fastly.net cdn77.org shopify.com bigcommerce.com bandcamp.com substack.com medium.com ghost.io eventbrite.com
  zoom.us webex.com gotowebinar.com docebosaas.com uservoice.com discourse.group trustpilot.com`.split(
    /\s+/u,
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
 * (`paypa1.example`). A customer's host at a service that serves many imitates nobody.
 */
export const imitatedBy: (host: string) => string | null = remembering(MAX_REMEMBERED_HOSTS, (host) => {
  const organisation = organisationOf(host);
  const first = organisation.split(".")[0] ?? "";
  if (MARKED.has(first) || CUSTOMER_HOSTS.has(organisation) || hostingOf(host) !== null) return null;
  const plain = first
    .replace(/[0134578]/g, (digit) => DIGIT_LETTERS[digit] ?? digit)
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  // An everyday word is a brand's own domain under .com alone.
  const isOwn = (mark: string) => organisation === `${first}.com` && HOMES.get(mark)?.has(first) === true;
  const part = [...host.split(/[.-]/), ...plain.split("-")].find((one) => MARKED.has(one) && !isOwn(one));
  return part ?? (MARKS_BY_LETTER.get(first.charAt(0)) ?? []).find((mark) => oneSlipOff(first, mark)) ?? null;
});

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "l", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

/** The labels of the brand whose own domain a host is in, or null. */
export function brandOfHost(host: string): readonly string[] | null {
  const first = organisationOf(host).split(".")[0] ?? "";
  return LABELS_BY_MARK.get(first) ?? null;
}

const LABELS_BY_MARK = new Map(
  BRANDS.flatMap(({ labels }) =>
    labels.filter((label) => MARKED.has(label)).map((label) => [label, labels] as const),
  ),
);

/** A name with fewer letters is too often a word of some language. */
const LEAST_NAME_CHARS = 5;

/** The first words of names, with the brands and the rest of the words of each. */
const FIRST_WORDS = [...BY_FIRST_WORD].map(([word = "", shown]) => ({
  word,
  names: shown.map(({ brand, words }) => ({ brand, rest: words.trim().split(" ").slice(1) })),
}));
const findFirstWord = listedWords(FIRST_WORDS.map(({ word }) => word));

/** The number of a word among the first words of names. */
function numberAt(words: Words, nth: number): number {
  const cell = nth * CELLS;
  const length = words.table[cell + LENGTH] ?? 0;
  const hash = words.table[cell + HASH] ?? 0;
  return ((words.table[cell + MARKS] ?? 0) & COMPOSED) === 0
    ? findFirstWord(words.units, words.table[cell + START] ?? 0, length, hash)
    : findFirstWord(unitsOf(textAt(words, nth)), 0, length, hash);
}

/**
 * The brand that a text names first in so many of its words, read word by word, or null. Names that are everyday words are
 * no evidence there.
 */
export function brandAmong(words: Words, most: number): Pick<Brand, "name" | "labels"> | null {
  const count = Math.min(words.count, most);
  for (let at = 0; at < count; at += 1) {
    const number = numberAt(words, at);
    if (number === UNLISTED) continue;
    const { word, names } = FIRST_WORDS[number] as (typeof FIRST_WORDS)[number];
    for (const { brand, rest } of names) {
      if (rest.length === 0 && (word.length < LEAST_NAME_CHARS || EVERYDAY.has(word))) continue;
      if (rest.every((part, index) => at + 1 + index < count && textAt(words, at + 1 + index) === part))
        return brand;
    }
  }
  return null;
}

/** The brand whose name stands in a URL's path, where any site may write it; or null. */
export function brandInPath(path: string): string | null {
  return (
    path
      .toLowerCase()
      .split(/[^a-z0-9]+/, MAX_PATH_PARTS)
      .find((part) => MARKED.has(part)) ?? null
  );
}

const MAX_PATH_PARTS = 30;
