import type { ParsedMail } from "../../model/parsed-mail.ts";

/** A text of a mail that people don't read as part of it, but programs hand to models. */
export interface AsideText {
  text: string;
  where: string;
}

/** How many headers and file names are looked at, and how much of each. */
const MAX_ASIDE_TEXTS = 50;
const MAX_ASIDE_TEXT_CHARS = 1_000;

/** Headers that mail servers and programs write for each other; the rest a sender may fill with anything. */
const OF_TRANSPORT =
  /^(?:received|return-path|delivered-to|dkim-|domainkey-|arc-|authentication-|received-spf|message-id|date|from|to|cc|bcc|reply-to|sender|subject|in-reply-to|references|mime-version|content-|list-|precedence|auto-submitted|thread-|x-spam|x-ms-|x-microsoft|x-forefront|x-google|x-gm-|x-originating|x-mailer|user-agent|x-virus|x-received|x-pyzor|feedback-id|autocrypt|openpgp|face|x-face)/;

/** Five words in a row, or a run of a script that doesn't put spaces between words. */
const SENTENCE =
  /(?:[^\s=;:,<>()[\]"'/@]{2,30}[\s_]{1,3}){4}[^\s=;:,<>()[\]"'/@]{2}|[\u0E00-\u0EFF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]{8}/;
/** The words of a file name are joined by these. */
const JOINTS = /[._+-]+/g;

/** The sender's name, names of attachments and unusual headers, where they hold a sentence. */
export function asideTexts({ headers, from, attachments }: ParsedMail): AsideText[] {
  const names = attachments.slice(0, MAX_ASIDE_TEXTS).map(({ filename }) => ({
    text: filename.slice(0, MAX_ASIDE_TEXT_CHARS).replace(JOINTS, " "),
    where: "the name of an attachment",
  }));
  const values = headers
    .filter(({ name }) => !OF_TRANSPORT.test(name))
    .slice(0, MAX_ASIDE_TEXTS)
    .map(({ value }) => ({ text: value.slice(0, MAX_ASIDE_TEXT_CHARS), where: "a header" }));
  const author = { text: (from[0]?.name ?? "").slice(0, MAX_ASIDE_TEXT_CHARS), where: "the sender's name" };
  return [author, ...names, ...values].filter(({ text }) => SENTENCE.test(text));
}
