import type { MakeId } from "../../packages/core/src/catalogue/ids.ts";
import type { MessageBodyRecord, MessageRecord } from "../../packages/core/src/model/messages.ts";
import { seeded } from "../../test/support/seeded.ts";
import { generateText, LANGUAGE_COUNT } from "./words.ts";

/** A rare label, on one in `every` mails. */
export const RARE_LABEL = { name: "invoice", every: 100 };
/** A made-up word, in one of `every` mails. */
export const RARE_WORD = { word: "zyxwvut", every: 500 };
/** A word in about a tenth of all mails. */
export const COMMON_WORD = "bitte";

const ATTACHMENT = {
  content_type: "application/pdf",
  content_id: null,
  disposition: "attachment" as const,
  size_bytes: 20_000,
  hash: "0".repeat(64),
};
const MIN_CHARS = 1_000;
const MAX_CHARS = 40_000;
const MAX_THREAD_LENGTH = 60;
const ATTACHMENT_EVERY = 10;
const SENDER_COUNT = 500;

/**
 * Generates a mail from its number and seed: 1 to 40 KB of text, usually short, in one of 20 languages, in
 * threads of 1 to 60.
 */
export function generateMail(options: {
  number: number;
  seed: number;
  account_id: string;
  inbox_id: string;
  makeId: MakeId;
  now: Date;
}): { message: MessageRecord; body: MessageBodyRecord; answers: string | null } {
  const { number, seed, account_id, inbox_id, makeId, now } = options;
  const random = seeded(seed + number);
  const language = Math.floor(random() * LANGUAGE_COUNT);
  const chars = MIN_CHARS * (MAX_CHARS / MIN_CHARS) ** (random() ** 3);
  const text = `${number % RARE_WORD.every === 0 ? `${RARE_WORD.word} ` : ""}${generateText(random, language, chars)}`;
  const place = positionInThread(number, seed);
  const from = `person${Math.floor(random() * SENDER_COUNT)}@example.com`;
  const created_at = now.toISOString();
  const id = makeId("msg");
  const message: MessageRecord = {
    id,
    account_id,
    inbox_id,
    thread_id: makeId("thr"),
    direction: "inbound",
    channel: "email",
    from,
    from_name: `Person ${from.slice(6, -12)}`,
    to: ["agent@agents.example.org"],
    cc: [],
    bcc: [],
    names: {},
    subject: generateText(random, language, 40).slice(0, 60).replaceAll("\n", " "),
    extracted_text: text,
    status: "received",
    envelope_to: "agent@agents.example.org",
    reply_to: null,
    more_reply_to: [],
    owner_copies: [],
    in_reply_to: place === 0 ? null : formatReference(number - 1),
    references: place === 0 ? [] : [formatReference(number - 1)],
    message_id: formatReference(number),
    labels: [
      "received",
      ...(number % 4 === 0 ? ["unread"] : []),
      ...(number % RARE_LABEL.every === 0 ? [RARE_LABEL.name] : []),
    ],
    provider: null,
    client_id: null,
    created_at,
    attachments:
      number % ATTACHMENT_EVERY === 0
        ? [{ id: makeId("att"), filename: `report-${number}.pdf`, ...ATTACHMENT }]
        : [],
    delivery_events: [],
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    outbound_findings: null,
    safety: null,
    redacted: false,
    size_bytes: text.length,
    authenticated: true,
    dedupe_key: String(number),
    raw_hash: null,
    unaddressed: [],
    phone: null,
    attention: null,
  };
  const body: MessageBodyRecord = {
    message_id: id,
    text: null,
    html: null,
    extracted_html: null,
    headers: {},
    extraction: { method: "whole", confidence: 0.95, removed_chars: 0 },
    decisions: null,
  };
  return { message, body, answers: message.in_reply_to };
}

const formatReference = (number: number): string => `<${number}@example.com>`;

/** Threads follow each other; they have 1 to 60 mails, usually few. */
function positionInThread(number: number, seed: number): number {
  const block = Math.floor(number / MAX_THREAD_LENGTH);
  let at = number % MAX_THREAD_LENGTH;
  const random = seeded(seed ^ (block + 1));
  for (;;) {
    const length = 1 + Math.floor(random() ** 3 * MAX_THREAD_LENGTH);
    if (at < length) return at;
    at -= length;
  }
}
