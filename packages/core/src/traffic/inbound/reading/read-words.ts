import type { Services } from "../../../kernel/context.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import { noProof, type PersonProof } from "../../../mail/sender/proof.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { type Decisions, NO_AUTH } from "../../../model/message-facts.ts";
import type { ParsedAttachment, ParsedMail } from "../../../model/parsed-mail.ts";
import type { Safety } from "../../../model/screening.ts";
import { lettersLive } from "../redaction/letters-live.ts";
import { removeSecrets } from "../redaction/remove-secrets.ts";
import { screenMail } from "./screen-mail.ts";

const loadReadMail = loadOnce(() => import("../../../mail/read-mail.ts"));

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
  const { readContent } = await loadReadMail();
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
    organisation_known: false,
    trusted: false,
    display_name_of_known: null,
    reply_to_changed: false,
    auth: NO_AUTH,
  };
  const safety = await screenMail(services, inbox.screening, mail, sender);
  const suspicious = safety.mode !== "off" && safety.verdict === "suspicious";
  return {
    text: mail.text,
    redacted,
    safety,
    suspicious,
    held: suspicious && inbox.screening === "hold",
  };
}

/**
 * Takes the secrets of letters, and live codes, out of what a person wrote in a session and the files with it, as out of
 * their mail.
 */
export async function readOwnWords(
  services: Services,
  inbox: InboxRecord,
  { text, files, email }: { text: string; files: ParsedAttachment[]; email: string },
  now: Date,
): Promise<{ text: string; attachments: ParsedAttachment[]; redacted: boolean }> {
  const letters_live = await lettersLive(services, inbox.account_id, now);
  const written = { ...asMail(text, email), attachments: files };
  const raw = Buffer.from(text);
  const { readContent } = await loadReadMail();
  const read = await readContent(
    written,
    { screeningTimeoutMs: null, searchLetters: true },
    () => services.clock.now().getTime(),
    raw,
  );
  const origin = "console" as const;
  const { mail, redacted } = await removeSecrets(
    services,
    { mail: read, raw, origin, proof: provenBySession(email), inboxes: [inbox], letters: [], letters_live },
    now,
  );
  return { text: mail.text, attachments: mail.attachments, redacted };
}

const provenBySession = (author: string): PersonProof => ({
  ...{ kind: "person", aligned_spf: false, signatures: [], author, to: [], cc: [] },
  ...{ date: null, message_id: null, in_reply_to: null, last_reference: null },
});

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
