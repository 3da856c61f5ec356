import type { SignalType } from "../../catalogue/signals.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { ContentFindings, Finding, ScreeningResult } from "../../model/screening.ts";
import { linksIn } from "../links/text-links.ts";
import { foldText } from "./engine/fold.ts";
import { namesPattern } from "./engine/names-in-text.ts";
import { once } from "./engine/once.ts";
import type { Words } from "./engine/words.ts";
import { examinedPart, type Passage, passageOf, readPassage } from "./reading.ts";
import { type Softening, scoreOf } from "./score/score.ts";
import { attachmentSignals } from "./signals/attachment-signals.ts";
import { firstContactSignals } from "./signals/first-contact.ts";
import { headerSignals } from "./signals/header-signals.ts";
import { attachedInstructions, hiddenSignals, instructionsAside } from "./signals/hidden-signals.ts";
import { domainOf, hostsOfLinks, organisationOf } from "./signals/hosts.ts";
import { type HtmlView, viewHtml } from "./signals/html-view.ts";
import { layoutSignals } from "./signals/layout-signals.ts";
import { LINK_LITERALS, type LinkScene, linkSignals } from "./signals/link-signals.ts";
import { unrelatedSignals } from "./signals/sender-name.ts";
import { freemailSignals, type ScreenedSender, senderSignals } from "./signals/sender-signals.ts";
import { INSTRUCTION_WORDS } from "./words/lexicons.ts";

export { SUSPICIOUS_FROM } from "../../catalogue/signals.ts";
export { toSafety } from "./score/score.ts";
export { type ScreenedSender, UNKNOWN_SENDER } from "./signals/sender-signals.ts";

/** The input of screening: the parsed mail, and what is known about its sender. */
export interface ScreeningInput {
  mail: ParsedMail;
  sender: ScreenedSender;
}

/** Returns the signals that are nearly free and available whatever happens later: sender, authentication, headers. */
export function cheapSignals(input: ScreeningInput): Finding[] {
  const found = onePerType([...senderSignals(input.mail, input.sender), ...headerSignals(input.mail)]);
  return input.sender.trusted && input.sender.authenticated
    ? found.filter(({ type }) => !NOVELTY.has(type))
    : found;
}

/**
 * Signals that only say that the sender is unknown: they don't count against an authenticated sender whom an owner
 * trusts.
 */
const NOVELTY: ReadonlySet<string> = new Set<SignalType>([
  "known_name_other_address",
  "random_sender",
  "hosted_sender",
  "risky_sender",
]);

/**
 * Screens a mail's content: pure, linear in its (capped) size. `deadline` is called before each family of
 * signals; once it returns true, the findings so far are returned with `timed_out`.
 */
export function screenContent(mail: ParsedMail, deadline: () => boolean = () => false): ContentFindings {
  const findings: Finding[] = [];
  const scene = sceneOf(mail);
  for (const family of FAMILIES) {
    if (deadline()) return { findings: onePerType(findings), timed_out: true };
    findings.push(...family(scene));
  }
  return { findings: onePerType([...findings, ...freemailSignals(mail, findings)]), timed_out: false };
}

/** Scores a mail from its content findings and what is known about its sender; cheap signals come first. */
export function judgeMail(input: ScreeningInput, { findings, timed_out }: ContentFindings): ScreeningResult {
  const found = [...cheapSignals(input), ...findings];
  const distinct = onePerType([...found, ...firstContactSignals(input.mail, input.sender, found)]);
  return { score: scoreOf(distinct, softeningFor(input)), findings: distinct, timed_out };
}

/** Screens a mail in one call: its content and its sender. */
export function screenMail(
  input: ScreeningInput,
  options: { deadline?: () => boolean } = {},
): ScreeningResult {
  return judgeMail(input, screenContent(input.mail, options.deadline));
}

/** A mail as the signal families see it; expensive parts are computed on first use, once. */
interface Scene {
  mail: ParsedMail;
  text: string;
  html: () => HtmlView | null;
  passages: () => Passages;
  links: () => LinkScene;
}

/** The texts of a mail that a person reads. `html` is null when it says the same as the text. */
interface Passages {
  subject: Passage;
  text: Passage;
  html: Passage | null;
}

const FAMILIES: ReadonlyArray<(scene: Scene) => Finding[]> = [
  (scene) => written(scene).flatMap(readPassage),
  (scene) => hiddenSignals(written(scene), scene.html()),
  ({ links }) => linkSignals(links()),
  ({ mail, links }) =>
    mail.from.slice(0, 1).flatMap((author) => unrelatedSignals(author, () => links().links)),
  pageSignals,
  ({ mail, passages }) =>
    mail.attachments.length === 0 ? [] : attachmentSignals(mail.attachments, passages().text.folded),
  ({ mail }) => attachedInstructions(mail.attachments),
  ({ mail }) => instructionsAside(mail),
];

/** Many readers display plain text with markup as HTML, so it is examined as both. */
const MARKUP = /<!--|<(?:div|span|p|a|font|table|html|body|img|style)[ >]/i;

function sceneOf(mail: ParsedMail): Scene {
  const text = examinedPart(mail.text);
  const html = once(() => {
    const markup = mail.html ?? (text.includes("<") && MARKUP.test(text) ? mail.text : null);
    return markup === null ? null : viewHtml(examinedPart(markup));
  });
  const passages = once(() => passagesOf(mail, text, html()));
  return { mail, text, html, passages, links: once(() => linkSceneIn({ mail, text, html, passages })) };
}

function passagesOf(mail: ParsedMail, text: string, html: HtmlView | null): Passages {
  const names = namesPattern(mail.to, MACHINE_WORDS);
  return {
    subject: passageOf(mail.subject.slice(0, MAX_SUBJECT_CHARS), "the subject", names),
    text: passageOf(text, "the text", names),
    html: html === null || sameWords(html.visible, text) ? null : passageOf(html.visible, "the HTML", names),
  };
}

/** The passages that aren't empty. */
function written({ passages }: Scene): Passage[] {
  const { subject, text, html } = passages();
  return [subject, text, html].filter(
    (passage): passage is Passage => passage !== null && passage.text.trim() !== "",
  );
}

/** Whether two texts have the same words, apart from white space. Most HTML repeats the text, and is then skipped. */
function sameWords(one: string, other: string): boolean {
  let at = 0;
  let beside = 0;
  for (;;) {
    while (at < one.length && beside < other.length && one.charCodeAt(at) === other.charCodeAt(beside)) {
      at += 1;
      beside += 1;
    }
    const [before, before_other] = [at, beside];
    while (isSpace(one.charCodeAt(at))) at += 1;
    while (isSpace(other.charCodeAt(beside))) beside += 1;
    if (at >= one.length || beside >= other.length) return at >= one.length && beside >= other.length;
    if (at === before && beside === before_other) return false;
  }
}

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const OTHER_SPACES: ReadonlySet<number> = new Set(
  Array.from(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    (space) => space.charCodeAt(0),
  ),
);

/** Whether a UTF-16 unit is white space, as `\s` is. */
const isSpace = (code: number): boolean =>
  code <= SPACE
    ? code === SPACE || (code >= 9 && code <= 13)
    : code >= NO_BREAK_SPACE && OTHER_SPACES.has(code);

const MAX_SUBJECT_CHARS = 2_000;
const MAX_RECIPIENTS = 20;

/** What machines are called, without the stems. */
const MACHINE_WORDS: ReadonlySet<string> = new Set(
  INSTRUCTION_WORDS.flatMap(({ words: { assistant = "", model = "" } }) =>
    `${assistant} ${model}`.split(" ").filter((word) => word !== ""),
  ),
);

/** The words of the mail that its reader sees. */
const shownWords = (passages: Passages): Words => (passages.html ?? passages.text).words;

/** Returns the facts about a mail for the link rules, for links found outside its words. */
export function linkSceneOf(mail: ParsedMail): LinkScene {
  return sceneOf(mail).links();
}

function linkSceneIn({ mail, text, html, passages }: Omit<Scene, "links">): LinkScene {
  const view = html();
  return {
    links: [...(holdsLinks(passages().text) ? linksIn(text) : []), ...(view?.links ?? [])],
    html: view,
    from_domain: domainOf(mail.from[0]?.address ?? ""),
    claims: () =>
      foldText(
        `${mail.from[0]?.name.slice(0, MAX_SUBJECT_CHARS) ?? ""} ${mail.subject.slice(0, MAX_SUBJECT_CHARS)}`,
      ),
    recipients: mail.to.slice(0, MAX_RECIPIENTS).map(({ address }) => address.toLowerCase()),
    words: shownWords(passages()),
    bulk: isBulk(mail),
  };
}

const holdsLinks = ({ literals }: Passage): boolean => LINK_LITERALS.some((each) => literals.has(each));

const isBulk = ({ headers }: ParsedMail): boolean =>
  headers.some(({ name }) => name === "list-unsubscribe" || name === "list-id");

function pageSignals({ mail, html, passages }: Scene): Finding[] {
  const view = html();
  if (view === null) return [];
  const from_domain = domainOf(mail.from[0]?.address ?? "");
  const hosts = hostsOfLinks(view.links);
  return layoutSignals({
    html: view,
    words: shownWords(passages()).count,
    from_domain,
    elsewhere: [...hosts].filter((host) => organisationOf(host) !== organisationOf(from_domain)),
    bulk: isBulk(mail),
    page_alone: mail.headers.some(
      ({ name, value }) => name === "content-type" && /^\s*text\/html/i.test(value),
    ),
  });
}

/**
 * In mail longer than this, such as newsletters, some words and links look like pressure or lures by sheer
 * number.
 */
const LONG_MAIL_CHARS = 8_000;

/**
 * Credits senders with an authenticated history with the inbox, or with its owner's trust; programs and hidden commands
 * get no credit. Authentication only says which domain is answerable, not whether it is honest: most phishing is
 * authenticated.
 */
export function softeningFor({ mail, sender }: ScreeningInput): Softening {
  const long = Math.max(mail.text.length, (mail.html?.length ?? 0) / 3) > LONG_MAIL_CHARS ? 0.6 : 1;
  if (sender.authenticated && sender.trusted)
    return {
      sender: 0.4,
      links: 0.5,
      layout: 0.4,
      credentials: 0.3,
      lures: 0.3,
      money: 0.5,
      instructions: 0.55,
      hidden: 0.8,
    };
  if (sender.authenticated && sender.known)
    return { sender: 0.6, links: 0.7 * long, layout: 0.6, credentials: 0.5, lures: 0.5 * long, money: 0.8 };
  return { links: long, credentials: long, lures: long };
}

function onePerType(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ type }) => !seen.has(type) && seen.add(type));
}
