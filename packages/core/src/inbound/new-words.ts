import { type Extraction, extract } from "../extraction/extract.ts";
import type { MailParser } from "../ports/mail-parser.ts";
import type { ParsedMail } from "./parsed-mail.ts";

const found = new WeakMap<ParsedMail, Promise<Extraction>>();

/** A mail's new words, looked for once however many inboxes it comes to, in the parser's threads where it has any. */
export function newWordsOf(parser: MailParser, mail: ParsedMail): Promise<Extraction> {
  const known = found.get(mail);
  if (known !== undefined) return known;
  const [sender] = mail.from;
  const { text, html, subject } = mail;
  const wanted = { text, html, subject, is_reply: mail.in_reply_to !== null, ...(sender === undefined ? {} : { sender }) };
  const extraction = parser.extract === undefined ? Promise.resolve(extract(wanted)) : parser.extract(wanted);
  found.set(mail, extraction);
  return extraction;
}
