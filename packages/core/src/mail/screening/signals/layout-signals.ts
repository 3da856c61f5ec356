import type { Finding } from "../../../model/screening.ts";
import { belongsTo, brandOfHost } from "./brands.ts";
import { finding } from "./finding.ts";
import { hostingOfPictures, organisationOf } from "./hosts.ts";
import type { HtmlView } from "./html-view.ts";

/** The facts about a mail's page that the layout rules use. */
export interface Layout {
  html: HtmlView;
  /** The number of words of the page that its reader sees. */
  words: number;
  from_domain: string;
  /** Hosts of the links except the sender's own. */
  elsewhere: readonly string[];
  /** The mail has List-Unsubscribe or List-Id. */
  bulk: boolean;
  /** The mail is only a page, without plain text beside it. */
  page_alone: boolean;
}

/** A page with fewer characters than this says no more than a caption. */
const CAPTION_CHARS = 250;
/** A page with one button and fewer words than this consists of little else. */
const BUTTON_WORDS = 120;
/** Preheaders and hidden footers are shorter than this. */
const MUCH_HIDDEN_CHARS = 200;
const UNSUBSCRIBE =
  /unsubscribe|opt.?out|abmelden|abbestellen|d[ée]sabonner|d[ée]sinscri|darse de baja|cancelar (?:a )?(?:suscripci|assinatura|inscri)|descadastr|cancella|disiscri|afmelden|uitschrijven|wypisz|отпис|退订|退訂|配信停止|수신거부/iu;

/** Signals from how a mail's page is laid out. They need no language, and none of them holds a mail alone. */
export function layoutSignals(layout: Layout): Finding[] {
  const { html, words, elsewhere } = layout;
  const [host] = elsewhere;
  const shown = html.visible.trim().length;
  const found: Finding[] = [];
  if (host !== undefined && html.buttons > 0 && words < BUTTON_WORDS && elsewhere.length <= 2)
    found.push(finding("lone_button", { what: host }));
  if (html.pictures > 0 && shown < CAPTION_CHARS && host !== undefined) found.push(finding("caption_only"));
  found.push(...hiddenShare(html, shown));
  if (layout.page_alone) found.push(finding("page_alone"));
  if (!layout.bulk && html.links.some(({ text }) => UNSUBSCRIBE.test(text)))
    found.push(finding("unsubscribe_unannounced"));
  if (host !== undefined) found.push(...ofPictures(layout));
  return found;
}

function hiddenShare({ hidden }: HtmlView, shown: number): Finding[] {
  const unseen = hidden
    .filter(({ how }) => how.startsWith("text "))
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return unseen > MUCH_HIDDEN_CHARS && unseen > shown ? [finding("mostly_hidden")] : [];
}

/** Signals pictures that the sender took from a brand's own site, or put on an open host. */
function ofPictures({ html, from_domain, elsewhere }: Layout): Finding[] {
  const found: Finding[] = [];
  for (const host of html.picture_hosts) {
    if (organisationOf(host) === organisationOf(from_domain)) continue;
    const labels = brandOfHost(host);
    if (labels !== null && ![from_domain, ...elsewhere].some((other) => belongsTo(other, labels)))
      found.push(finding("brand_picture", { what: host }));
    if (hostingOfPictures(host)) found.push(finding("hosted_picture", { what: host }));
  }
  return found;
}
