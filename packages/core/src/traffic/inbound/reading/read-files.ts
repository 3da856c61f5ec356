import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import type { ReadMail, SearchedMail } from "../../../model/read-mail.ts";
import { networkOf } from "../../../owners/sessions/index.ts";

/** The text of a mail's file. */
export interface FileText {
  path: string;
  /** The result of searching its text; null if it could not be opened. */
  found: Awaited<ReturnType<typeof searchOf>> | null;
}

/**
 * Opens the files of a mail that can be searched only once opened, as many as time allows. A file that was not opened
 * counts as unreadable.
 */
export async function readFiles(
  services: Services,
  { attachments, searched }: Pick<ReadMail, "attachments" | "searched">,
  client_ip: string | null,
): Promise<FileText[]> {
  const files = searched?.files ?? [];
  if (files.length === 0) return [];
  const out_of_time = Promise.withResolvers<null>();
  const stop = services.clock.after(LIMITS.letter_search_ms, () => out_of_time.resolve(null));
  try {
    const opened = await inShareOf(services, client_ip, () =>
      Promise.all(
        files.map(async ({ path, kind, bytes }, index) => {
          const content = bytes ?? attachments[Number(path)]?.bytes;
          const readable = kind !== null && content !== undefined && index < LIMITS.letter_search_files;
          const reading = readable ? openFile(services, { kind, bytes: content }) : null;
          const text = await Promise.race([reading, out_of_time.promise]);
          return { path, found: text === null ? null : await searchOf(services, text) };
        }),
      ),
    );
    return opened ?? files.map(({ path }) => ({ path, found: null }));
  } finally {
    stop();
  }
}

/** The text of a file; null if it can't be opened, or not all of it. */
async function openFile(
  { textExtraction, log }: Services,
  file: { kind: NonNullable<SearchedMail["files"][number]["kind"]>; bytes: Uint8Array },
): Promise<string | null> {
  if (textExtraction === undefined || file.bytes.length > LIMITS.attachment_text_input_bytes) return null;
  try {
    const { text, truncated } = await textExtraction.extract(file);
    return truncated ? null : text;
  } catch (error) {
    log.info({ error }, "a file of a mail could not be opened");
    return null;
  }
}

async function searchOf({ contentWorker }: Pick<Services, "contentWorker">, text: string) {
  const { secrets, text: struck } = await workOnContent(contentWorker, "strikeText", text);
  return { secrets, is_struck: struck !== text, ...(await workOnContent(contentWorker, "searchText", text)) };
}

/** The mails of each network whose files are being opened. */
const opening = new WeakMap<Services["clock"], Map<string, number>>();

/**
 * Limits the number of mails from one network whose files are opened at once; files of further mails count as
 * unreadable.
 */
async function inShareOf(
  { clock }: Services,
  client_ip: string | null,
  open: () => Promise<FileText[]>,
): Promise<FileText[] | undefined> {
  const open_by_network = opening.get(clock) ?? new Map<string, number>();
  opening.set(clock, open_by_network);
  const network = client_ip === null ? "" : networkOf(client_ip);
  const others = open_by_network.get(network) ?? 0;
  if (network !== "" && others >= LIMITS.letter_searches_per_network) return undefined;
  open_by_network.set(network, others + 1);
  try {
    return await open();
  } finally {
    const left = (open_by_network.get(network) ?? 1) - 1;
    if (left > 0) open_by_network.set(network, left);
    else open_by_network.delete(network);
  }
}
