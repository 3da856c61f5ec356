import type { MailAddress, MailHeader, ParsedMail } from "../../model/parsed-mail.ts";
import type { ReadMail } from "../../model/read-mail.ts";
import { LINK_REMOVED } from "./marks.ts";

/**
 * The place of a text in a mail: `text`, `html` and `filename` are for people; a `header` too, unless mail programs
 * write it for each other, like an `id` (of messages, of servers, signatures, dates) and an `address`. `bytes` have no
 * known charset and are read as one character each.
 */
export type Place = "text" | "html" | "header" | "filename" | "id" | "address" | "bytes";

/** Visits a text of a mail and returns its replacement, or the same text to leave it. */
export type Visit = (text: string, place: Place) => string;

/** A mail, parsed or already examined further. */
export type WalkedMail = ParsedMail & Partial<Pick<ReadMail, "extraction" | "screened">>;

/** Visits the texts of a mail outside its files. An address that becomes empty is left out. */
export function walkTexts<M extends WalkedMail>(mail: M, visitAny: Visit): M {
  const visit = onceForEach(visitAny);
  const person = ({ address, name }: MailAddress): MailAddress => ({
    address: walkAddress(address, visit),
    name: visit(name, "header"),
  });
  const people = (all: readonly MailAddress[]) =>
    all.map(person).filter(({ address }, index) => address !== "" || all[index]?.address === "");
  const { from, sender, reply_to, to, cc, extraction, screened } = mail;
  return {
    ...mail,
    headers: mail.headers.flatMap((header) => walkHeader(header, visit)),
    from: from.map(person),
    sender: sender === null ? null : person(sender),
    reply_to: people(reply_to),
    to: people(to),
    cc: people(cc),
    subject: visit(mail.subject, "header"),
    message_id: mail.message_id === null ? null : visit(mail.message_id, "id"),
    in_reply_to: mail.in_reply_to === null ? null : visit(mail.in_reply_to, "id"),
    references: mail.references.map((reference) => visit(reference, "id")),
    text: visit(mail.text, "text"),
    html: mail.html === null ? null : visit(mail.html, "html"),
    ...(extraction === undefined ? {} : { extraction: walkExtraction(extraction, visit) }),
    ...(screened === undefined ? {} : { screened: mapStrings(screened, (text) => visit(text, "text")) }),
  };
}

/** An address that is a secret is removed. */
function walkAddress(address: string, visit: Visit): string {
  const walked = visit(address, "address");
  return walked === LINK_REMOVED ? "" : walked;
}

function walkExtraction(extraction: ReadMail["extraction"], visit: Visit): ReadMail["extraction"] {
  const { extracted_text, extracted_html, links } = extraction;
  return {
    ...extraction,
    // A link that has something to remove is left out.
    links: links.filter(({ text, url }) => visit(text, "text") === text && visit(url, "text") === url),
    extracted_text: visit(extracted_text, "text"),
    extracted_html: extracted_html === null ? null : visit(extracted_html, "html"),
  };
}

/** Header fields that mail programs write for each other: their numbers and links are no text. */
const FOR_PROGRAMS =
  /^(?:message-id|in-reply-to|references|date|received|return-path|from|to|cc|sender|reply-to|arc-.*|.*dkim.*|domainkey-.*|authentication-results|received-spf|x-received|content-type)$/;

/** A header is dropped if its name contains something to remove. */
function walkHeader({ name, value }: MailHeader, visit: Visit): MailHeader[] {
  const line = visit(`${name}: ${value}`, FOR_PROGRAMS.test(name) ? "id" : "header");
  return line.startsWith(`${name}: `) ? [{ name, value: line.slice(name.length + 2) }] : [];
}

/** Longer texts are cached: the new words are nearly always the body itself. */
const REMEMBERED_CHARS = 200;

function onceForEach(visit: Visit): Visit {
  const known = new Map<Place, Map<string, string>>();
  return (text, place) => {
    if (text.length < REMEMBERED_CHARS) return text === "" ? text : visit(text, place);
    const at_place = known.get(place) ?? new Map<string, string>();
    known.set(place, at_place);
    const before = at_place.get(text);
    if (before !== undefined) return before;
    const after = visit(text, place);
    at_place.set(text, after);
    return after;
  };
}

/** Changes every string within a value. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
  const map = (each: unknown): unknown => {
    if (typeof each === "string") return change(each);
    if (Array.isArray(each)) return each.map(map);
    if (each === null || typeof each !== "object" || each instanceof Uint8Array) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, map(inner)]));
  };
  return map(value) as T;
}
