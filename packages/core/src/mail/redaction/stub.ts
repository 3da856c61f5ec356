import type { LetterKind } from "../../catalogue/letter-frames.ts";
import type { ParsedAttachment } from "../../model/parsed-mail.ts";
import type { ReadMail } from "../../model/read-mail.ts";

/** A letter of ours that came back, as far as it can be identified. */
export interface KnownLetter {
  kind: LetterKind | null;
  /** The recipient of the letter. */
  email: string | null;
  /** The time of writing (ISO 8601, UTC). */
  written_at: string | null;
}

/** Returns the replacement for a letter that came back: who, when, what kind, and none of its content. */
export function stubText({ kind, email, written_at }: KnownLetter): string {
  const what = kind === null ? "A letter" : `A letter of the kind "${kind}"`;
  const whom = email === null ? "" : ` to ${email}`;
  const when = written_at === null ? "" : `, written at ${written_at},`;
  return `${what} from this service${whom}${when} came here. What it says is for its reader alone, so it is not shown.`;
}

const SUBJECT = "A letter from this service";
/** The headers that a letter's stub keeps. */
const KEPT = /^(?:from|to|date)$/;

/** Returns the storable form of a mail that is itself a letter. */
export function stubOf<M extends Omit<ReadMail, "struck">>(mail: M, letter: KnownLetter): M {
  const text = stubText(letter);
  return {
    ...mail,
    headers: [...mail.headers.filter(({ name }) => KEPT.test(name)), { name: "subject", value: SUBJECT }],
    reply_to: [],
    cc: [],
    sender: null,
    subject: SUBJECT,
    message_id: null,
    in_reply_to: null,
    references: [],
    text,
    html: null,
    attachments: [],
    extraction: {
      extracted_text: text,
      extracted_html: null,
      method: "whole",
      confidence: 1,
      removed_chars: 0,
      own_words: true,
      from_quote: false,
      links: [],
    },
    letter_ids: [],
    own_letter_ids: [],
    searched: null,
  };
}

/** Returns the storable form of a mail that could not be searched in time and may contain a valid code. */
export function withheldMail<M extends Omit<ReadMail, "struck">>(mail: M): M {
  const text =
    "What this mail says was withheld: it came while a code lived that it may hold, and was too long to be searched. Ask for it again later.";
  const stub = stubOf(mail, { kind: null, email: null, written_at: null });
  return { ...stub, text, subject: "", extraction: { ...stub.extraction, extracted_text: text } };
}

/** Returns the storable form of a file that is a letter. */
export const stubFile = (letter: KnownLetter): ParsedAttachment => note("letter.txt", stubText(letter));

/** Returns the storable form of a file that could not be searched and may contain a valid code. */
export const withheldFile = ({ content_type, bytes }: ParsedAttachment): ParsedAttachment =>
  note(
    "withheld.txt",
    `A file of the type ${content_type} and ${bytes.length} bytes was withheld: it came while a code lived that it may hold, and could not be searched. Ask for it again later.`,
  );

const note = (filename: string, text: string): ParsedAttachment => ({
  filename,
  content_type: "text/plain",
  content_id: null,
  disposition: "attachment",
  bytes: Buffer.from(text),
});
