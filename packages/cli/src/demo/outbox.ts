import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { CliError } from "../frame/exit.ts";

const LOOK_MS = 25;
const PATIENCE_MS = 60_000;

/** Waits until a letter was captured in the server's folder that has what is looked for, and returns that. */
export async function untilWritten(folder: string, found: RegExp, signal: AbortSignal): Promise<string> {
  for (
    const end = performance.now() + PATIENCE_MS;
    performance.now() < end;
    await after(LOOK_MS, null, { signal })
  )
    for (const file of globSync("outbox/*.eml", { cwd: folder })) {
      const [, text] = found.exec(textOf(readFileSync(join(folder, file), "utf8"))) ?? [];
      if (text !== undefined) return text;
    }
  throw new CliError("The demo's server wrote no letter in a minute.");
}

/** The text of a letter without the line ends of quoted-printable. */
const textOf = (raw: string): string => raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
