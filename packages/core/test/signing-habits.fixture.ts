/** The signing habits of a provider: the names in `h=`, and whether these tie a reply to the mail that it answers. */
interface Habit {
  headers: readonly string[];
  ties: boolean;
}

const lists = (names: string): readonly string[] => names.split(":");

/**
 * The header fields that large providers sign in what their users write. Read from DKIM-Signature lines of raw
 * mail that they sent (public collections of phishing of 2022 to 2026, of bounces, and of a DKIM library): only the lists of
 * names, which are facts of their software. A name twice is signed once more than it is there, so that none
 * can be added.
 */
export const HEADERS_SIGNED_BY: Record<string, Habit> = {
  // Signs no Content-Type; oversigns From, To, Cc, Subject, Date, Message-ID and Reply-To.
  gmail: {
    headers: lists(
      "to:subject:message-id:date:from:in-reply-to:references:mime-version:from:to:cc:subject:date:message-id:reply-to",
    ),
    ties: true,
  },
  // A company's domain at the same provider.
  "google workspace": {
    headers: lists(
      "to:subject:message-id:date:mime-version:from:from:to:cc:subject:date:message-id:reply-to",
    ),
    ties: true,
  },
  // Neither To nor In-Reply-To: a reply counts only when SPF passes.
  "outlook.com": {
    headers: lists("from:date:subject:message-id:content-type:mime-version:x-ms-exchange-senderadcheck"),
    ties: false,
  },
  "microsoft 365": {
    headers: lists("from:date:subject:message-id:content-type:mime-version:x-ms-exchange-senderadcheck"),
    ties: false,
  },
  yahoo: { headers: lists("date:from:to:subject:from:subject"), ties: true },
  aol: { headers: lists("date:from:to:subject:references:from:subject:reply-to"), ties: true },
  icloud: { headers: lists("to:from:subject:date:message-id:content-type:mime-version"), ties: true },
  proton: {
    headers: lists(
      "date:to:from:subject:message-id:feedback-id:from:to:cc:date:subject:reply-to:feedback-id:message-id:bimi-selector",
    ),
    ties: true,
  },
  // The shortest: neither recipients nor Message-ID.
  "web.de": { headers: lists("x-ui-sender-class:from:subject:date"), ties: false },
  yandex: { headers: lists("from:to:subject:date"), ties: true },
  "amazon ses": {
    headers: lists(
      "from:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding:feedback-id",
    ),
    ties: true,
  },
  // Leaves Date open, so its signature alone proves no order and no answer.
  sendgrid: {
    headers: lists(
      "from:subject:mime-version:to:content-type:content-transfer-encoding:cc:content-type:from:subject:to",
    ),
    ties: false,
  },
  // A helpdesk through which people answer.
  zendesk: {
    headers: lists(
      "date:from:reply-to:to:message-id:in-reply-to:subject:mime-version:content-type:content-transfer-encoding",
    ),
    ties: true,
  },
  "a university's own server": {
    headers: lists("received:received:from:to:subject:date:message-id"),
    ties: true,
  },
};
