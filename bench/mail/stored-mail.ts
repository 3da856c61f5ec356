import type { MakeId } from "../../packages/core/src/catalogue/ids.ts";
import type { MessageBodyRecord, MessageRecord } from "../../packages/core/src/model/messages.ts";
import { seeded } from "../../test/support/seeded.ts";
import { languageCount, textOf } from "./words.ts";

/** A label that every so many mails have: a rare one, as an agent puts on what it wants to find again. */
export const rareLabel = { name: "invoice", every: 100 };
/** A word that every so many mails hold; no language has it. */
export const rareWord = { word: "zyxwvut", every: 500 };
/** Stands in about a tenth of all mails. */
export const commonWord = "bitte";

const attached = {
  content_type: "application/pdf",
  content_id: null,
  disposition: "attachment" as const,
  size_bytes: 20_000,
  hash: "0".repeat(64),
};
const least = 1_000;
const most = 40_000;
const threadsAtMost = 60;
const attachmentEvery = 10;
const senders = 500;

/**
 * The mail of a number, the same for the same seed: 1 to 40 KB of text, most of it short, in 20 languages, in
 * threads of 1 to 60.
 */
export function storedMail(options: {
  number: number;
  seed: number;
  account_id: string;
  inbox_id: string;
  makeId: MakeId;
  now: Date;
}): { message: MessageRecord; body: MessageBodyRecord; answers: string | null } {
  const { number, seed, account_id, inbox_id, makeId, now } = options;
  const random = seeded(seed + number);
  const language = Math.floor(random() * languageCount);
  const chars = least * (most / least) ** (random() ** 3);
  const text = `${number % rareWord.every === 0 ? `${rareWord.word} ` : ""}${textOf(random, language, chars)}`;
  const place = placeInThread(number, seed);
  const from = `person${Math.floor(random() * senders)}@example.com`;
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
    subject: textOf(random, language, 40).slice(0, 60).replaceAll("\n", " "),
    extracted_text: text,
    status: "received",
    reply_to: null,
    in_reply_to: place === 0 ? null : referenceOf(number - 1),
    references: place === 0 ? [] : [referenceOf(number - 1)],
    message_id: referenceOf(number),
    labels: [
      "received",
      ...(number % 4 === 0 ? ["unread"] : []),
      ...(number % rareLabel.every === 0 ? [rareLabel.name] : []),
    ],
    provider: null,
    client_id: null,
    created_at,
    attachments:
      number % attachmentEvery === 0
        ? [{ id: makeId("att"), filename: `report-${number}.pdf`, ...attached }]
        : [],
    delivery_events: [],
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    safety: null,
    size_bytes: text.length,
    authenticated: true,
    dedupe_key: String(number),
    raw_hash: null,
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

const referenceOf = (number: number): string => `<${number}@example.com>`;

/** Threads follow each other; their lengths run through 1 to 60, short ones far more often. */
function placeInThread(number: number, seed: number): number {
  const block = Math.floor(number / threadsAtMost);
  let at = number % threadsAtMost;
  const random = seeded(seed ^ (block + 1));
  for (;;) {
    const length = 1 + Math.floor(random() ** 3 * threadsAtMost);
    if (at < length) return at;
    at -= length;
  }
}
