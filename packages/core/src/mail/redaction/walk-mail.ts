import type { ParsedAttachment, ParsedMail } from "../../model/parsed-mail.ts";
import { signedContent } from "../mime/signed-content.ts";
import { parseMail } from "../parse.ts";
import { type FileKind, kindOf, walkBytes, walkText } from "./walk-file.ts";
import { type Visit, type WalkedMail, walkTexts } from "./walk-texts.ts";
import { writeMail } from "./write-mail.ts";

/** A file of a mail: `path` numbers it and the mails that it is nested in, as "2/0". */
export interface WalkedFile {
  path: string;
  file: ParsedAttachment;
  kind: FileKind;
  /** The parsed file, if it is a mail. */
  mail: ParsedMail | undefined;
}

/** The options for a walk besides its visit. */
interface WalkOptions {
  /** Returns the replacement for a file; undefined for files that are walked through. */
  replace?: (file: WalkedFile) => ParsedAttachment | undefined;
  /**
   * Whether nested mails are always rewritten from what was parsed of them, even if none of their texts was changed.
   */
  rewrites_nested?: boolean;
  /** The visit only looks for words, none of them longer than what two windows of a file share. */
  finds_words?: boolean;
}

/**
 * Visits all texts of a mail, decoded: header names and values, display names, addresses, Message-IDs, bodies, file
 * names, nested mails, and files. Searches that must miss nothing have no other way through a mail. Returns the mail
 * with the visits' results; an address that becomes empty is left out. Linear in the mail's size.
 */
export async function walkMail<M extends WalkedMail>(
  mail: M,
  visit: Visit,
  options: WalkOptions = {},
  around = "",
): Promise<M> {
  const { attachments } = mail;
  const walked: ParsedAttachment[] = [];
  for (const [index, file] of attachments.entries())
    walked.push(await walkFile(file, visit, options, `${around}${index}`));
  return { ...walkTexts(mail, visit), attachments: walked };
}

/** The bytes of the mail that a file is or holds; undefined for another file. */
const mailIn = (file: ParsedAttachment): Uint8Array | undefined => {
  if (isMail(file)) return file.bytes;
  return isSigned(file) ? signedContent(file.bytes) : undefined;
};

const isSigned = ({ content_type, filename }: ParsedAttachment): boolean =>
  /^application\/(?:x-)?pkcs7-mime$/.test(content_type) || /\.p7m$/i.test(filename);

const isMail = ({ content_type, filename }: ParsedAttachment): boolean =>
  /^(?:message\/|text\/rfc822-headers)/.test(content_type) || /\.(?:eml|mht|mhtml)$/i.test(filename);

/** The depth to which nested mails are opened; deeper ones are searched as text. */
const MAX_NESTING = 5;

/** Returns a file after its texts were visited. */
async function walkFile(
  file: ParsedAttachment,
  visit: Visit,
  options: WalkOptions,
  path: string,
): Promise<ParsedAttachment> {
  // A file that only claims to be a mail is searched as bytes.
  const within = path.split("/").length <= MAX_NESTING ? mailIn(file) : undefined;
  const nested = within === undefined ? undefined : await parseMail(within).catch(() => undefined);
  const kind = nested === undefined ? kindOf(file.bytes) : "mail";
  const replaced = options.replace?.({ path, file, kind, mail: nested });
  if (replaced !== undefined) return replaced;
  const named = {
    ...file,
    filename: visit(file.filename, "filename"),
    content_id: file.content_id === null ? null : visit(file.content_id, "id"),
  };
  if (nested !== undefined) {
    const bytes = await walkNested(nested, visit, options, path);
    if (bytes !== undefined)
      // Its signature is gone with what it signed.
      return isMail(file) ? { ...named, bytes } : { ...named, content_type: "message/rfc822", bytes };
    // The parts that no parser reads: before and after its parts, and beyond a limit.
    return { ...named, bytes: walkBytes(file.bytes, visit, { is_mail: true }) };
  }
  if (kind === "text") return withText(named, walkText(file, visit));
  const { finds_words } = options;
  return { ...named, bytes: walkBytes(file.bytes, visit, { finds_words }) };
}

/** A text file with these bytes, which are UTF-8 where they aren't its own. */
function withText(file: ParsedAttachment, bytes: Uint8Array): ParsedAttachment {
  const { parameters } = file;
  if (bytes === file.bytes || parameters?.["charset"] === undefined) return { ...file, bytes };
  return { ...file, bytes, parameters: { ...parameters, charset: "utf-8" } };
}

/** Rewrites a nested mail; undefined if it stays unchanged. */
async function walkNested(
  nested: ParsedMail,
  visit: Visit,
  options: WalkOptions,
  path: string,
): Promise<Uint8Array | undefined> {
  let changed = options.rewrites_nested === true;
  const noting: Visit = (text, place) => {
    const after = visit(text, place);
    changed ||= after !== text;
    return after;
  };
  const replace: WalkOptions["replace"] = (file) => {
    const replaced = options.replace?.(file);
    changed ||= replaced !== undefined;
    return replaced;
  };
  const walked = await walkMail(nested, noting, { ...options, replace }, `${path}/`);
  return changed ? writeMail(walked) : undefined;
}
