import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import type { Fields } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";

/** The options for a mail's contents. */
export const LETTER_OPTIONS = {
  text_file: { kind: "text", about: "the file that has the text; - is standard input", placeholder: "file" },
  html_file: {
    kind: "text",
    about: "the file that has the HTML part; - is standard input",
    placeholder: "file",
  },
  attach: {
    kind: "text",
    short: "a",
    about: "a file to attach; may be repeated",
    placeholder: "file",
    many: true,
  },
} as const satisfies Fields;

/** Reads the files that the options name: texts, also from standard input, and attachments. */
export async function readLetter(
  context: Context,
  { text_file, html_file, attach, ...fields }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (text_file === "-" && html_file === "-")
    throw wrongUse("Standard input can't be both the text and the HTML.");
  if (text_file !== undefined && fields["text"] !== undefined)
    throw wrongUse("Give --text or --text-file, not both.");
  if (html_file !== undefined && fields["html"] !== undefined)
    throw wrongUse("Give --html or --html-file, not both.");
  const files = (attach ?? []) as string[];
  return {
    ...fields,
    ...(text_file === undefined ? {} : { text: await readWords(context, text_file as string) }),
    ...(html_file === undefined ? {} : { html: await readWords(context, html_file as string) }),
    ...(files.length === 0 ? {} : { attachments: files.map(attachmentOf) }),
  };
}

/** Reads a file, or standard input if it is `-`. */
export const readWords = async ({ terminal }: Context, file: string): Promise<string> =>
  file === "-" ? text(terminal.stdin) : readFileSync(file, "utf8");

/** A file to attach; the server knows its type by its name. */
const attachmentOf = (file: string): { filename: string; content_base64: string } => ({
  filename: basename(file),
  content_base64: readFileSync(file).toString("base64"),
});
