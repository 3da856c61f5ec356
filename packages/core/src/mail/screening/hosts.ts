import { getDomain, parse } from "tldts";

/** URL shorteners. */
export const SHORTENERS: ReadonlySet<string> = new Set(
  `bit.ly bitly.com tinyurl.com t.co goo.gl ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at t.ly tiny.cc lnkd.in
  s.id qrco.de bl.ink soo.gd trib.al dub.sh shorte.st adf.ly linktr.ee urlz.fr encurtador.com.br tny.im x.gd clck.ru vk.cc
  surl.li u.to n9.cl kutt.it short.gy linkr.it me2.kr han.gl`.split(/\s+/u),
);

/** Hosting where anyone can publish a page in a minute: the host name says nothing about the author. */
const PUBLIC_HOSTING: ReadonlySet<string> = new Set(
  `web.app firebaseapp.com storage.googleapis.com sites.google.com script.google.com forms.gle docs.google.com pages.dev workers.dev r2.dev
  vercel.app netlify.app herokuapp.com onrender.com glitch.me replit.app repl.co surge.sh github.io gitlab.io weebly.com weeblysite.com wixsite.com
  wixstudio.com blogspot.com wordpress.com square.site godaddysites.com webflow.io framer.app framer.website carrd.co notion.site jotform.com
  typeform.com formspree.io 000webhostapp.com azurewebsites.net azurestaticapps.net blob.core.windows.net web.core.windows.net cloudfront.net
  s3.amazonaws.com amplifyapp.com awsapprunner.com ipfs.io dweb.link cloudflare-ipfs.com onmicrosoft.com sharepoint.com translate.goog
  ngrok.io ngrok-free.app trycloudflare.com duckdns.org ddns.net hopto.org myftp.org yolasite.com strikingly.com mystrikingly.com
  canva.site lovable.app backblazeb2.com digitaloceanspaces.com ondigitalocean.app linodeobjects.com myqcloud.com aliyuncs.com fly.dev
  deno.dev railway.app gitbook.io zapier.app plesk.page tempurl.host webcindario.com`.split(/\s+/u),
);

/** Free mailbox providers: an organisation doesn't take replies there. */
export const FREE_MAIL: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com icloud.com me.com mail.com gmx.com gmx.net
  gmx.de web.de proton.me protonmail.com tutanota.com zoho.com yandex.ru yandex.com mail.ru bk.ru inbox.ru rambler.ru qq.com 163.com 126.com
  sina.com naver.com daum.net libero.it virgilio.it orange.fr laposte.net free.fr wanadoo.fr uol.com.br bol.com.br terra.com.br hotmail.fr
  hotmail.co.uk yahoo.co.uk yahoo.fr yahoo.co.jp outlook.fr outlook.es hotmail.es hotmail.it wp.pl o2.pl interia.pl seznam.cz`.split(
    /\s+/u,
  ),
);

/** Top-level domains that are cheap or free and mostly abused. A weak signal: honest people use them too. */
export const RISKY_ENDINGS: ReadonlySet<string> = new Set(
  `xyz top click icu cfd sbs tk ml ga cf gq buzz rest zip mov quest cyou monster bond lol autos beauty hair skin makeup mom boats yachts
  homes vip win bid loan men stream download racing party review trade cricket science accountant faith gdn surf cam country kim`.split(
    /\s+/u,
  ),
);

/**
 * The organisational domain of a host or mail domain (public suffix list, ICANN part), or the host itself
 * when it has none.
 */
export function organisationOf(host: string): string {
  return getDomain(host) ?? host.toLowerCase();
}

/** The domain of a mail address, lower case; empty when there is none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf("@");
  return at < 0 ? "" : address.slice(at + 1).toLowerCase();
}

/** The longest host name (RFC 1035, section 3.1). */
const MAX_HOST_CHARS = 253;

/** The public hosting service that a host belongs to, or null. */
export function hostingOf(host: string): string | null {
  for (let rest = host.slice(-MAX_HOST_CHARS), dot = 0; dot >= 0; rest = rest.slice(dot + 1)) {
    if (PUBLIC_HOSTING.has(rest)) return rest;
    dot = rest.indexOf(".");
  }
  return null;
}

/** Whether the ending of a host is one that exists, by the public suffix list. */
export function hasKnownEnding(host: string): boolean {
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true;
}

/** Whether an organisation's name looks made up by a machine: letters and digits in turn, or no vowel for long. */
export function looksMadeUp(host: string): boolean {
  const label = organisationOf(host).split(".")[0] ?? "";
  if (label.startsWith("xn--")) return false;
  const letters = label.replace(/[^a-z]/g, "");
  return (
    /[bcdfghjklmnpqrstvwxz]{6}/.test(label) ||
    /(?:[a-z]+\d+){2}[a-z]|[a-z]{4,}\d{3,}$|\d{5,}/.test(label) ||
    (letters.length >= 9 && (letters.match(/[aeiouy]/g)?.length ?? 0) / letters.length < 0.2) ||
    label.split("-").length > 3
  );
}

/** The last label of a host. */
export function endingOf(host: string): string {
  return host.slice(host.lastIndexOf(".") + 1);
}
