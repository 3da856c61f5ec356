import type { Download, FileDownload } from "@letterslot/client";
import type { Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";
import { writeWholeFile } from "../frame/write-file.ts";

/** Whether what an operation answers is a download. */
export const isDownload = (answers: string | undefined): boolean => answers === "bytes" || answers === "file";

/** Writes a download to a file, or to a pipe; never to a terminal, which would obey its control characters. */
export async function keepDownload(
  { terminal }: Context,
  download: Download | FileDownload,
  file: string | undefined,
): Promise<void> {
  const pieces = "bytes" in download ? [download.bytes] : download.stream;
  if (file === undefined) {
    if (terminal.stdout.isTTY === true)
      throw wrongUse(
        "A download isn't written to the terminal.",
        "Say where it goes: -o <file>, or pipe it.",
      );
    for await (const piece of pieces) await terminal.writeBytes(piece);
    return;
  }
  const bytes = await writeWholeFile(file, async (write) => {
    let written = 0;
    for await (const piece of pieces) {
      write(piece);
      written += piece.length;
    }
    return written;
  });
  terminal.note(`${bytes} bytes written to ${file}`);
}
