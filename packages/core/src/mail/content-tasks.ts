import type { Extraction, ReadMail } from "../model/read-mail.ts";
import {
  type AttachedMail,
  attachedBlocks,
  type MailToMark,
  type MarkedMail,
  type MarkedPart,
  type MarkedView,
  markedBlocks,
  markedView,
} from "./annotated-view/index.ts";
import { findCodes } from "./codes/find-codes.ts";
import { findInMail, type SearchedMail } from "./codes/find-in-mail.ts";
import { findLinksAmong } from "./codes/find-links.ts";
import { tokensOf } from "./codes/link-tokens.ts";
import { hiddenContent } from "./hidden-content.ts";
import { mentionsIn } from "./mentions/mentions.ts";
import { MAX_RUN_CHARS } from "./mentions/run-limit.ts";
import {
  allWordsOf,
  blocksOf,
  blocksToFind,
  type RunElsewhere,
  type RunsToCheck,
  runsElsewhere,
  textsOf,
} from "./mentions/word-runs.ts";
import { composeMail, type MailToCompose } from "./mime/compose.ts";
import { type CleanHtml, cleanHtml } from "./outgoing-html/index.ts";
import { type OwnWords, ownWordsIn } from "./own-words.ts";
import { type Cleaning, cleanMail, letterByWords } from "./redaction/clean-mail.ts";
import { removingCodes } from "./redaction/codes.ts";
import { strikeText } from "./redaction/redact.ts";
import { searchText } from "./redaction/search-mail.ts";
import { writeMail } from "./redaction/write-mail.ts";
import { type MailToShow, type ShownMail, showMail } from "./rendered-html/index.ts";
import { safeHtml } from "./rendered-html/safe-html.ts";
import { type ExtractableMail, extractNewText, htmlToText } from "./reply-extraction/extract.ts";
import { viewHtml } from "./screening/signals/html-view.ts";
import { joinedSearchWords } from "./search-words.ts";

/** Pure work on the content of a mail. */
export interface ContentTask<I, O> {
  run(input: I): O | Promise<O>;
  /**
   * The length of the input in units; the calling thread works on up to `AT_ONCE` (`work-on-content.ts`) of them without a
   * noticeable delay.
   */
  length(input: I): number;
}

/** Base64 costs far less than text. */
const BYTES_PER_UNIT = 16;

/** The tasks by name. */
export const CONTENT_TASKS = {
  htmlToText: task<string, string>({ run: htmlToText, length: (html) => html.length }),
  safeHtml: task<string, string>({ run: safeHtml, length: (html) => html.length }),
  cleanHtml: task<{ html: string; content_ids: readonly string[] }, CleanHtml>({
    run: ({ html, content_ids }) => cleanHtml(html, new Set(content_ids)),
    length: ({ html }) => 2 * html.length,
  }),
  extractNewText: task<ExtractableMail, Extraction>({
    run: extractNewText,
    length: ({ text, html, parent_text }) =>
      text.length + 2 * (html?.length ?? 0) + (parent_text?.text.length ?? 0),
  }),
  /** The words in one string, which is faster to transfer than thousands of strings. */
  searchWords: task<{ text: string; max: number }, string>({
    run: ({ text, max }) => joinedSearchWords(text, max),
    length: ({ text }) => text.length,
  }),
  findInMail: task<SearchedMail, ReturnType<typeof findInMail>>({
    run: findInMail,
    length: ({ extracted_text, text, html }) =>
      4 * (extracted_text.length + (text?.length ?? 0)) + 2 * (html?.length ?? 0),
  }),
  /** Returns only one part of the mail: transferring a whole long mail would block the event loop. */
  markedView: task<MailToView, MarkedView>({
    run: async ({ mail, attached, part }) =>
      markedView({ ...mail, blocks: [...markedBlocks(mail), ...(await attachedBlocks(attached))] }, part),
    length: ({ mail: { text, html, parent_text }, attached }) =>
      (text?.length ?? 0) +
      2 * (html?.length ?? 0) +
      (parent_text?.text.length ?? 0) +
      2 * attached.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }),
  cleanMail: task<{ mail: StoredMail; cleaning: Cleaning }, Awaited<ReturnType<typeof cleanMail>>>({
    run: ({ mail, cleaning }) => cleanMail(mail, cleaning),
    length: ({ mail, cleaning: { quoted = [] } }) =>
      2 * lengthOf(mail) + quoted.reduce((sum, { length }) => sum + length, 0),
  }),
  /** What a mail names, as mentions, its codes with the tokens of its one-time links, and the blocks of its words. */
  namedInMail: task<WordsToNote, NamedInMail>({
    run: ({ subject, text, plain, markup, runs, html }) => {
      const view = html === null ? null : viewHtml(html.slice(0, MAX_RUN_CHARS));
      const links = findLinksAmong({ subject, text, links: view?.links ?? [] });
      return {
        mentions: [...new Set([...mentionsIn(plain), ...mentionsIn(markup, { markup: true })])],
        codes: findCodes({ subject, text }).map(({ code }) => code),
        tokens: [...new Set(links.flatMap(({ link }) => tokensOf(link)))],
        blocks: blocksOf([...runs, ...(view === null || markup.length === 0 ? [] : [allWordsOf(view)])]),
      };
    },
    length: ({ text, plain, markup, runs, html }) =>
      [text, ...plain, ...markup, ...markup, ...runs, html ?? ""].reduce(
        (sum, { length }) => sum + 2 * length,
        0,
      ),
  }),
  /** The texts of what is to leave, its HTML as words, with the blocks that they may share with other mail. */
  wordsToLeave: task<
    { texts: readonly string[]; html: string | null },
    { texts: string[]; blocks: string[] }
  >({
    run: ({ texts, html }) => {
      const all = textsOf(texts, html);
      return { texts: all, blocks: blocksToFind(all) };
    },
    length: ({ texts, html }) => texts.reduce((sum, { length }) => sum + 2 * length, 2 * (html?.length ?? 0)),
  }),
  hiddenContent: task<{ text: string | null; html: string | null }, string[]>({
    run: hiddenContent,
    length: ({ text, html }) => (text?.length ?? 0) + 3 * (html?.length ?? 0),
  }),
  runsElsewhere: task<RunsToCheck, RunElsewhere[]>({
    run: runsElsewhere,
    length: ({ texts, sources }) =>
      sources.reduce(
        (sum, source) =>
          (source.texts ?? []).reduce(
            (all, { length }) => all + 4 * length,
            sum + (source.html?.length ?? 0),
          ),
        texts.reduce((sum, { length }) => sum + length * (2 + sources.length), 0),
      ),
  }),
  /** What of this service is in something that leaves. */
  ownWords: task<ContentToLeave, OwnWords>({
    run: ({ texts, files, plainly = false }) => {
      const bytes = files.map((each) =>
        Buffer.from(each.buffer, each.byteOffset, each.byteLength).toString("latin1"),
      );
      return ownWordsIn([...texts, ...bytes], { plainly });
    },
    length: ({ texts, files }) =>
      texts.reduce((sum, { length }) => sum + 2 * length, 0) +
      files.reduce((sum, { length }) => sum + length / 2, 0),
  }),
  letterByWords: task<Parameters<typeof letterByWords>, ReturnType<typeof letterByWords>>({
    run: (input) => letterByWords(...input),
    length: ([{ extraction, html }]) => extraction.extracted_text.length + 3 * (html?.length ?? 0),
  }),
  /** A mail as a page for a person. */
  showMail: task<MailToShow, ShownMail>({
    run: showMail,
    length: ({ text, html }) => (html === null ? text.length / 4 : 2 * html.length),
  }),
  removeCodes: task<{ text: string; all: boolean; codes: readonly string[] }, string>({
    run: ({ text, all, codes }) => removingCodes({ all, codes })(text, "text"),
    length: ({ text }) => 2 * text.length,
  }),
  searchText: task<string, ReturnType<typeof searchText>>({
    run: searchText,
    length: (text) => 2 * text.length,
  }),
  strikeText: task<string, ReturnType<typeof strikeText>>({ run: strikeText, length: (text) => text.length }),
  writeMail: task<StoredMail, Uint8Array>({ run: writeMail, length: lengthOf }),
  composeMail: task<MailToCompose, Uint8Array>({ run: composeMail, length: lengthToCompose }),
  composedSize: task<MailToCompose, number>({
    run: composedSize,
    length: (mail) => 2 * lengthToCompose(mail),
  }),
};

/** The words of a mail that are noted. */
interface WordsToNote {
  subject: string;
  text: string;
  plain: readonly string[];
  markup: readonly string[];
  /** The texts whose runs of words are noted; those of `html` are if `markup` is. */
  runs: readonly string[];
  html: string | null;
}

interface NamedInMail {
  mentions: string[];
  codes: string[];
  tokens: string[];
  blocks: string[];
}

/** Something that leaves, or a part of it: its texts, and its files. `plainly`: nothing in them is decoded. */
interface ContentToLeave {
  texts: readonly string[];
  files: readonly Uint8Array[];
  plainly?: boolean;
}

interface MailToView {
  mail: MailToMark & Omit<MarkedMail, "blocks">;
  attached: readonly AttachedMail[];
  part: MarkedPart;
}

type StoredMail = Omit<ReadMail, "struck">;

/** Counts the texts twice, as they are and as new words; text attachments are changed too. */
function lengthOf({ text, html, attachments }: StoredMail): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return 2 * (text.length + (html?.length ?? 0)) + files;
}

function lengthToCompose({ text, html, attachments = [] }: MailToCompose): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length / BYTES_PER_UNIT, 0);
  return (text?.length ?? 0) + (html?.length ?? 0) + files;
}

/** Returns the size of a mail as sent, in bytes. A mail without text gets the text of its HTML. */
async function composedSize(mail: MailToCompose): Promise<number> {
  const { text, html } = mail;
  const composed = await composeMail({ ...mail, text: text || (html ? htmlToText(html) : "") });
  return composed.length;
}

function task<I, O>(made: ContentTask<I, O>): ContentTask<I, O> {
  return made;
}

/** Runs a task on the calling thread, as a worker does with a task that it receives. Fails as the task does. */
export async function runContentTask(name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(CONTENT_TASKS, name)) throw new Error(`there is no content task ${name}`);
  return (CONTENT_TASKS[name as keyof typeof CONTENT_TASKS] as ContentTask<unknown, unknown>).run(input);
}
