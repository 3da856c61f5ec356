import type { Extraction, ReadMail } from "../model/read-mail.ts";
import { findInMail, type SearchedMail } from "./codes/find-in-mail.ts";
import { removeCodes } from "./letter-words/codes.ts";
import { removeLinksOf } from "./letter-words/remove-links.ts";
import { writeMail } from "./letter-words/write-mail.ts";
import {
  type MailToMark,
  type MarkedMail,
  type MarkedPart,
  type MarkedView,
  markedBlocks,
  markedView,
} from "./marked/index.ts";
import { composeMail, type MailToCompose } from "./mime/compose.ts";
import { type ExtractableMail, extractNewText, htmlToText } from "./new-words/extract.ts";
import { safeHtml } from "./new-words/safe-html.ts";
import { type CleanHtml, cleanHtml } from "./outgoing-html/index.ts";
import { joinedSearchWords } from "./search-words.ts";

/** Pure work on the content of a mail. */
interface ContentTask<I, O> {
  run(input: I): O | Promise<O>;
  /** How long the input is, in units of which `AT_ONCE` may be worked on without being noticed by others. */
  length(input: I): number;
}

/** What takes at most about ten milliseconds. */
const AT_ONCE = 16 * 1024;
/** Base64 costs far less than text. */
const BYTES_PER_UNIT = 16;

const TASKS = {
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
  /** The words in one string: that is faster to hand over than thousands. */
  searchWords: task<{ text: string; max: number }, string>({
    run: ({ text, max }) => joinedSearchWords(text, max),
    length: ({ text }) => text.length,
  }),
  findInMail: task<SearchedMail, ReturnType<typeof findInMail>>({
    run: findInMail,
    length: ({ extracted_text, text, html }) =>
      4 * (extracted_text.length + (text?.length ?? 0)) + 2 * (html?.length ?? 0),
  }),
  /** A part of it alone comes back: a whole long mail would hold the event loop. */
  markedView: task<{ mail: MailToMark & Omit<MarkedMail, "blocks">; part: MarkedPart }, MarkedView>({
    run: ({ mail, part }) => markedView({ ...mail, blocks: markedBlocks(mail) }, part),
    length: ({ mail: { text, html, parent_text } }) =>
      (text?.length ?? 0) + 2 * (html?.length ?? 0) + (parent_text?.text.length ?? 0),
  }),
  removeLinks: task<{ mail: StoredMail; letters: readonly string[] }, ReturnType<typeof removeLinksOf>>({
    run: ({ mail, letters }) => removeLinksOf(mail, letters),
    length: ({ mail, letters }) => lengthOf(mail) + letters.reduce((sum, { length }) => sum + length, 0),
  }),
  removeCodes: task<StoredMail, StoredMail>({ run: removeCodes, length: lengthOf }),
  writeMail: task<StoredMail, Uint8Array>({ run: writeMail, length: lengthOf }),
  composeMail: task<MailToCompose, Uint8Array>({ run: composeMail, length: lengthToCompose }),
  composedSize: task<MailToCompose, number>({
    run: composedSize,
    length: (mail) => 2 * lengthToCompose(mail),
  }),
};

type StoredMail = Omit<ReadMail, "struck">;

type Tasks = typeof TASKS;
type ContentTaskName = keyof Tasks;
type Input<N extends ContentTaskName> = Parameters<Tasks[N]["run"]>[0];
type Output<N extends ContentTaskName> = Awaited<ReturnType<Tasks[N]["run"]>>;

/** Texts twice, as they are and as new words; attachments that are text are changed too. */
function lengthOf({ text, html, attachments }: StoredMail): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return 2 * (text.length + (html?.length ?? 0)) + files;
}

function lengthToCompose({ text, html, attachments = [] }: MailToCompose): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length / BYTES_PER_UNIT, 0);
  return (text?.length ?? 0) + (html?.length ?? 0) + files;
}

/** The size of a mail as it is sent, in bytes: one without text has the text of its HTML. */
async function composedSize(mail: MailToCompose): Promise<number> {
  const { text, html } = mail;
  const composed = await composeMail({ ...mail, text: text || (html ? htmlToText(html) : "") });
  return composed.length;
}

function task<I, O>(made: ContentTask<I, O>): ContentTask<I, O> {
  return made;
}

/** Runs a task on the calling thread, as a worker does that was sent it. Fails as the task does. */
export async function runContentTask(name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(TASKS, name)) throw new Error(`there is no content task ${name}`);
  return (TASKS[name as ContentTaskName] as ContentTask<unknown, unknown>).run(input);
}

/**
 * Does pure work on content: short content on the calling thread, long content on `worker`'s, if there is one.
 * Fails as the task does.
 */
export async function workOnContent<N extends ContentTaskName>(
  worker: { run(name: string, input: unknown): Promise<unknown> } | undefined,
  name: N,
  input: Input<N>,
): Promise<Output<N>> {
  const { run } = TASKS[name] as unknown as ContentTask<Input<N>, Output<N>>;
  if (worker === undefined || isShort(name, input)) return run(input);
  return (await worker.run(name, input)) as Output<N>;
}

/** Whether content is short enough to be worked on without being noticed by others. */
function isShort<N extends ContentTaskName>(name: N, input: Input<N>): boolean {
  const { length } = TASKS[name] as unknown as ContentTask<Input<N>, Output<N>>;
  return length(input) <= AT_ONCE;
}
