import type { SenderFacts } from "../src/model/sender-facts.ts";

/** The fields of a mail that a test cares about; the rest gets defaults. */
export interface MailParts {
  from: string;
  to: string;
  subject?: string;
  text?: string;
  html?: string;
  message_id?: string;
  in_reply_to?: string;
  references?: string[];
  date?: string;
  /** Extra header lines, used verbatim. */
  headers?: string[];
}

let made = 0;

/** A raw mail as another server would send it: CRLF line ends, UTF-8, one body. */
export function buildMail(parts: MailParts): Uint8Array {
  const {
    from,
    to,
    subject = "Hello",
    text = "Hello there.\n",
    html,
    in_reply_to,
    references,
    headers = [],
  } = parts;
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${parts.message_id ?? `<mail-${++made}@sender.example>`}`,
    `Date: ${parts.date ?? "Thu, 01 Jan 2026 00:00:00 +0000"}`,
    ...(in_reply_to === undefined ? [] : [`In-Reply-To: ${in_reply_to}`]),
    ...(references === undefined ? [] : [`References: ${references.join(" ")}`]),
    ...headers,
    "MIME-Version: 1.0",
    `Content-Type: text/${html === undefined ? "plain" : "html"}; charset=utf-8`,
    "Content-Transfer-Encoding: 8bit",
    "",
    html ?? text,
  ];
  return new TextEncoder().encode(lines.join("\r\n").replace(/\r?\n/g, "\r\n"));
}

/** Sender facts of a mail signed by that domain, which has a DMARC policy. */
export function signedBy(domain: string): SenderFacts {
  return {
    spf: { result: "pass", domain },
    dkim: [
      {
        result: "pass",
        domain,
        identity_domain: domain,
        selector: "s1",
        strict_identity: false,
        body_length_limited: false,
        signs_from: true,
        repeats_signed: false,
        key_bits: 2048,
        key_hash: `key of ${domain}`,
        key_testing: false,
        signed_headers: ["from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "content-type"],
        signed_at: null,
        expires_at: null,
        signature: `signature-${++made}`,
      },
    ],
    arc: null,
    dmarc: { domain, policy: "reject", strict_dkim: false, strict_spf: false, apart: [] },
    dmarc_temperror: false,
    repeated_headers: [],
  };
}

/** Sender facts of a mail that only claims to come from that domain. */
export function forgedFrom(domain: string): SenderFacts {
  return {
    spf: { result: "fail", domain },
    dkim: [],
    arc: null,
    dmarc: { domain, policy: "none", strict_dkim: false, strict_spf: false, apart: [] },
    dmarc_temperror: false,
    repeated_headers: [],
  };
}
