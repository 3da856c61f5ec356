import { openAsBlob, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import type { Fields } from "../frame/command.ts";
import type { Connection, Context } from "../frame/context.ts";
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
    about:
      "a file to attach, the id of an attachment or upload (att_…, upl_…), or an https URL; may be repeated",
    placeholder: "file",
    many: true,
  },
} as const satisfies Fields;

/** Reads the files that the options name: texts, also from standard input, and attachments. */
export async function readLetter(
  context: Context,
  { text_file, html_file, attach, ...fields }: Record<string, unknown>,
  { client }: Pick<Connection, "client">,
): Promise<Record<string, unknown>> {
  if (text_file === "-" && html_file === "-")
    throw wrongUse("Standard input can't be both the text and the HTML.");
  if (text_file !== undefined && fields["text"] !== undefined)
    throw wrongUse("Give --text or --text-file, not both.");
  if (html_file !== undefined && fields["html"] !== undefined)
    throw wrongUse("Give --html or --html-file, not both.");
  // Before anything is uploaded: a file that can't be read fails the command.
  const words = {
    ...(text_file === undefined ? {} : { text: await readWords(context, text_file as string) }),
    ...(html_file === undefined ? {} : { html: await readWords(context, html_file as string) }),
  };
  const files = (attach ?? []) as string[];
  const attachments: Record<string, string>[] = [];
  for (const file of files)
    attachments.push(await attachmentOf(client, (fields["inbox_id"] ?? "") as string, file));
  return {
    ...fields,
    ...words,
    ...(files.length === 0 ? {} : { attachments }),
  };
}

/** Reads a file, or standard input if it is `-`. */
export const readWords = async ({ terminal }: Context, file: string): Promise<string> =>
  file === "-" ? text(terminal.stdin) : readFileSync(file, "utf8");

/** A file smaller than this goes with the call. */
const INLINE_BYTES = 256 * 1024;
const URL_START = "https://";
const REFERENCE = /^(att|upl)_[0-9a-z]{20}$/;

/** What `--attach` names: an attachment or upload by its id, a URL, or a file, which is uploaded unless it is small. */
async function attachmentOf(
  client: Connection["client"],
  inbox_id: string,
  file: string,
): Promise<Record<string, string>> {
  const [, kind] = REFERENCE.exec(file) ?? [];
  if (kind !== undefined) return kind === "att" ? { attachment_id: file } : { upload_id: file };
  if (file.startsWith(URL_START)) return { url: file };
  const filename = basename(file);
  if (statSync(file).size < INLINE_BYTES)
    return { filename, content_base64: readFileSync(file).toString("base64") };
  return client.uploads.file({ inbox_id, filename, data: await openAsBlob(file) });
}
