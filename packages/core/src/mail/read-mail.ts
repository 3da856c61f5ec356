import { addressKey } from "../model/address.ts";
import type { MailAddress, ParsedMail } from "../model/parsed-mail.ts";
import type { Extraction, ReadingOptions, ReadMail, StatedFields } from "../model/read-mail.ts";
import { parseMail } from "./parse.ts";
import { letterIdsIn } from "./redaction/letter-ids.ts";
import { createStriker, mayHoldSecrets, type Striker } from "./redaction/redact.ts";
import { searchMail } from "./redaction/search-mail.ts";
import { unencodedText, walkBytes } from "./redaction/walk-file.ts";
import { walkMail } from "./redaction/walk-mail.ts";
import type { Visit } from "./redaction/walk-texts.ts";
import { extractNewText } from "./reply-extraction/extract.ts";
import { prepareScreening } from "./screening/reading.ts";
import { screenContent } from "./screening/screen.ts";

/**
 * Reads a raw mail on the calling thread: parses it, extracts the new text and screens the content. Fails
 * like `parseMail`. `steady` is a monotonic clock in milliseconds.
 */
export async function readMail(
  raw: Uint8Array,
  options: ReadingOptions,
  steady: () => number,
): Promise<ReadMail> {
  return readContent(await parseMail(raw), options, steady, raw);
}

/** Does what `readMail` does, for a mail that is already parsed. */
export async function readContent(
  parsed: ParsedMail,
  { stated, screeningTimeoutMs: screening_timeout_ms, searchLetters: search_letters = false }: ReadingOptions,
  steady: () => number,
  raw: Uint8Array,
): Promise<ReadMail> {
  const mail = stated === undefined ? parsed : withStated(parsed, stated);
  const read: ReadMail = {
    ...mail,
    extraction: newWordsOf(mail),
    screened: screenedWithin(mail, screening_timeout_ms, steady),
    letter_ids: [],
    own_letter_ids: [],
    struck: null,
    searched: search_letters ? await searchMail(mail, raw, steady) : null,
  };
  return withoutSecrets(read, raw, stated !== undefined);
}

/** The mail with what it has of letters; nearly all mail has nothing of them. */
async function withoutSecrets(read: ReadMail, raw: Uint8Array, is_stated: boolean): Promise<ReadMail> {
  const striker = createStriker();
  let in_raw = false;
  const look: Visit = (text) => {
    if (striker.visit(text, "bytes") !== text) in_raw = true;
    return text;
  };
  const is_plain = isPlain(read);
  // Also where no parser looks: before and after its parts, in headers and parts beyond the limits.
  if (is_plain) walkBytes(raw, look, { finds_words: true });
  else if (read.truncated.length > 0) walkBytes(raw, look, { is_mail: true });
  else look(unencodedText(raw), "bytes");
  const may_hold =
    in_raw ||
    read.attachments.length > 0 ||
    (!is_stated && is_plain ? strikesHeaders(read, striker) : mayHoldSecrets(read, striker));
  if (!may_hold) return withIds(read, striker);
  let changed = in_raw;
  const { struck: _, ...mail } = read;
  const visit: Visit = (text, place) => {
    const after = striker.visit(text, place);
    changed ||= after !== text;
    return after;
  };
  const struck = await walkMail(mail, visit, { finds_words: true });
  const with_ids = withIds(read, striker);
  return changed ? { ...with_ids, struck: { mail: struck, secrets: [...striker.secrets] } } : with_ids;
}

function strikesHeaders({ headers }: ReadMail, { visit }: Striker): boolean {
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join("\n\n");
  return visit(lines, "header") !== lines;
}

/** Its own Message-ID comes first: whoever writes many others hides none. */
function withIds(read: ReadMail, { message_ids, own_ids }: Striker): ReadMail {
  if (message_ids.size === 0) return read;
  const own = letterIdsIn(read.message_id ?? "");
  const answered = [read.in_reply_to, read.references.at(-1)].flatMap((id) => letterIdsIn(id ?? ""));
  return {
    ...read,
    letter_ids: [...new Set([...own, ...own_ids, ...answered, ...message_ids])],
    own_letter_ids: [...new Set([...own, ...own_ids])],
  };
}

/** Whether the raw mail shows all of a mail's words as they are, its decoded headers apart: then searching it is enough. */
const isPlain = ({ html, headers, truncated }: ReadMail): boolean =>
  html === null &&
  truncated.length === 0 &&
  !headers.some(
    ({ name, value }) =>
      (name === "content-transfer-encoding" && !/^\s*(?:7bit|8bit|binary)\s*$/i.test(value)) ||
      (name === "content-type" &&
        !/^\s*text\/plain\s*(?:;\s*charset\s*=\s*"?(?:utf-8|us-ascii)"?\s*)?$/i.test(value)),
  );

function newWordsOf({ text, html, subject, in_reply_to, from: [sender] }: ParsedMail): Extraction {
  return extractNewText({ text, html, subject, is_reply: in_reply_to !== null, sender });
}

function screenedWithin(
  mail: ParsedMail,
  timeout_ms: number | null,
  steady: () => number,
): ReadMail["screened"] {
  if (timeout_ms === null) return null;
  prepareScreening();
  const end = steady() + timeout_ms;
  try {
    return screenContent(mail, () => steady() > end);
  } catch (error) {
    return { error: String(error instanceof Error ? error.stack : error) };
  }
}

const isSame = (one: MailAddress | undefined, { address }: MailAddress): boolean =>
  one !== undefined && addressKey(one.address) === addressKey(address);

/** Stated fields override those of the raw mail: they say what a test is about. */
function withStated(mail: ParsedMail, { from, headers, ...bodies }: StatedFields): ParsedMail {
  const author = mail.from[0];
  const said = { ...mail, ...bodies, headers: [...headers, ...mail.headers] };
  if (from === undefined) return said;
  return {
    ...said,
    from: [
      {
        address: from.address,
        name: from.name === "" && isSame(author, from) ? (author?.name ?? "") : from.name,
      },
    ],
    from_headers: 1,
  };
}
