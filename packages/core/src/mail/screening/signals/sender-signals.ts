import type { SignalType } from "../../../catalogue/signals.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";
import type { AuthResult } from "../../../model/sender-facts.ts";
import { foldText, mixesScripts } from "../engine/fold.ts";
import { remembering } from "../engine/remember.ts";
import { belongsTo, brandNamed, imitatedBy } from "./brands.ts";
import { finding } from "./finding.ts";
import {
  domainOf,
  endingOf,
  FREE_MAIL,
  hasKnownEnding,
  hostingOf,
  looksMadeUp,
  organisationOf,
  RISKY_ENDINGS,
} from "./hosts.ts";
import { replyToElsewhere } from "./reply-to.ts";

/** The facts about the sender that are known when a mail is screened. */
export interface ScreenedSender {
  /** DMARC pass or an aligned DKIM signature, by our own check. */
  authenticated: boolean;
  dmarc: AuthResult;
  dkim: AuthResult;
  spf: AuthResult;
  /** The address has a history with the inbox. */
  known: boolean;
  /** The inbox wrote to another address of its organisation. */
  organisation_known: boolean;
  /** The address is an owner's or on the allow list. */
  trusted: boolean;
  /**
   * The known correspondent whose name this mail's display name repeats from another address; null when there
   * is none.
   */
  display_name_of_known: string | null;
  /** A known address asks for replies to another organisation's address that has no history with the inbox. */
  reply_to_changed: boolean;
}

/** A sender about whom nothing is known: not checked, no history, on no list. */
export const UNKNOWN_SENDER: ScreenedSender = {
  authenticated: false,
  dmarc: "none",
  dkim: "none",
  spf: "none",
  known: false,
  organisation_known: false,
  trusted: false,
  display_name_of_known: null,
  reply_to_changed: false,
};

/** Signals from the sender, the authentication and the headers. Cheap: doesn't look at the bodies. */
export function senderSignals(mail: ParsedMail, sender: ScreenedSender): Finding[] {
  const author = mail.from[0] ?? { address: "", name: "" };
  const domain = domainOf(author.address);
  return [
    ...authenticationSignals(sender, domain),
    ...fromSignals(mail),
    ...nameSignals(author, domain),
    ...domainSignals(domain, mail),
    ...replySignals(mail, domain, sender),
    ...recipientSignals(mail, sender, author),
    ...writingSignals(mail, author),
  ];
}

function authenticationSignals(sender: ScreenedSender, domain: string): Finding[] {
  const failed =
    !sender.authenticated && (sender.dmarc === "fail" || (sender.spf === "fail" && sender.dkim === "fail"));
  const known = sender.display_name_of_known;
  const found: Finding[] = [];
  if (failed && known !== null) found.push(finding("auth_failed_known_name", { what: known }));
  else if (failed) found.push(finding("auth_failed", { what: domain }));
  else if (!sender.authenticated && (sender.spf === "fail" || sender.dkim === "fail"))
    found.push(finding("auth_weak", { what: domain }));
  if (!failed && known !== null) found.push(finding("known_name_other_address", { what: known }));
  return found;
}

function fromSignals(mail: ParsedMail): Finding[] {
  if (mail.from_headers !== 1) return [finding("several_from")];
  const found: Finding[] = mail.from.some(({ address }) => !address.includes("@"))
    ? [finding("broken_from")]
    : [];
  const organisations = new Set(mail.from.map(({ address }) => organisationOf(domainOf(address))));
  if (organisations.size > 1) found.push(finding("several_senders"));
  return found;
}

/** The most senders whose names and domains are remembered: most mail is from somebody who wrote before. */
const MAX_REMEMBERED_SENDERS = 1_000;
const ADDRESS = /[\w.+-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,5})/u;

/** Examines a display name on its own. */
const readName = remembering(MAX_REMEMBERED_SENDERS, (name) => {
  const [address = "", host] = ADDRESS.exec(name) ?? [];
  const folded = foldText(name);
  return {
    shown: host === undefined ? null : { address, organisation: organisationOf(host.toLowerCase()) },
    mixed: name.split(/\s+/u).some(mixesScripts),
    brand: brandNamed(folded),
    department: DEPARTMENT.test(folded),
    slogan: SLOGAN.test(name),
  };
});

function nameSignals(author: { address: string; name: string }, domain: string): Finding[] {
  const found: Finding[] = [];
  const { shown, mixed, brand } = readName(author.name.slice(0, MAX_SHOWN_CHARS));
  if (
    shown !== null &&
    domain !== "" &&
    shown.organisation !== organisationOf(domain) &&
    !/\bvia\b/iu.test(author.name)
  ) {
    found.push(finding("name_shows_address", { what: shown.address }));
  }
  if (mixed) found.push(finding("mixed_script_sender", { what: author.name }));
  if (brand !== null && domain !== "" && !belongsTo(domain, brand.labels) && !/\bvia\b/iu.test(author.name)) {
    found.push(finding("brand_in_name", { brand: brand.name }));
  }
  return found;
}

/** Examines a domain's name on its own; null for a domain that can't exist. */
const readDomain = remembering(MAX_REMEMBERED_SENDERS, (domain) =>
  couldExist(domain)
    ? {
        made_up: looksMadeUp(domain),
        imitates: imitatedBy(domain) !== null,
        mixed: domain.split(".").some(mixesScripts),
        hosted: hostingOf(domain) !== null,
        deep: domain.split(".").length - organisationOf(domain).split(".").length > 1,
        risky: RISKY_ENDINGS.has(endingOf(domain)),
      }
    : null,
);

function domainSignals(domain: string, mail: ParsedMail): Finding[] {
  if (domain === "") return [];
  const told = readDomain(domain);
  if (told === null) return [finding("broken_sender", { what: domain })];
  const found: Finding[] = [];
  if (told.made_up) found.push(finding("odd_sender_domain", { what: domain }));
  if (told.imitates || imitatesRecipient(domain, mail))
    found.push(finding("lookalike_sender", { what: domain }));
  if (told.mixed) found.push(finding("mixed_script_sender", { what: domain }));
  if (told.hosted) found.push(finding("hosted_sender", { what: domain }));
  if (told.deep) found.push(finding("deep_sender_domain", { what: domain }));
  if (told.risky) found.push(finding("risky_sender", { what: domain }));
  return found;
}

/**
 * Whether a domain is the recipients' own organisation with a character changed, as in mail from a forged colleague.
 */
function imitatesRecipient(domain: string, mail: ParsedMail): boolean {
  const from = organisationOf(domain);
  return mail.to.slice(0, MAX_RECIPIENTS).some(({ address }) => {
    const own = organisationOf(domainOf(address));
    return (
      own.length >= 8 &&
      own !== from &&
      own.length === from.length &&
      skeleton(own) === skeleton(from) &&
      !FREE_MAIL.has(from)
    );
  });
}

const skeleton = remembering(MAX_REMEMBERED_SENDERS, (name) =>
  name
    .replace(/[0o]/gu, "o")
    .replace(/[1li]/gu, "l")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replace(/[5s]/gu, "s"),
);

function replySignals(mail: ParsedMail, domain: string, { reply_to_changed }: ScreenedSender): Finding[] {
  const found: Finding[] = [];
  const list = mail.headers.some(
    ({ name }) => name === "list-id" || name === "list-unsubscribe" || name === "list-post",
  );
  const elsewhere = replyToElsewhere(mail);
  if (elsewhere !== undefined && domain !== "") {
    const target = domainOf(elsewhere.address);
    if (FREE_MAIL.has(target)) found.push(finding("reply_to_freemail", { what: target }));
    else if (!list) found.push(finding("reply_to_elsewhere", { what: target }));
    if (reply_to_changed && !list) found.push(finding("reply_to_changed", { what: target }));
  }
  if (
    /^\s*(?:re|aw|sv|antw)\s?:/iu.test(mail.subject) &&
    mail.in_reply_to === null &&
    mail.references.length === 0
  ) {
    found.push(finding("fake_reply"));
  }
  return found;
}

/** Signals the recipient's own address used to fake personal knowledge. */
function recipientSignals(
  mail: ParsedMail,
  sender: ScreenedSender,
  author: { address: string; name: string },
): Finding[] {
  const recipients = mail.to
    .slice(0, MAX_RECIPIENTS)
    .map(({ address }) => address.toLowerCase())
    .filter((address) => address !== "");
  const found: Finding[] = [];
  if (!sender.authenticated && recipients.includes(author.address.toLowerCase()))
    found.push(finding("own_address"));
  const shown =
    `${mail.subject.slice(0, MAX_SHOWN_CHARS)} ${author.name.slice(0, MAX_SHOWN_CHARS)}`.toLowerCase();
  if (recipients.some((address) => shown.includes(address))) found.push(finding("recipient_in_subject"));
  if (recipients.some((address) => poses(author, domainOf(address))))
    found.push(finding("recipient_domain_name"));
  return found;
}

/** Whether a sender of another organisation calls itself by the recipient's domain ("example.org Helpdesk"). */
function poses(author: { address: string; name: string }, domain: string): boolean {
  if (!author.name.includes(".")) return false;
  const own = organisationOf(domain);
  return (
    own.length >= LEAST_DOMAIN_CHARS &&
    organisationOf(domainOf(author.address)) !== own &&
    author.name.slice(0, MAX_SHOWN_CHARS).toLowerCase().includes(own)
  );
}

const LEAST_DOMAIN_CHARS = 6;

function writingSignals(mail: ParsedMail, author: { address: string; name: string }): Finding[] {
  const subject = mail.subject.slice(0, MAX_SHOWN_CHARS);
  const name = author.name.slice(0, MAX_SHOWN_CHARS);
  const headline = `${subject} ${name}`;
  const beyond_ascii = BEYOND_ASCII.test(headline);
  const { department, slogan } = readName(name);
  const found: Finding[] = [];
  if (beyond_ascii && (STRUCK_LETTERS.test(headline) || STYLED_LETTERS.test(headline)))
    found.push(finding("styled_letters"));
  if (looksRandom(author.address.slice(0, MAX_SHOWN_CHARS)))
    found.push(finding("random_sender", { what: author.address }));
  if (slogan) found.push(finding("slogan_name"));
  if (beyond_ascii && MANY_PICTURES.test(headline)) found.push(finding("emoji_headline"));
  if (department) found.push(finding("department_name"));
  if (CODE.test(subject)) found.push(finding("subject_code"));
  if (AMOUNT.test(subject)) found.push(finding("subject_amount"));
  const letters = subject.replace(/[^A-Za-z]/gu, "");
  if ((letters.length > 11 && letters === letters.toUpperCase()) || /!{2,}|\${2,}|\?{3,}/u.test(subject))
    found.push(finding("shouting"));
  return found;
}

/** The names that departments use. */
const DEPARTMENT =
  /\b(?:support|security|service|services|team|billing|accounts?|admin|administrator|helpdesk|help desk|it desk|notifications?|notice|alerts?|delivery|rewards?|customer|webmail|mail server|postmaster|no ?reply|verification|department|office|kundenservice|kundendienst|sicherheit|benachrichtigung|service client|assistance|securite|equipe|atencion|soporte|seguridad|notificacion(?:es)?|aviso|atendimento|suporte|seguranca|servizio|assistenza|sicurezza|avviso|klantenservice|beveiliging|obsluga|powiadomienie)\b|служба|поддержк|безопасност|客服|安全|通知|サポート|事務局|センター|고객|보안/u;
/** A number like those that machines assign: six digits, or alternating capitals and digits. */
const CODE = /\d{6,}|\b(?=[A-Z0-9-]{0,30}\d)(?=[A-Z0-9-]{0,30}[A-Z])[A-Z0-9-]{7,}\b/u;
const AMOUNT =
  /[$€£¥₹₽₩]\s?\d|\d\s?[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|BTC|ETH|R\$)\s?\d|\d\s?(?:USD|EUR|GBP|BTC|ETH)\b/u;

const BEYOND_ASCII = /[^\0-\x7f]/;
/** Letters that are pictures of letters: in mathematical script, wide, or in circles and squares. */
const STYLED_LETTERS =
  /(?:[\u{1D400}-\u{1D7FF}\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9\u{1F130}-\u{1F189}]\s?){4}/u;
/** Letters with a combining stroke through them (U+0334 to U+0338), which no keyboard produces. */
const STRUCK_LETTERS = /(?:\p{L}[\u0334-\u0338].{0,20}){2}/u;
/** The signs of a slogan rather than a name: an exclamation, a question, a price, a percentage, a picture. */
const SLOGAN = /.\s.*[!?]|[!?]{2}|[$€£¥₹]\s?\d|\d\s?[$€£¥₹%]|\p{Extended_Pictographic}/u;
const MANY_PICTURES = /\p{Emoji_Presentation}.*\p{Emoji_Presentation}/su;

/** Endings for tests, documents and home networks (RFC 2606, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_ENDINGS: ReadonlySet<string> = new Set(
  "test example invalid localhost local internal arpa alt lan home corp localdomain".split(" "),
);

/** Whether mail could come from a domain: its syntax is right and its ending exists, or is for local names. */
function couldExist(domain: string): boolean {
  if (!/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(domain)) return /^\[.+\]$/.test(domain);
  return LOCAL_ENDINGS.has(endingOf(domain)) || hasKnownEnding(domain);
}

/** A long run of consonants, or alternating digits and letters, before the @ or in the first domain label. */
function looksRandom(address: string): boolean {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  if (
    /^(?:bounce|reply|no-?reply|prvs|msg|ticket)/u.test(local) ||
    local.includes("+") ||
    local.includes("=")
  )
    return false;
  if (SHUFFLED_CASE.test(address.split("@", 1)[0] ?? "")) return true;
  return [local, domain.split(".")[0] ?? ""].some(
    (part) => /[bcdfghjklmnpqrstvwxz]{7}/u.test(part) || /(?:[a-z]\d{1,4}){4}|[a-z]{3,}\d{5,}/u.test(part),
  );
}

/** Capitals in places where neither words nor initials have them. */
const SHUFFLED_CASE =
  /^(?=[A-Za-z]{6,12}$)(?=.*[a-z][A-Z]{2,}[a-z])|^(?=[A-Za-z]{6,12}$)(?:.*[a-z][A-Z]){3}|^[a-z]{1,2}[A-Z]+[a-z]+[A-Z]/u;

const MAX_RECIPIENTS = 20;
const MAX_SHOWN_CHARS = 300;

/** Topics that companies, banks and authorities write about from their own addresses. */
const BUSINESS: ReadonlySet<SignalType> = new Set<SignalType>([
  "verify_account",
  "mailbox_full",
  "delivery_problem",
  "voice_message",
  "callback",
  "refund_claim",
  "payment_change",
  "wire_request",
  "quiet_favour",
  "prize",
  "advance_fee",
  "lure_income",
  "lure_investment",
  "lure_loan",
  "lure_marketing",
  "lure_protection",
]);

/**
 * A signal for business mail from a mailbox that anyone can open in a minute, based on the other findings.
 */
export function freemailSignals(mail: ParsedMail, found: readonly Finding[]): Finding[] {
  const domain = domainOf(mail.from[0]?.address ?? "");
  if (!FREE_MAIL.has(domain) || !found.some(({ type }) => BUSINESS.has(type))) return [];
  return [finding("business_from_freemail", { what: domain })];
}
