import { textKind } from "../../mail/attachments.ts";
import type { StoredAttachment } from "../../model/attachments.ts";

/** Smaller pictures in a mail are logos and signatures. */
const INLINE_BYTES = 50 * 1024;
/** A file, a code, the token of a link or a block of words that came in, as it is noted. */
export const fileMention = (hash: string): string => `f:${hash}`;
export const codeMention = (code: string): string => `c:${code.toLowerCase().replace(/[^a-z0-9]/g, "")}`;
export const tokenMention = (token: string): string => `t:${token}`;
export const openedMention = (hash: string): string => `x:${hash}`;
/** The mention that every mail has whose file's text can be read. */
export const FILES_MENTION = "x:";
export const blockMention = (block: string): string => `w:${block}`;

/** Returns the parts of a mail that only those who were on it should get: its files, codes and one-time links. */
export const carriedBy = (
  attachments: readonly StoredAttachment[],
  { codes, tokens }: { codes: readonly string[]; tokens: readonly string[] },
): string[] => [
  ...(attachments.some((file) => textKind(file) !== null) ? [FILES_MENTION] : []),
  ...attachments.filter(isFile).map(({ hash }) => fileMention(hash)),
  ...codes.map(codeMention),
  ...tokens.map(tokenMention),
];

/** Whether an attachment is more than a picture in the text. */
const isFile = ({ disposition, size_bytes }: Pick<StoredAttachment, "disposition" | "size_bytes">): boolean =>
  disposition !== "inline" || size_bytes >= INLINE_BYTES;
