import { classesOf, type HtmlElement, idOf, NO_ATTRIBUTES } from "./html-tree.ts";

/**
 * The meaning of an element for its content: `quote` contains history; `attribution` contains history up to its last
 * quote; `history` starts it, and everything after is history; `signature` is a signature.
 */
export type HtmlSign = "quote" | "attribution" | "history" | "signature";

interface SignRule {
  sign: HtmlSign;
  reason: string;
  ids?: readonly string[];
  classes?: readonly string[];
  when?: (element: HtmlElement) => boolean;
}

// Word writes the width last and in points, unlike any designer.
const OUTLOOK_BORDER = /border-top:\s*solid\s+(?:#[0-9a-f]{6}|windowtext)\s+1\.0pt/i;

/** The markup that mail clients put around history and signatures. */
export const SIGN_RULES: readonly SignRule[] = [
  {
    sign: "attribution",
    classes: ["gmail_quote", "gmail_quote_container"],
    when: isContainer,
    reason:
      "Gmail: the line above the quote, the quote, what is written below it and, at times, the writer's words",
  },
  {
    sign: "quote",
    classes: ["gmail_quote"],
    when: (element) => element.name === "blockquote",
    reason: "Gmail",
  },
  {
    sign: "quote",
    classes: ["gmail_attr", "gmail_quote_attribution"],
    reason: "Gmail: the line above the quote",
  },
  {
    sign: "quote",
    when: (element) => element.name === "blockquote" && element.attributes.type?.toLowerCase() === "cite",
    reason: "Apple Mail, Thunderbird, Proton",
  },
  { sign: "quote", classes: ["moz-cite-prefix"], reason: "Thunderbird: the line above the quote" },
  {
    sign: "quote",
    classes: ["yahoo_quoted", "yahoo-quoted", "ymail_android_quoted"],
    ids: ["yahoo_quoted"],
    reason: "Yahoo",
  },
  { sign: "quote", classes: ["protonmail_quote"], reason: "Proton" },
  { sign: "quote", classes: ["tutanota_quote"], reason: "Tuta" },
  {
    sign: "quote",
    classes: ["zmail_extra", "zmail_quote", "zm_quote"],
    ids: ["zmail_extra"],
    reason: "Zoho",
  },
  {
    sign: "quote",
    classes: ["front-blockquote", "hs_reply", "freshdesk_quote", "missive_quote"],
    reason: "Front, HubSpot, Freshdesk, help desks",
  },
  { sign: "quote", classes: ["ntes-mailmaster-quote"], reason: "NetEase's app on phones" },
  { sign: "quote", ids: ["olk_src_body_section"], reason: "Outlook for Mac" },
  {
    sign: "quote",
    when: (element) => isNamed(element, "quote", "messagereplysection"),
    reason: "GMX, web.de, Spark",
  },
  {
    sign: "history",
    ids: ["appendonsend"],
    reason: "Outlook on the web: an empty element above the history",
  },
  { sign: "history", ids: ["divrplyfwdmsg"], reason: "Outlook on the web: the header of the history" },
  {
    sign: "history",
    ids: ["mail-editor-reference-message-container", "ms-outlook-mobile-reference-message", "isreplycontent"],
    classes: ["ms-outlook-mobile-reference-message"],
    reason: "new Outlook, Outlook on phones, NetEase",
  },
  { sign: "history", classes: ["outlookmessageheader"], reason: "Outlook 2003" },
  {
    sign: "history",
    ids: ["stopspelling", "zwchr"],
    when: (element) => element.name === "hr",
    reason: "Hotmail, Zimbra",
  },
  {
    sign: "history",
    when: (element) =>
      element.name === "div" && OUTLOOK_BORDER.test(element.attributes.style ?? "") && holdsHeader(element),
    reason: "Outlook 2007 and later draw a line above the header",
  },
  { sign: "signature", classes: ["gmail_signature", "gmail_signature_prefix"], reason: "Gmail" },
  { sign: "signature", classes: ["moz-signature"], reason: "Thunderbird" },
  {
    sign: "signature",
    ids: [
      "signature",
      "applemailsignature",
      "ms-outlook-mobile-signature",
      "ms-outlook-mobile-body-separator-line",
      "ymail_android_signature",
      "composer_signature",
    ],
    classes: ["ms-outlook-mobile-signature"],
    reason: "Outlook, Apple Mail, Yahoo, Samsung",
  },
  {
    sign: "signature",
    classes: ["protonmail_signature_block", "zmail_signature", "yahoo-signature", "tutanota_signature"],
    reason: "Proton, Zoho, others",
  },
  {
    sign: "signature",
    when: (element) =>
      element.attributes["data-signatureblock"] === "true" ||
      element.attributes["data-marker"] === "__SIG_PRE__" ||
      isNamed(element, "messagesignaturesection"),
    reason: "Windows Mail, Zimbra, Spark",
  },
];

/** Rules without id or class, which may match any element with an attribute. */
const SHAPE_RULES = SIGN_RULES.filter(({ ids, classes }) => ids === undefined && classes === undefined);

/** Returns the element's meaning for its content, or null. */
export function signOf(element: HtmlElement): HtmlSign | null {
  if (element.attributes === NO_ATTRIBUTES) return null;
  const { id: rawId, class: rawClass } = element.attributes;
  const rules = rawId === undefined && rawClass === undefined ? SHAPE_RULES : SIGN_RULES;
  const id = idOf(element);
  const classes = classesOf(element);
  return rules.find((rule) => applies(rule, element, id, classes))?.sign ?? null;
}

function applies(rule: SignRule, element: HtmlElement, id: string, classes: readonly string[]): boolean {
  const named = rule.ids !== undefined || rule.classes !== undefined;
  const matches =
    (id !== "" && rule.ids?.includes(id) === true) ||
    classes.some((name) => rule.classes?.includes(name) === true);
  return (!named || matches) && (rule.when?.(element) ?? true);
}

function isNamed(element: HtmlElement, ...names: string[]): boolean {
  return (
    /^(?:div|blockquote|section)$/.test(element.name) &&
    names.includes(element.attributes.name?.toLowerCase() ?? "")
  );
}

function isContainer(element: HtmlElement): boolean {
  return element.name !== "blockquote";
}

const HEADER_DEPTH = 8;

// The border alone may be design; with "From:" in bold below it, it is Outlook's.
function holdsHeader(element: HtmlElement, depth = 0): boolean {
  const first = element.children.find((child) => child.kind === "element" || child.text.trim() !== "");
  if (first === undefined || depth > HEADER_DEPTH) return false;
  if (first.kind === "text") return /^[\s\u200e]*[\p{L} ]{1,20}[:：]/u.test(first.text);
  return holdsHeader(first, depth + 1);
}
