import { cleanText } from "../annotated-view/frame.ts";

/** The target of a link, as far as it can be read. */
export interface LinkTarget {
  /**
   * The whole address of a page, as a browser reads it; undefined for other kinds, for one that is too long, and for one
   * with a name before its host.
   */
  url: string | undefined;
  /** The host of a page; empty for other kinds. */
  host: string;
  /** The host of a page with its scheme, the address of a mail, or the kind of anything else. */
  short: string;
}

/** A longer address isn't shown whole. */
export const MAX_SHOWN_URL_CHARS = 2_000;
const MAX_READ_CHARS = 4_096;
const MAX_TARGET_CHARS = 120;

/** Reads where a link leads; null for one within its page, or without a target. */
export function linkTarget(href: string): LinkTarget | null {
  const url = cleanText(href).trim();
  if (url === "" || url.startsWith("#")) return null;
  const parsed = URL.parse(url.slice(0, MAX_READ_CHARS));
  const none = { url: undefined, host: "" };
  if (parsed === null) return { ...none, short: "a link to nowhere" };
  const { protocol, host, pathname, search, hash, username, password, href: whole } = parsed;
  if (protocol === "mailto:" || protocol === "tel:")
    return { ...none, short: cut(`${protocol}${pathname.replace(/[()\s]/gu, "")}`) };
  if (protocol !== "http:" && protocol !== "https:") return { ...none, short: `a link of kind ${protocol}` };
  const more = pathname.length > 1 || search !== "" ? "/…" : "";
  const short = `${protocol}//${cut(host)}${more}`;
  // A name before the host may look like one.
  if (`${username}${password}` !== "" || url.length > MAX_READ_CHARS || whole.length > MAX_SHOWN_URL_CHARS)
    return { url: undefined, host, short };
  return { url: more === "" && hash === "" ? whole.replace(/\/$/, "") : whole, host, short };
}

const cut = (text: string): string =>
  text.length > MAX_TARGET_CHARS ? `${text.slice(0, MAX_TARGET_CHARS)}…` : text;

/** An address without the signs that end it where it stands in parentheses. */
export const inParentheses = (url: string): string => url.replaceAll("(", "%28").replaceAll(")", "%29");

/** Whether a link's text is its target, but for what a browser leaves out or adds. */
export function showsTarget(label: string, { url, short }: LinkTarget): boolean {
  const said = label.trim();
  if (url === undefined) return `mailto:${said}` === short || `tel:${said}` === short;
  if (/\s/u.test(said)) return false;
  const read = URL.parse(said) ?? URL.parse(`https://${said}`);
  return read !== null && bare(read.href) === bare(url);
}

const bare = (url: string): string => url.replace(/^https?:/, "").replace(/\/$/, "");
