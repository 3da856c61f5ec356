import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { Finding } from "../../model/screening.ts";

import { readMailDate } from "../mime/mail-date.ts";
import { finding } from "./finding.ts";

/** A clock may be set to the wrong zone, but not to more than half a day ahead. */
const MAX_AHEAD_MS = 12 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A label stands at the subject's start. */
const MAX_LABEL_CHARS = 40;

/**
 * Signals from headers that mail programs of people and of companies write as the standard says. Cheap: no
 * look at the bodies.
 */
export function headerSignals(mail: ParsedMail): Finding[] {
  return [...dateSignals(mail), ...recipientsSignals(mail), ...messageIdSignals(mail), ...labelSignals(mail)];
}

/**
 * Mail is dated ahead to stand first in a list. The arrival is what the last server on its way wrote (RFC
 * 5321, section 4.4).
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

/**
 * Programs for sending in bulk fill in what would name the recipients. An empty To of a blind copy is honest.
 */
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

/** Labels that laws ask of unsolicited advertising: the United States, Korea, China, Japan. */
const ADVERTISING =
  /^[\s\p{P}\p{S}]{0,5}(?:adv?[\s\p{P}]{0,2}[:)\]]|adv\b|광\s?고|廣告|广告|広告|未承諾広告)/iu;

function labelSignals({ subject }: ParsedMail): Finding[] {
  return ADVERTISING.test(subject.slice(0, MAX_LABEL_CHARS)) ? [finding("labelled_advertising")] : [];
}

function valueOf(headers: ParsedMail["headers"], wanted: string): string | undefined {
  return headers.find(({ name }) => name === wanted)?.value;
}
