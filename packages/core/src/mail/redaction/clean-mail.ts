import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { ReadMail } from "../../model/read-mail.ts";
import { htmlToText } from "../reply-extraction/extract.ts";
import { removingCodes } from "./codes.ts";
import { framesIn } from "./frames.ts";
import { LINK_REMOVED } from "./marks.ts";
import { createStriker, strikeText } from "./redact.ts";
import { removingLinks } from "./remove-links.ts";
import { type KnownLetter, stubFile, withheldFile } from "./stub.ts";
import { textsOfFile } from "./walk-file.ts";
import { type WalkedFile, walkMail } from "./walk-mail.ts";
import type { Visit } from "./walk-texts.ts";

/** The parts to remove from a mail before it may be stored. */
export interface Cleaning {
  /** The letters that it contains or answers, by Message-ID. */
  letters: Readonly<Record<string, KnownLetter>>;
  /** Those Message-IDs of letters that no key can read. */
  unreadable: readonly string[];
  /** The domains that letters come from. */
  domains: readonly string[];
  /** The text of the letters that it answers or contains, if its links are removed; undefined if they stay. */
  quoted?: readonly string[] | undefined;
  /** The codes to remove, and whether to remove every number that readers see; undefined if none is removed. */
  codes?: { all: boolean; codes: readonly string[] } | undefined;
  /** The files to remove, by path. */
  withheld: readonly string[];
}

/**
 * Returns a mail as it may be stored: without secrets, links, codes and letters themselves. One walk through all of it.
 */
export async function cleanMail(
  mail: Omit<ReadMail, "struck">,
  { letters, unreadable, domains, quoted, codes, withheld }: Cleaning,
): Promise<{ mail: Omit<ReadMail, "struck">; changed: boolean }> {
  const visits: Visit[] = [createStriker().visit];
  if (unreadable.length > 0) visits.push(removingIds(unreadable));
  if (quoted !== undefined) visits.push(removingLinks(mail.extraction, quoted));
  if (codes !== undefined) visits.push(removingCodes(codes));
  let changed = false;
  const cleaned = await walkMail(
    mail,
    (text, place) => {
      const after = visits.reduce((kept, visit) => visit(kept, place), text);
      changed ||= after !== text;
      return after;
    },
    {
      rewrites_nested: codes?.all === true,
      replace(walked) {
        const gone = withheld.includes(walked.path) ? withheldFile(walked.file) : undefined;
        const letter = letterIn(walked, letters, domains);
        changed ||= gone !== undefined || letter !== undefined;
        return letter === undefined ? gone : stubFile(letter);
      },
    },
  );
  return { mail: cleaned, changed };
}

/** Creates a visit that removes Message-IDs, given in lower case with angle brackets. */
function removingIds(ids: readonly string[]): Visit {
  const bare = ids.map((id) => id.replace(/[<>]/g, "").replace(/[^\w]/g, "\\$&"));
  const form = new RegExp(bare.join("|"), "gi");
  return (text) => text.replace(form, LINK_REMOVED);
}

/**
 * Returns the letter that a file is, if it is one: a mail whose own Message-ID is registered, or a mail of ours or a
 * text that contains a secret together with the frame of its letter.
 */
function letterIn(
  { file, kind, mail }: WalkedFile,
  letters: Cleaning["letters"],
  domains: readonly string[],
): KnownLetter | undefined {
  if (mail === undefined) return kind === "text" ? framedIn(textsOfFile(file).join("\n")) : undefined;
  const registered = letters[(mail.message_id ?? "").toLowerCase()];
  if (registered !== undefined) return registered;
  return mail.from.length === 0 || isFrom(mail, domains) ? framedIn(wordsOf(mail)) : undefined;
}

/**
 * Returns the kind of letter that a mail is, judged by its words: its author is one of ours, and its new words contain
 * a secret with its letter's frame. An answer only quotes its letter, and is none.
 */
export function letterByWords(
  { extraction, html, ...mail }: Pick<ReadMail, "from" | "in_reply_to" | "extraction" | "html">,
  domains: readonly string[],
): KnownLetter | undefined {
  if (mail.in_reply_to !== null || !isFrom(mail, domains)) return undefined;
  return framedIn(wordsOf({ text: extraction.extracted_text, html }));
}

const isFrom = ({ from: [author] }: Pick<ParsedMail, "from">, domains: readonly string[]): boolean =>
  domains.includes((author?.address ?? "").toLowerCase().replace(/^.*@/s, ""));

const wordsOf = ({ text, html }: Pick<ParsedMail, "text" | "html">): string => `${text}\n${html ?? ""}`;

/** Returns the kind of letter whose frame and secret a text contains. */
function framedIn(text: string): KnownLetter | undefined {
  if (strikeText(text).secrets.length === 0) return undefined;
  const [kind] = framesIn(/<\w/.test(text) ? `${text}\n${htmlToText(text)}` : text);
  return kind === undefined ? undefined : { kind, email: null, written_at: null };
}
