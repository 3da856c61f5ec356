import { LIMITS } from "../../catalogue/limits.ts";

/** Characters that browsers skip in a URL: spaces and controls around it, tabs and line breaks within. */
const AROUND = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const WITHIN = /[\t\n\r]+/g;
/** The schemes of links that are kept: nothing that runs here, and no path of this server. */
const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:", "sms:"]);
const CONTENT_ID = /^cid:(.+)$/is;
/** Pictures within the mail itself, of the kinds that nothing can run in. */
const DATA_PICTURE = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp)[;,]/i;

/** The target of a link: a place within the mail, or one away from it. */
export interface Link {
  href: string;
  leaves: boolean;
}

/** A picture as HTML or CSS names it: one that came with the mail, one written in it, or one elsewhere. */
export type PictureSource =
  | { kind: "attached"; url: string }
  | { kind: "written"; url: string }
  | { kind: "remote"; url: string };

const plain = (url: string): string => url.replace(AROUND, "").replace(WITHIN, "");

/** Returns the target of a link in a mail; undefined for one that may not be kept, such as a relative one. */
export function linkOf(value: string): Link | undefined {
  const href = plain(value);
  if (href.startsWith("#")) return { href, leaves: false };
  if (!URL.canParse(href)) return undefined;
  // Written whole: a browser reads `https:/path` as a path of this server.
  const url = new URL(href);
  return LINK_SCHEMES.has(url.protocol) ? { href: url.href, leaves: true } : undefined;
}

/**
 * The picture that a URL of a mail names; undefined if it names none. An attached one has the URL that `attachedUrl` makes
 * of its Content-ID, a remote one the URL that it is fetched from: by https alone, whatever the mail says.
 */
export function pictureOf(value: string): PictureSource | undefined {
  const url = plain(value);
  const content_id = CONTENT_ID.exec(url)?.[1];
  if (content_id !== undefined) return { kind: "attached", url: attachedUrl(decoded(content_id)) };
  if (DATA_PICTURE.test(url)) return { kind: "written", url };
  const absolute = /^[\\/]{2}/.test(url) ? `https:${url}` : url;
  if (!/^https?:/i.test(absolute) || !URL.canParse(absolute)) return undefined;
  const remote = new URL(absolute);
  if (remote.username !== "" || remote.password !== "") return undefined;
  remote.protocol = "https:";
  remote.hash = "";
  return remote.href.length > LIMITS.view_picture_url_chars
    ? undefined
    : { kind: "remote", url: remote.href };
}

/** The URL of a picture that came with the mail, by its Content-ID. */
export const attachedUrl = (content_id: string): string => `cid:${content_id}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One picture of a `srcset`, with what it says about its size. */
export interface Candidate {
  url: string;
  descriptor: string;
}

/** The pictures of a `srcset` (HTML, "4.8.4.3.10 Parsing a srcset attribute"). Linear. */
export function candidatesOf(srcset: string): Candidate[] {
  const candidates: Candidate[] = [];
  const part = /[\s,]*([^\s,]\S*)([^,]*)/gy;
  for (let found = part.exec(srcset); found !== null; found = part.exec(srcset)) {
    const [, run, rest] = found as unknown as [string, string, string];
    const url = run.replace(/,+$/, "");
    // A comma at the end of the URL ends the candidate: what follows is the next one.
    if (url !== run) part.lastIndex -= rest.length;
    candidates.push({ url, descriptor: url === run ? rest.trim() : "" });
  }
  return candidates.filter(({ descriptor }) => /^(?:\d{1,9}(?:\.\d{1,9})?[wx])?$/.test(descriptor));
}
