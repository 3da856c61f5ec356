import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { wrongUse } from "../frame/exit.ts";
import { mailsOfMbox } from "./mbox.ts";

/** A file with mail in it. */
export interface MailboxFile {
  path: string;
  kind: "mail" | "mbox";
  bytes: number;
}

/** A mail where it was found; `raw` is null if it is too long. */
export interface FoundMail {
  /** The file, and for an mbox the mail's number in it. */
  source: string;
  raw: Buffer | null;
}

const MBOX_START = Buffer.from("From ");
/** A Maildir's folders with delivered mail; mail in `tmp` isn't delivered yet. */
const MAILDIR_FOLDERS = new Set(["cur", "new"]);

/**
 * The files with mail at the paths, in the order of their names: mbox files, .eml files, Maildirs and folders of these,
 * to any depth. Throws `CliError` for a path that is none.
 */
export function mailboxFiles(paths: readonly string[]): MailboxFile[] {
  return paths.flatMap((path) => {
    const found = statSync(path).isDirectory() ? filesIn(path) : fileAt(path, true);
    if (found.length === 0)
      throw wrongUse(
        `${path} holds no mail that is known.`,
        "It takes an mbox file, .eml files, a Maildir, or a folder of these.",
      );
    return found;
  });
}

function filesIn(folder: string): MailboxFile[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    // A link could lead around in a circle.
    if (entry.isDirectory()) return entry.name === "tmp" && isMaildir(folder) ? [] : filesIn(path);
    return entry.isFile() ? fileAt(path, false) : [];
  });
}

const isMaildir = (folder: string): boolean => {
  const names = new Set(readdirSync(folder));
  return names.has("cur") && names.has("new");
};

/** A file with mail; none if it isn't one. One that was `named` is a mail unless it is an mbox file. */
function fileAt(path: string, named: boolean): MailboxFile[] {
  const bytes = statSync(path).size;
  if (bytes === 0) return [];
  if (startsLikeMbox(path)) return [{ path, kind: "mbox", bytes }];
  const in_maildir = MAILDIR_FOLDERS.has(basename(dirname(path)));
  return named || in_maildir || /\.eml$/i.test(path) ? [{ path, kind: "mail", bytes }] : [];
}

function startsLikeMbox(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(MBOX_START.length);
    readSync(file, start);
    return start.equals(MBOX_START);
  } finally {
    closeSync(file);
  }
}

/** The mails of a file. */
export async function* mailsIn(file: MailboxFile, max_bytes: number): AsyncGenerator<FoundMail> {
  const { path, kind, bytes } = file;
  if (kind === "mail") {
    yield { source: path, raw: bytes > max_bytes ? null : readFileSync(path) };
    return;
  }
  for await (const { number, raw } of mailsOfMbox(createReadStream(path), max_bytes))
    yield { source: `${path}:${number}`, raw };
}
