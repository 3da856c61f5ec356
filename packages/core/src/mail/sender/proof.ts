import { isOurSelector } from "../../catalogue/selectors.ts";
import { addressKey } from "../../model/address.ts";
import type { MailAddress, ParsedMail } from "../../model/parsed-mail.ts";
import type { DkimSignature, SenderFacts } from "../../model/sender-facts.ts";
import { isSameOrSubdomain } from "./alignment.ts";
import type { SenderAuthentication } from "./authentication.ts";

/**
 * The proven author of a mail. Only `person` is somebody outside, and owners and authorities are matched against it
 * alone. `inbox` is an inbox of this service, whatever its address; `none` proves nobody.
 */
export type Proof = PersonProof | InboxProof | NoProof;

/** Proof that an inbox of this service sent a mail within it. */
export interface InboxProof {
  kind: "inbox";
  inbox_id: string;
  account_id: string;
  /** In its canonical form. */
  address: string;
}

/** The absence of proof: nobody is shown to have written the mail. */
export interface NoProof {
  kind: "none";
  /** The reason, as the end of a sentence. */
  reason: string;
  /** Aligned signatures that prove nothing by themselves; a mail with one of them may be a replay. */
  signatures: readonly DkimSignature[];
}

/**
 * Proof that somebody outside wrote a mail as it came in: their server delivered it, or their signature covers From,
 * Date and Subject. Read from the mail before any of it is replaced; addresses are in their canonical form.
 */
export interface PersonProof {
  kind: "person";
  /** The peer that delivered it may send for the author's domain. */
  aligned_spf: boolean;
  /** Signatures that count and are aligned with the author's domain. */
  signatures: DkimSignature[];
  author: string;
  to: string[];
  cc: string[];
  /** Milliseconds since 1970; null when missing or unreadable. */
  date: number | null;
  message_id: string | null;
  in_reply_to: string | null;
  last_reference: string | null;
}

/** Creates the proof of a mail that shows nobody. */
export const noProof = (reason: string, signatures: readonly DkimSignature[] = []): NoProof => ({
  kind: "none",
  reason,
  signatures,
});

/** Whether a mail is proven to be written by the person outside who has this address. */
export const hasPersonProof = ({ proof }: { proof: Proof }, address: string): boolean =>
  proof.kind === "person" && proof.author === addressKey(address);

/** The header fields that must be unique: with a second one, it is unclear which one the author wrote. */
const SINGLE = [
  ...["from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"],
  ...["content-type", "content-transfer-encoding"],
];

/** The service's own domains and keys for sending its agents' mail. */
export interface OwnMarks {
  /** Its domains: keys and envelopes there, and below, are the service's own. */
  domains: readonly string[];
  /** Hashes of the mail's keys that are or ever were the service's own, wherever they are published now. */
  keys: readonly string[];
}

/**
 * Reads the proof of a mail from outside. Neither SPF nor a key that is `own` proves anything, because the service
 * sends its agents' mail with these.
 */
export function readProof(
  mail: Pick<
    ParsedMail,
    "headers" | "from" | "to" | "cc" | "date" | "message_id" | "in_reply_to" | "references" | "truncated"
  >,
  facts: Pick<SenderFacts, "spf" | "repeated_headers">,
  authentication: Pick<SenderAuthentication, "passes" | "aligned_spf" | "aligned_signatures">,
  own: OwnMarks,
): PersonProof | NoProof {
  const aligned_spf = authentication.aligned_spf && !isOwnDomain(own, facts.spf.domain);
  const signatures = authentication.aligned_signatures.filter((signature) => !isOwnKey(own, signature));
  const ambiguous = mail.truncated.includes("headers") || repeats(mail.headers, facts.repeated_headers);
  const doubt = doubtOfAuthor({ passes: authentication.passes, ambiguous, aligned_spf, signatures });
  if (doubt !== null) return noProof(doubt, signatures);
  return {
    kind: "person",
    aligned_spf,
    signatures,
    author: addressKey(mail.from[0]?.address ?? ""),
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    date: mail.date === null ? null : Date.parse(mail.date),
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    last_reference: mail.references.at(-1) ?? null,
  };
}

/** Returns the reason why a mail is not shown to be its author's, as the end of a sentence; null when it is. */
export function doubtOfAuthor({
  passes,
  ambiguous,
  aligned_spf,
  signatures,
}: Pick<PersonProof, "aligned_spf" | "signatures"> & {
  /** Our own check authenticated the author. */
  passes: boolean;
  /** One of the header fields that an order relies on occurs twice, or was cut off at a limit. */
  ambiguous: boolean;
}): string | null {
  if (!passes) return "its sender was not authenticated";
  if (ambiguous) return "a header that may be there once is there twice";
  if (aligned_spf) return null;
  if (signatures.length === 0) return "neither SPF nor a signature of the sender's own domain vouches for it";
  const doubts = signatures.map(doubtOfSignature);
  return doubts.includes(null)
    ? null
    : `SPF does not vouch for it, and its signature does not count: ${doubts[0]}`;
}

const isOwnDomain = ({ domains }: OwnMarks, domain: string | null): boolean =>
  domains.some((each) => isSameOrSubdomain((domain ?? "").toLowerCase(), each));

const isOwnKey = (own: OwnMarks, { domain, selector, key_hash }: DkimSignature): boolean =>
  isOwnDomain(own, domain) || isOurSelector(selector) || (key_hash !== null && own.keys.includes(key_hash));

/** Whether one of our own keys signed a mail with its author and its one Message-ID. */
export const hasOwnSignature = (
  { repeated_headers }: Pick<SenderFacts, "repeated_headers">,
  { aligned_signatures }: Pick<SenderAuthentication, "aligned_signatures">,
  own: OwnMarks,
): boolean =>
  !repeated_headers.includes("message-id") &&
  aligned_signatures.some(
    ({ domain, key_hash, signed_headers }) =>
      (isOwnDomain(own, domain) || (key_hash !== null && own.keys.includes(key_hash))) &&
      signed_headers.includes("message-id"),
  );

const addressesOf = (list: readonly MailAddress[]): string[] =>
  list.map(({ address }) => addressKey(address)).filter((address) => address !== "");

function repeats(headers: ParsedMail["headers"], found: readonly string[]): boolean {
  if (found.some((name) => SINGLE.includes(name))) return true;
  const seen: string[] = [];
  for (const { name } of headers) {
    if (!SINGLE.includes(name)) continue;
    if (seen.includes(name)) return true;
    seen.push(name);
  }
  return false;
}

/**
 * Returns the reason why an aligned signature is no proof of the mail's words, as the end of a sentence; null when it
 * is.
 */
export function doubtOfSignature({
  key_testing,
  signed_headers,
  body_length_limited,
}: DkimSignature): string | null {
  if (key_testing) return "its key is only for testing";
  if (body_length_limited) return "it leaves the end of the body unsigned";
  const open = ["From", "Date", "Subject"].find((name) => !signed_headers.includes(name.toLowerCase()));
  return open === undefined ? null : `it leaves ${open} unsigned`;
}

/**
 * Whether the author named the address as a recipient: in To or Cc covered by a signature, or in either if the author's
 * own server delivered the mail.
 */
export function isNamed(proof: PersonProof, isRecipient: (address: string) => boolean): boolean {
  const in_to = proof.to.some(isRecipient);
  const in_cc = proof.cc.some(isRecipient);
  if (proof.aligned_spf) return in_to || in_cc;
  return proof.signatures.some(
    (signature) =>
      doubtOfSignature(signature) === null &&
      ((in_to && signature.signed_headers.includes("to")) ||
        (in_cc && signature.signed_headers.includes("cc"))),
  );
}

/**
 * Returns the reason why a mail that a person wrote is still no trusted order to that recipient; null when it is one.
 * Either the author's own server delivered it, or a signature that counts covers the recipient.
 */
export function doubtOfOrder(proof: PersonProof, isRecipient: (address: string) => boolean): string | null {
  return proof.aligned_spf || isNamed(proof, isRecipient)
    ? null
    : "SPF does not vouch for it, and no signature covers a To or Cc that names this inbox";
}

/** The letter that a mail came back to. */
export interface AnsweredLetter {
  /** The reply address that the mail was delivered to, in lower case. */
  reply_address: string;
  /** Whether a Message-ID is the letter's: that of its header, or what a relay made of it. */
  is_named_by: (message_id: string) => boolean;
  /** Milliseconds since 1970. */
  sent_at: number;
}

/** The tolerated difference between a sender's clock and ours. */
export const CLOCK_GRACE_MS = 600_000;

/**
 * Returns the reason why a mail to a letter's reply address does not count as the word of its author, as a sentence;
 * null when it counts. Its new words, and whether it was seen before, are checked elsewhere.
 */
export function doubtOfWord(proof: PersonProof, letter: AnsweredLetter, now: number): string | null {
  const answered = proof.in_reply_to ?? proof.last_reference;
  if (answered !== null && !letter.is_named_by(answered))
    return "It replies to another mail than the letter.";
  if (!isWithin(proof.date, letter.sent_at, now)) return "Its Date does not lie between the letter and now.";
  if (proof.aligned_spf) return null;
  const doubts = proof.signatures.map((signature) => doubtOfTie(signature, proof, letter, now));
  if (doubts.includes(null)) return null;
  return `SPF does not vouch for it, and its signature does not count: ${doubts[0]}.`;
}

function doubtOfTie(
  signature: DkimSignature,
  { to, cc, in_reply_to }: PersonProof,
  { reply_address, is_named_by, sent_at }: AnsweredLetter,
  now: number,
): string | null {
  const doubt = doubtOfSignature(signature);
  if (doubt !== null) return doubt;
  const { signed_headers, signed_at, expires_at } = signature;
  if (signed_at !== null && !isWithin(signed_at * 1000, sent_at, now))
    return "it was not made between the letter and now";
  if (expires_at !== null && expires_at * 1000 < now) return "it has expired";
  const tied =
    (signed_headers.includes("to") && to.includes(reply_address)) ||
    (signed_headers.includes("cc") && cc.includes(reply_address)) ||
    (signed_headers.includes("in-reply-to") && in_reply_to !== null && is_named_by(in_reply_to));
  return tied ? null : "it covers nothing that names the letter";
}

function isWithin(time: number | null, since: number, now: number): boolean {
  return time !== null && time >= since - CLOCK_GRACE_MS && time <= now + CLOCK_GRACE_MS;
}
