import type { SignalType } from "../../../catalogue/signals.ts";
import type { Finding } from "../../../model/screening.ts";
import { MAX_URL_CHARS } from "../../links/text-links.ts";
import { mixesScripts } from "../engine/fold.ts";
import type { Words } from "../engine/words.ts";
import { belongsTo, brandAmong, brandInPath, brandNamed, imitatedBy } from "./brands.ts";
import { finding } from "./finding.ts";
import {
  domainOf,
  endingOf,
  FREE_MAIL,
  hostingOf,
  isRedirector,
  looksMadeUp,
  organisationOf,
  RISKY_ENDINGS,
  SHORTENERS,
} from "./hosts.ts";
import { type HtmlView, MAX_LINKS, type MailLink } from "./html-view.ts";

/** The facts about a mail that the link rules use. */
export interface LinkScene {
  links: readonly MailLink[];
  html: HtmlView | null;
  from_domain: string;
  /** Folded display name and subject: who the mail claims to be from. */
  claims: () => string;
  /** Addresses of the recipients, in lower case. */
  recipients: readonly string[];
  /** The words that the reader sees. */
  words: Words;
  /** The mail has List-Unsubscribe or List-Id, so its links may pass through a click counter. */
  bulk: boolean;
}

/** Words of a text that are searched for names of brands. */
const OPENING_WORDS = 150;
/** Mail with fewer words than this says little more than its link. */
const FEW_WORDS = 25;

/** The beginnings of all links in plain text, in lower case. */
export const LINK_LITERALS: readonly string[] =
  "http:// https:// hxxp:// hxxps:// www. javascript: data:text/html file://".split(" ");

/**
 * Signals from the targets of a mail's links. The cost per link is bounded, and at most {@link MAX_LINKS} are
 * examined.
 */
export function linkSignals(scene: LinkScene): Finding[] {
  if (scene.links.length === 0 && scene.html === null) return [];
  const found: Finding[] = [];
  const sites = new Map<string, Site>();
  for (const link of scene.links.slice(0, MAX_LINKS)) {
    const href = link.href.slice(0, MAX_URL_CHARS).replace(/[\s\u0000-\u001F]/g, "");
    if (/^(?:javascript|vbscript|file|data:(?:text\/html|application\/|image\/svg))/i.test(href)) {
      found.push(finding("link_script", { where: link.place, what: href.slice(0, 20) }));
      continue;
    }
    const mailbox = /^mailto:[^?]{1,100}@([\w.-]{1,100})/i.exec(href)?.[1]?.toLowerCase();
    if (
      mailbox !== undefined &&
      link.place === "the HTML" &&
      FREE_MAIL.has(mailbox) &&
      mailbox !== scene.from_domain
    ) {
      found.push(finding("link_mail_elsewhere", { where: link.place, what: mailbox }));
    }
    const url = parsed(href);
    if (url === null) continue;
    const site = sites.get(url.hostname) ?? siteOf(url.hostname, scene);
    sites.set(site.host, site);
    const signals = [...ofTarget(link, url, href, site, scene), ...site.signals];
    found.push(...signals.map((signal) => finding(signal, { where: link.place, what: site.host })));
  }
  const hosts = [...sites.keys()];
  found.push(...ofBrand(scene, hosts), ...ofPage(scene, hosts));
  return found;
}

/** The facts about a host, whichever link leads there. */
interface Site {
  host: string;
  /** It belongs to the sender's organisation. */
  own: boolean;
  signals: SignalType[];
}

function siteOf(host: string, scene: LinkScene): Site {
  if (isIpAddress(host)) return { host, own: false, signals: ["link_ip_host"] };
  const own = organisationOf(host) === organisationOf(scene.from_domain);
  const signals: SignalType[] = [];
  if (imitatedBy(host) !== null) signals.push("link_lookalike");
  if (SHORTENERS.has(host)) signals.push("link_shortener");
  if (!own && hostingOf(host) !== null) signals.push("link_hosted");
  if (!own && RISKY_ENDINGS.has(endingOf(host))) signals.push("link_risky_domain");
  if (!own && looksMadeUp(host)) signals.push("link_made_up");
  if (!own && isDeep(host)) signals.push("link_deep_host");
  return { host, own, signals };
}

function parsed(href: string): URL | null {
  const url = URL.parse(
    /^www\./i.test(href) ? `http://${href}` : href.replace(/^hxxp/i, "http").replace(/^\/\//, "http://"),
  );
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function ofTarget(link: MailLink, url: URL, href: string, site: Site, scene: LinkScene): SignalType[] {
  const signals: SignalType[] = [];
  if (url.username !== "" || url.password !== "") signals.push("link_userinfo");
  if (site.signals.includes("link_ip_host")) return signals;
  if (site.host.includes("xn--")) signals.push(mixedName(href) ? "link_mixed_script" : "link_punycode");
  if (!/^(?:|80|443|8080|8443)$/.test(url.port)) signals.push("link_odd_port");
  if (/\.(?:exe|scr|apk|msi|bat|cmd|ps1|vbs|jar|iso|img|dmg|hta|lnk)$/i.test(url.pathname))
    signals.push("link_download");
  if (/\.php\d?(?:\/|$)/i.test(url.pathname)) signals.push("link_script_file");
  if (!site.own && !scene.bulk && passesOn(url)) signals.push("link_redirect");
  if (!site.own && isRedirector(url)) signals.push("link_redirector");
  if (!site.own && brandInPath(url.pathname) !== null) signals.push("link_brand_in_path");
  if (!site.own && TOKEN.test(`${url.pathname}${url.hash}`)) signals.push("link_token");
  if (!site.own && url.hash.length > LONG_FRAGMENT) signals.push("link_long_fragment");
  if (!site.own && namesRecipientDomain(url, scene)) signals.push("link_recipient_domain");
  if (!site.own && !scene.bulk && carriesRecipient(url, scene.recipients)) signals.push("link_recipient");
  if (link.place === "the HTML" && differs(hostShown(link.text), site.host, scene))
    signals.push("link_text_mismatch");
  return signals;
}

/** A host with this many labels is put together by a program, or hides its owner. */
const DEEP_LABELS = 5;
const MANY_HYPHENS = /-[^.]*-[^.]*-/;

function isDeep(host: string): boolean {
  return !host.includes("xn--") && (host.split(".").length >= DEEP_LABELS || MANY_HYPHENS.test(host));
}

/** Anchors within pages are shorter. */
const LONG_FRAGMENT = 12;
/** A run of letters and digits that no person would choose as a page's name. */
const TOKEN = /[/#](?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z]\w{0,5}\d\w{0,5}[A-Za-z])[\w-]{24,}/;

/** Whether a link to a foreign site contains a recipient's own organisation, to seem meant for them. */
function namesRecipientDomain(url: URL, { recipients }: LinkScene): boolean {
  const rest = `${url.host}${url.pathname}${url.search}${url.hash}`.toLowerCase().replaceAll("%40", "@");
  return recipients.some((address) => {
    const own = organisationOf(domainOf(address));
    if (own.length < LEAST_DOMAIN_CHARS || FREE_MAIL.has(own) || organisationOf(url.hostname) === own)
      return false;
    return rest.replaceAll(address, "").includes(own);
  });
}

const LEAST_DOMAIN_CHARS = 6;

function isIpAddress(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || host.startsWith("[");
}

/** The reader sees the host as written, before its conversion to ASCII. */
function mixedName(href: string): boolean {
  const host = /^https?:\/\/([^/?#]{1,253})/i.exec(href)?.[1] ?? "";
  return host.split(".").some(mixesScripts);
}

/** The number of first parameters among which a redirect URL has its target. */
const MAX_PARAMETERS = 20;

function passesOn(url: URL): boolean {
  const values = url.search === "" ? [] : [...url.searchParams.values()].slice(0, MAX_PARAMETERS);
  for (const value of values) {
    const inner = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    if (inner !== null && organisationOf(inner.hostname) !== organisationOf(url.hostname)) return true;
  }
  return /\/(?:https?:\/\/|https?%3a)/i.test(url.pathname);
}

function carriesRecipient(url: URL, recipients: readonly string[]): boolean {
  const tail = `${url.search}${url.hash}${url.pathname}`.toLowerCase().replaceAll("%40", "@");
  return recipients.some(
    (address) =>
      address.length > 5 &&
      (tail.includes(address) || `${url.search}${url.hash}${url.pathname}`.includes(btoaOf(address))),
  );
}

function btoaOf(address: string): string {
  return btoa(address.replace(/[^\0-\xFF]/g, "")).replace(/=+$/, "");
}

/** The host shown in a link's text, when the text is only an address. */
function hostShown(text: string): string | null {
  const shown = text.trim().toLowerCase();
  if (
    shown.length > 200 ||
    !/^(?:https?:\/\/)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?:[/?#:]\S*)?$/.test(shown)
  )
    return null;
  const host = URL.parse(/^https?:/.test(shown) ? shown : `http://${shown}`)?.hostname ?? null;
  return host !== null &&
    organisationOf(host).includes(".") &&
    !/\.(?:html?|pdf|docx?|xlsx?|js|ts|py|md|txt|png|jpe?g)$/.test(host)
    ? host
    : null;
}

function differs(shown: string | null, host: string, scene: LinkScene): boolean {
  if (shown === null || organisationOf(shown) === organisationOf(host)) return false;
  return !(scene.bulk && organisationOf(shown) === organisationOf(scene.from_domain));
}

function ofBrand(scene: LinkScene, hosts: readonly string[]): Finding[] {
  const named = hosts.length === 0 ? null : brandAmong(scene.words, OPENING_WORDS);
  const strange =
    named !== null && ![scene.from_domain, ...hosts].some((host) => belongsTo(host, named.labels));
  return [...ofClaim(scene, hosts), ...(strange ? [finding("brand_in_text", { brand: named.name })] : [])];
}

function ofClaim(scene: LinkScene, hosts: readonly string[]): Finding[] {
  if (hosts.length === 0) return [];
  const brand = brandNamed(scene.claims());
  if (brand === null || belongsTo(scene.from_domain, brand.labels)) return [];
  if (hosts.some((host) => belongsTo(host, brand.labels))) return [];
  return [finding("link_brand_elsewhere", { where: "the mail", brand: brand.name })];
}

/** Whether several links of the page, whatever their text, have one target. */
function isSingleTarget(links: readonly MailLink[]): boolean {
  const targets = links.filter(({ place }) => place === "the HTML").map(({ href }) => href);
  return targets.length > 1 && new Set(targets).size === 1;
}

function ofPage(scene: LinkScene, hosts: readonly string[]): Finding[] {
  const { html } = scene;
  const host = hosts.find((name) => organisationOf(name) !== organisationOf(scene.from_domain));
  const lone = host !== undefined && hosts.length <= 2 && scene.words.count < FEW_WORDS;
  const found = lone ? [finding("lone_link", { what: host })] : [];
  if (host !== undefined && hosts.every((name) => organisationOf(name) !== organisationOf(scene.from_domain)))
    found.push(finding("links_elsewhere"));
  if (host !== undefined && isSingleTarget(scene.links)) found.push(finding("single_target", { what: host }));
  if (html === null) return found;
  const elsewhere = html.form_targets
    .map(parsed)
    .find((url) => url !== null && organisationOf(url.hostname) !== organisationOf(scene.from_domain));
  if (html.asks_password) found.push(finding("form_password"));
  if (elsewhere) found.push(finding("form_elsewhere", { what: elsewhere.hostname }));
  if (html.redirects) found.push(finding("page_redirect"));
  const words = html.visible.trim().length;
  if (html.pictures > 0 && words < 60 && host !== undefined)
    found.push(finding("picture_link", { what: host }));
  return found;
}
