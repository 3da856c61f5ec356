import { writeFileSync } from "node:fs";
import type { Download } from "@letterslot/client";
import type { Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";

/** Writes a download to a file, or to a pipe; never to a terminal, which would obey what is in it. */
export async function keepDownload(
  { terminal }: Context,
  { bytes }: Download,
  file: string | undefined,
): Promise<void> {
  if (file === undefined && terminal.stdout.isTTY === true)
    throw wrongUse("A download isn't written to the terminal.", "Say where it goes: -o <file>, or pipe it.");
  if (file === undefined) return terminal.write(bytes);
  writeFileSync(file, bytes);
  terminal.note(`${bytes.length} bytes written to ${file}`);
}
