import { addressKey } from "../../model/address.ts";
import type { MailAddress, ParsedMail } from "../../model/parsed-mail.ts";
import type { DkimSignature, SenderFacts } from "../../model/sender-facts.ts";
import { isSameOrSubdomain } from "./alignment.ts";
import type { SenderAuthentication } from "./authentication.ts";

/**
 * What shows that a mail's author wrote it as it came in, read from the mail before anything of it is
 * replaced. Addresses are in lower case.
 */
export interface SenderProof {
  /** Our own check authenticated the author. */
  passes: boolean;
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
  /** One of the header fields that an order rests on stands there twice, or was cut off at a limit. */
  ambiguous: boolean;
}

/** The header fields of which a second one would leave open which one the author wrote. */
const SINGLE = [
  ...["from", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"],
  ...["content-type", "content-transfer-encoding"],
];

/** What this service sends the mail of its agents with. */
export interface OwnMarks {
  /** Its domains: keys and envelopes there, and below, are its own. */
  domains: readonly string[];
  /** Its keys at other domains, whose owners have keys of their own besides. */
  keys: readonly Pick<DkimSignature, "domain" | "selector">[];
}

/**
 * Reads the proof of a mail. Neither SPF nor a key that is `own` shows anything: with these this service sends what
 * its agents write.
 */
export function readProof(
  mail: Pick<
    ParsedMail,
    "headers" | "from" | "to" | "cc" | "date" | "message_id" | "in_reply_to" | "references" | "truncated"
  >,
  facts: Pick<SenderFacts, "spf" | "repeated_headers">,
  authentication: Pick<SenderAuthentication, "passes" | "aligned_spf" | "aligned_signatures">,
  own: OwnMarks,
): SenderProof {
  const isOurs = (domain: string | null) =>
    own.domains.some((each) => isSameOrSubdomain((domain ?? "").toLowerCase(), each));
  const isOurKey = (signature: DkimSignature) =>
    isOurs(signature.domain) ||
    own.keys.some(
      ({ domain, selector }) =>
        domain === signature.domain.toLowerCase() && selector === signature.selector.toLowerCase(),
    );
  const { passes, aligned_spf, aligned_signatures } = authentication;
  const author = addressKey(mail.from[0]?.address ?? "");
  return {
    passes,
    aligned_spf: aligned_spf && !isOurs(facts.spf.domain),
    signatures: aligned_signatures.filter((signature) => !isOurKey(signature)),
    author,
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    date: mail.date === null ? null : Date.parse(mail.date),
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    last_reference: mail.references.at(-1) ?? null,
    ambiguous: mail.truncated.includes("headers") || repeats(mail.headers, facts.repeated_headers),
  };
}

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

/** Why an aligned signature is not proof of the mail's words, as the end of a sentence; null when it is. */
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
 * Whether the author named the address as a recipient: in To or Cc that a signature covers, or in either when
 * the author's own server delivered the mail.
 */
export function isNamed(proof: SenderProof, isRecipient: (address: string) => boolean): boolean {
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
 * Why a mail whose author was authenticated is still no trusted order to that recipient; null when it is one.
 * Either the author's own server delivered it, or a signature covers From, Date, Subject and the recipient.
 */
export function doubtOfOrder(proof: SenderProof, isRecipient: (address: string) => boolean): string | null {
  if (proof.ambiguous) return "a header that may be there once is there twice";
  if (proof.aligned_spf) return null;
  if (proof.signatures.length === 0)
    return "neither SPF nor a signature of the sender's own domain vouches for it";
  const doubts = proof.signatures.map(doubtOfSignature);
  if (!doubts.includes(null)) return `its signature does not count for orders: ${doubts[0]}`;
  return isNamed(proof, isRecipient)
    ? null
    : "SPF does not vouch for it, and no signature covers a To or Cc that names this inbox";
}

/** The letter that a mail came back to. */
export interface AnsweredLetter {
  /** The reply address that the mail was delivered to, in lower case. */
  reply_address: string;
  /** The letter's Message-ID header, with its angle brackets. */
  message_id: string;
  /** Milliseconds since 1970. */
  sent_at: number;
}

/** How far a sender's clock may be from ours. */
export const CLOCK_GRACE_MS = 600_000;

/**
 * Why a mail to a letter's reply address does not count as the word of its author, as a sentence; null when
 * it counts. Its new words, and whether it was seen before, are checked elsewhere.
 */
export function doubtOfWord(proof: SenderProof, letter: AnsweredLetter, now: number): string | null {
  const answered = proof.in_reply_to ?? proof.last_reference;
  if (answered !== null && answered !== letter.message_id)
    return "It replies to another mail than the letter.";
  if (!proof.passes) return "Its sender was not authenticated.";
  if (proof.ambiguous) return "A header that may be there once is there twice.";
  if (!isWithin(proof.date, letter.sent_at, now)) return "Its Date does not lie between the letter and now.";
  if (proof.aligned_spf) return null;
  const doubts = proof.signatures.map((signature) => doubtOfTie(signature, proof, letter, now));
  if (doubts.includes(null)) return null;
  return doubts[0] === undefined
    ? "Neither SPF nor a signature of the sender's own domain vouches for it."
    : `SPF does not vouch for it, and its signature does not count: ${doubts[0]}.`;
}

function doubtOfTie(
  signature: DkimSignature,
  { to, cc, in_reply_to }: SenderProof,
  { reply_address, message_id, sent_at }: AnsweredLetter,
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
    (signed_headers.includes("in-reply-to") && in_reply_to === message_id);
  return tied ? null : "it covers nothing that names the letter";
}

function isWithin(time: number | null, since: number, now: number): boolean {
  return time !== null && time >= since - CLOCK_GRACE_MS && time <= now + CLOCK_GRACE_MS;
}
