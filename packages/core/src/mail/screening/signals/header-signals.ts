import type { ParsedMail } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";

import { readMailDate } from "../../mime/mail-date.ts";
import { finding } from "./finding.ts";

/** A clock may be in the wrong time zone, but not more than half a day ahead. */
const MAX_AHEAD_MS = 12 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A label is at the start of the subject. */
const MAX_LABEL_CHARS = 40;

/**
 * Signals from headers that normal mail programs write to the standard. Cheap: doesn't look at the bodies.
 */
export function headerSignals(mail: ParsedMail): Finding[] {
  return [
    ...dateSignals(mail),
    ...recipientsSignals(mail),
    ...messageIdSignals(mail),
    ...labelSignals(mail),
    ...programSignals(mail),
  ];
}

/**
 * Spam is dated ahead to sort first. The arrival time is from the topmost Received header (RFC 5321, section
 * 4.4).
 */
function dateSignals({ headers, date }: ParsedMail): Finding[] {
  const received = valueOf(headers, "received");
  const arrived = received === undefined ? null : readMailDate(received.slice(received.lastIndexOf(";") + 1));
  if (date === null || arrived === null) return [];
  const ahead = Date.parse(date) - Date.parse(arrived);
  if (ahead <= MAX_AHEAD_MS) return [];
  return [
    finding("date_ahead", {
      what: ahead < DAY_MS ? "half a day" : `${Math.floor(ahead / DAY_MS)} days`,
    }),
  ];
}

/** Bulk mailers put placeholder text in To. An empty To in a blind copy is honest. */
function recipientsSignals({ headers }: ParsedMail): Finding[] {
  const to = valueOf(headers, "to");
  return to !== undefined && /\bundisclosed\b/i.test(to.slice(0, MAX_LABEL_CHARS))
    ? [finding("undisclosed_recipients")]
    : [];
}

function messageIdSignals({ headers }: ParsedMail): Finding[] {
  const id = valueOf(headers, "message-id");
  return id === undefined || /^\s*<[^<>@\s]{1,500}@[^<>@\s]{1,500}>/.test(id)
    ? []
    : [finding("odd_message_id")];
}

/** Labels that laws require on unsolicited advertising: the United States, Korea, China, Japan. */
const ADVERTISING =
  /^[\s\p{P}\p{S}]{0,5}(?:adv?[\s\p{P}]{0,2}[:)\]]|adv\b|광\s?고|廣告|广告|広告|未承諾広告)/iu;

function labelSignals({ subject }: ParsedMail): Finding[] {
  return ADVERTISING.test(subject.slice(0, MAX_LABEL_CHARS)) ? [finding("labelled_advertising")] : [];
}

/** Programs that people don't write mail with: scripts of web pages. */
const SCRIPTS = /^x-php-|^x-(?:source|get-message-sender|mailer-script)/;
const SCRIPT_MAILERS = /\b(?:php|phpmailer|leaf|python|smtplib|swiftmailer|perl|curl|powershell|mass|blast)/i;

function programSignals({ headers }: ParsedMail): Finding[] {
  const found: Finding[] = [];
  const mailer = valueOf(headers, "x-mailer") ?? "";
  if (headers.some(({ name }) => SCRIPTS.test(name)) || SCRIPT_MAILERS.test(mailer.slice(0, MAX_LABEL_CHARS)))
    found.push(finding("sent_by_script"));
  if (
    /^\s*[12]/.test(valueOf(headers, "x-priority") ?? "") ||
    /^\s*high/i.test(valueOf(headers, "importance") ?? valueOf(headers, "x-msmail-priority") ?? "")
  )
    found.push(finding("marked_urgent"));
  return found;
}

function valueOf(headers: ParsedMail["headers"], wanted: string): string | undefined {
  return headers.find(({ name }) => name === wanted)?.value;
}
