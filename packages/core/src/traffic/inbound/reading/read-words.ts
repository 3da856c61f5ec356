import type { Services } from "../../../kernel/context.ts";
import { readContent } from "../../../mail/read-mail.ts";
import { noProof } from "../../../mail/sender/proof.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { type Decisions, NO_AUTH } from "../../../model/message-facts.ts";
import type { ParsedMail } from "../../../model/parsed-mail.ts";
import type { Safety } from "../../../model/screening.ts";
import { removeSecrets } from "../redaction/remove-secrets.ts";
import { screenMail } from "./screen-mail.ts";

/** A text message or transcript in the form in which it may be stored. */
export interface ReadWords {
  /** Without the secrets of our letters. */
  text: string;
  redacted: boolean;
  safety: Safety;
  suspicious: boolean;
  /** It is suspicious, and the inbox holds suspicious messages. */
  held: boolean;
}

/**
 * Takes the secrets of letters out of a text or transcript and screens it, as mail is; the number that it is from
 * proves nothing.
 */
export async function readWords(
  services: Services,
  inbox: InboxRecord,
  words: string,
  { from, known }: { from: string; known: boolean },
  now: Date,
): Promise<ReadWords> {
  const raw = Buffer.from(words);
  const screening_timeout_ms = inbox.screening === "off" ? null : services.options.screeningTimeoutMs;
  const steady = () => services.clock.now().getTime();
  const read = await readContent(
    asMail(words, from),
    { screeningTimeoutMs: screening_timeout_ms },
    steady,
    raw,
  );
  const incoming = {
    mail: read,
    raw,
    origin: "phone" as const,
    proof: noProof("a phone number can be forged"),
    inboxes: [inbox],
    letters: [],
    letters_live: false,
  };
  const { mail, redacted } = await removeSecrets(services, incoming, now);
  const sender = {
    authenticated: false,
    known,
    trusted: false,
    display_name_of_known: null,
    reply_to_changed: false,
    auth: NO_AUTH,
  };
  const safety = screenMail(services, inbox.screening, mail, sender);
  const suspicious = safety.mode !== "off" && safety.verdict === "suspicious";
  return {
    text: mail.text,
    redacted,
    safety,
    suspicious,
    held: suspicious && inbox.screening === "hold",
  };
}

/** The labels of a text or voicemail. */
export const labelsOfWords = ({ suspicious, held }: Pick<ReadWords, "suspicious" | "held">): string[] => [
  ...["received", "unread", "untrusted"],
  ...(suspicious ? ["suspicious"] : []),
  ...(held ? ["held"] : []),
];

/** The decisions about a text or voicemail, as they are kept with it. */
export const phoneDecisions = (
  { made, reason }: { made: boolean; reason: string },
  task_id: string | null,
): Decisions => ({
  origin: "phone",
  authentication: ["a phone number can be forged, so nothing is known of who uses it"],
  automatic: { strong: null, weak: null },
  task: { made, reason, task_id },
});

/** Screening reads mail: this is one with nothing but words. */
const asMail = (text: string, from: string): ParsedMail => ({
  headers: [],
  from: [{ address: from, name: "" }],
  from_headers: 1,
  sender: null,
  reply_to: [],
  to: [],
  cc: [],
  unaddressed: [],
  subject: "",
  message_id: null,
  in_reply_to: null,
  references: [],
  date: null,
  text,
  html: null,
  attachments: [],
  content_bytes: Buffer.byteLength(text),
  truncated: [],
  unverified_signature: false,
});
