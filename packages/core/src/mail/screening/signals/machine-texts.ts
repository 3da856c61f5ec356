import type { ParsedMail } from "../../../model/parsed-mail.ts";
import { remembering } from "../engine/remember.ts";

/** A text of a mail that people don't read as part of it, but that programs pass to models. */
export interface AsideText {
  text: string;
  where: string;
}

/** The most headers and file names examined, and the length of each. */
const MAX_ASIDE_TEXTS = 50;
const MAX_ASIDE_TEXT_CHARS = 1_000;

/** The most header names remembered, and the length of the longest. */
const MAX_REMEMBERED_NAMES = 1_000;
const MAX_REMEMBERED_CHARS = 60;

/** Headers that mail servers and programs write for each other; a sender may fill the others with anything. */
const OF_TRANSPORT =
  /^(?:received|return-path|delivered-to|dkim-|domainkey-|arc-|authentication-|received-spf|message-id|date|from|to|cc|bcc|reply-to|sender|subject|in-reply-to|references|mime-version|content-|list-|precedence|auto-submitted|thread-|x-spam|x-ms-|x-microsoft|x-forefront|x-google|x-gm-|x-originating|x-mailer|user-agent|x-virus|x-received|x-pyzor|feedback-id|autocrypt|openpgp|face|x-face)/;

const known = remembering(MAX_REMEMBERED_NAMES, (name) => OF_TRANSPORT.test(name));
/** The same few names come with nearly every mail. */
const isOfTransport = (name: string): boolean =>
  name.length > MAX_REMEMBERED_CHARS ? OF_TRANSPORT.test(name) : known(name);

/** Five words in a row, or a run of a script that doesn't put spaces between words. */
const SENTENCE =
  /(?:[^\s=;:,<>()[\]"'/@]{2,30}[\s_]{1,3}){4}[^\s=;:,<>()[\]"'/@]{2}|[\u0E00-\u0EFF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]{8}/;
/** The separators between the words of a file name. */
const JOINTS = /[._+-]+/g;

/** Returns the sender's name, names of attachments and unusual headers, if they contain a sentence. */
export function asideTexts({ headers, from, attachments }: ParsedMail): AsideText[] {
  const names = attachments.slice(0, MAX_ASIDE_TEXTS).map(({ filename }) => ({
    text: filename.slice(0, MAX_ASIDE_TEXT_CHARS).replace(JOINTS, " "),
    where: "the name of an attachment",
  }));
  const values = headers
    .filter(({ name }) => !isOfTransport(name))
    .slice(0, MAX_ASIDE_TEXTS)
    .map(({ value }) => ({ text: value.slice(0, MAX_ASIDE_TEXT_CHARS), where: "a header" }));
  const author = { text: (from[0]?.name ?? "").slice(0, MAX_ASIDE_TEXT_CHARS), where: "the sender's name" };
  return [author, ...names, ...values].filter(({ text }) => mayHoldWords(text) && SENTENCE.test(text));
}

/** The number of gaps between five words. */
const LEAST_GAPS = 4;
const [SPACE, UNDERSCORE, LAST_ASCII] = [0x20, 0x5f, 0x7f];

/** Whether a text has enough gaps, or non-ASCII letters: most header values have neither. */
function mayHoldWords(text: string): boolean {
  let gaps = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === UNDERSCORE) gaps += 1;
    if (gaps >= LEAST_GAPS || code > LAST_ASCII) return true;
  }
  return false;
}
