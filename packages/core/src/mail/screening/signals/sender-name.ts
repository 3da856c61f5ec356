import type { MailAddress } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";
import { foldText } from "../engine/fold.ts";
import { belongsTo, brandNamed } from "./brands.ts";
import { finding } from "./finding.ts";
import { domainOf, FREE_MAIL, hostsOfLinks, organisationOf } from "./hosts.ts";

/** Characters of a name that are read. */
const MAX_NAME_CHARS = 100;
/** A shorter name, or one in another script, can't be compared with an address. */
const LEAST_LETTERS = 3;
/** Names are cut short in addresses: `karlh` is Karl's, `fernan` is Fernandez'. */
const STEM_CHARS = 4;
/** A part of an address with no more letters than this may be initials. */
const MOST_INITIALS = 4;

/** Words of names that say what somebody is, not who: any address may go with them. */
const NOBODY: ReadonlySet<string> = new Set(
  `the and for from of von van der den das die de del des los las com net org www mr mrs ms dr prof sir team staff office desk group
  support service services customer customers client care help helpdesk admin administrator info information news newsletter mail email
  mailer notification notifications notice alert alerts account accounts billing sales marketing security system noreply reply
  kundenservice kundendienst rechnung buchhaltung vertrieb verwaltung assistance comptabilite equipe atencion cliente soporte ventas
  facturacion equipo atendimento suporte financeiro equipe servizio clienti assistenza amministrazione klantenservice`.split(
    /\s+/u,
  ),
);

/** The letters that German and its neighbours write as two in addresses. */
const TWO_LETTERS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

/** The names that a sender goes by, as an address may spell them. */
interface SenderName {
  /** Words of the name, folded, each cut to what addresses keep of them. */
  stems: readonly string[];
  initials: string;
}

/** A display name for comparison with addresses and hosts; null when it says nothing that could be compared. */
function readSenderName(shown: string): SenderName | null {
  const name = shown.slice(0, MAX_NAME_CHARS);
  if (name.includes("@") || /\bvia\b/iu.test(name)) return null;
  const words = wordsOf(foldText(name)).filter((word) => !NOBODY.has(word));
  const long = words.filter((word) => word.length >= LEAST_LETTERS);
  if (long.length === 0) return null;
  const spelled = /[äöüøå]/i.test(name)
    ? wordsOf(foldText(name.toLowerCase().replace(/[äöüøå]/g, (letter) => TWO_LETTERS[letter] ?? letter)))
    : [];
  return {
    stems: [...long, ...spelled.filter((word) => word.length >= LEAST_LETTERS)].map((word) =>
      word.slice(0, STEM_CHARS),
    ),
    initials: words.map((word) => word.charAt(0)).join(""),
  };
}

const wordsOf = (folded: string): string[] => folded.match(/[a-z]+/g) ?? [];

/** Whether an address or a host bears a part of the name, or its initials. */
function bears({ stems, initials }: SenderName, place: string): boolean {
  if (stems.some((stem) => place.includes(stem))) return true;
  const first = initials.charAt(0);
  const last = initials.slice(-1);
  return (
    initials.length > 1 &&
    (place.match(/[a-z]+/g) ?? []).some(
      (part) =>
        (initials.length > 2 && part.includes(initials)) ||
        (part.startsWith(first) &&
          (part.length <= MOST_INITIALS ? part.includes(last, 1) : part.startsWith(initials))),
    )
  );
}

/**
 * Signals from a sender's name that stands in no relation to its address, nor to any host that the mail links to: an
 * organisation has its name in one of them, and so have most people. In a free mailbox a nickname is nothing strange.
 */
export function unrelatedSignals(
  { name, address }: MailAddress,
  links: () => readonly { href: string }[],
): Finding[] {
  const domain = domainOf(address);
  if (domain === "" || FREE_MAIL.has(domain)) return [];
  // The ending of a domain bears nobody's name.
  const place = address.slice(0, address.lastIndexOf(".")).toLowerCase();
  // Most names are found as they are written, which is cheap.
  const first = FIRST_WORD.exec(name)?.[0].toLowerCase() ?? "";
  if (first !== "" && place.includes(first) && !NOBODY.has(first)) return [];
  const sender = readSenderName(name);
  if (sender === null || bears(sender, place)) return [];
  const brand = brandNamed(foldText(name.slice(0, MAX_NAME_CHARS)));
  if (brand !== null && belongsTo(domain, brand.labels)) return [];
  const hosts = hostsOfLinks(links());
  if ([...hosts].some((host) => bears(sender, host))) return [];
  const own = organisationOf(domain);
  return hosts.size > 0 && [...hosts].every((host) => organisationOf(host) === own)
    ? [finding("unrelated_name"), finding("unrelated_site")]
    : [finding("unrelated_name")];
}

const FIRST_WORD = /[A-Za-z]{3,40}/;
