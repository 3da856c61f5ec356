import { getDomain, parse } from "tldts";
import { organisationalDomain } from "../../sender/alignment.ts";
import { remembering } from "../engine/remember.ts";

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
  deno.dev railway.app gitbook.io zapier.app plesk.page tempurl.host webcindario.com
  amazonaws.com core.windows.net azureedge.net azurefd.net cloudapp.azure.com cloudapp.net appspot.com run.app cloudfunctions.net
  forms.office.com customervoice.microsoft.com sway.office.com sway.cloud.microsoft dynamics.com express.adobe.com indd.adobe.com
  page.link app.link goo.su telegra.ph tilda.ws webnode.page jimdosite.com jimdofree.com site123.me bubbleapps.io softr.app glide.page
  supabase.co oraclecloud.com wasabisys.com vultrobjects.com b-cdn.net fleek.co arweave.net pinata.cloud nftstorage.link w3s.link
  bravesites.com atwebpages.com epizy.com rf.gd great-site.net byethost.com altervista.org hostingersite.com mybluehost.me temp.domains
  wpcomstaging.com wpengine.com myshopify.com webwave.dev tumblr.com hubspotpagebuilder.com hs-sites.com systeme.io clickfunnels.com
  formstack.com cognitoforms.com paperform.co tally.so surveymonkey.com google.com.vc evernote.com padlet.com mailchi.mp
  campaign-archive.com dynv6.net no-ip.org serveo.net loca.lt gradio.live hf.space streamlit.app pythonanywhere.com`.split(
    /\s+/u,
  ),
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

/** The most hosts about which facts are remembered. */
export const MAX_REMEMBERED_HOSTS = 5_000;

/**
 * The organisational domain of a host or mail domain (public suffix list, ICANN part), or the host itself
 * when it has none.
 */
export const organisationOf: (host: string) => string = remembering(
  MAX_REMEMBERED_HOSTS,
  (host) => getDomain(host) ?? host.toLowerCase(),
);

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

/**
 * The organisation that a domain's addresses belong to, as domains are aligned (private suffixes count); null where anybody
 * can have an address: at providers of mailboxes and on public hosting.
 */
export function organisationBehind(domain: string): string | null {
  const organisation = organisationalDomain(domain);
  return domain === "" || FREE_MAIL.has(organisation) || hostingOf(domain) !== null ? null : organisation;
}

/** Whether the ending of a host is one that exists, by the public suffix list. */
export const hasKnownEnding: (host: string) => boolean = remembering(MAX_REMEMBERED_HOSTS, (host) => {
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true;
});

/** Whether an organisation's name looks machine-made: alternating letters and digits, or a long run without a vowel. */
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

/** The hosts where anybody can put a picture, or take one from. */
const PICTURE_HOSTING: ReadonlySet<string> = new Set(
  `imgur.com i.imgur.com postimg.cc ibb.co imgbb.com imageshack.com tinypic.com photobucket.com wikimedia.org gyazo.com prnt.sc
  bp.blogspot.com blogger.googleusercontent.com encrypted-tbn0.gstatic.com pinimg.com flickr.com staticflickr.com imgbox.com
  freepik.com flaticon.com pngtree.com seeklogo.com logos-world.net 1000logos.net iconfinder.com wikipedia.org discordapp.com`.split(
    /\s+/u,
  ),
);

/** Whether a picture's host is one of these. */
export function hostingOfPictures(host: string): boolean {
  return PICTURE_HOSTING.has(host) || PICTURE_HOSTING.has(organisationOf(host));
}

/** Pages of large sites that redirect visitors to any target that the link names, without showing it. */
const REDIRECTORS =
  /^(?:www\.)?(?:google\.[a-z.]{2,6}\/(?:url|amp)|bing\.com\/ck\/|linkedin\.com\/(?:slink|redir)|youtube\.com\/redirect|l\.(?:facebook|instagram)\.com\/l\.php|googleadservices\.com\/|adclick\.g\.doubleclick\.net|(?:ad|cm)\.doubleclick\.net|t\.umblr\.com|href\.li\/|duckduckgo\.com\/l\/|r\.search\.yahoo\.com|cc\.naver\.com|slack-redir\.net|medium\.com\/r\/|vk\.com\/away|steamcommunity\.com\/linkfilter|login\.microsoftonline\.com\/[^?]{0,80}\?[^#]{0,300}redirect_uri)/i;

/** Whether a URL is such a page. */
export const isRedirector = (url: URL): boolean =>
  REDIRECTORS.test(`${url.host}${url.pathname}${url.search}`.slice(0, 500));

const HOST_OF_LINK = /^\s{0,9}(?:https?:)?\/\/(?:[^/?#@\s]{0,100}@)?([\w.-]{1,253})/i;

/** The hosts that links of a page lead to. */
export const hostsOfLinks = (links: readonly { href: string }[]): ReadonlySet<string> =>
  new Set(links.flatMap(({ href }) => HOST_OF_LINK.exec(href)?.[1]?.toLowerCase() ?? []));
