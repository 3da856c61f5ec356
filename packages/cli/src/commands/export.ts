import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, LetterslotApiError } from "@letterslot/client";
import { mboxEntry } from "@letterslot/core/internal";
import { inboxIdOf } from "../catalogue/inbox.ts";
import { defineCommand } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { CliError, wrongUse } from "../frame/exit.ts";
import { showProgress } from "../frame/progress.ts";
import { type Write, writeWholeFile } from "../frame/write-file.ts";

const LOOK_MS = 1_000;
const PAGE_MESSAGES = 200;

/** `letterslot export`. */
export const command = defineCommand({
  summary: "Saves the account, or the mail of an inbox, to a file",
  about:
    "Without --inbox: a zip of everything but secrets, which another server imports (letterslot accounts import). It needs a key with all permissions. With --inbox: the inbox's mail as an mbox file, oldest first, which mail programs and letterslot import read; held mail is left out.",
  options: {
    output: { kind: "text", short: "o", required: true, about: "the file to write", placeholder: "file" },
    inbox: {
      kind: "text",
      short: "i",
      about: "only this inbox's mail, as mbox: its id, address or username",
      placeholder: "inbox",
    },
    overwrite: { kind: "flag", about: "replace the file if it is there" },
  },
  examples: ["letterslot export -o account.zip", "letterslot export --inbox ada -o ada.mbox"],
  async run(context, { output: file, inbox, overwrite }) {
    if (!overwrite && existsSync(file))
      throw wrongUse(`${file} is there already.`, "Name another file, or say --overwrite.");
    const connection = await context.connect();
    const { client } = connection;
    const inbox_id = inbox === undefined ? undefined : await inboxIdOf(connection, context, inbox);
    const counts = await writeWholeFile(file, (write) =>
      inbox_id === undefined
        ? exportAccount(context, client, write)
        : exportMail(context, client, inbox_id, write),
    );
    const { left_out, mails } = counts;
    const what = mails === undefined ? "The account was" : mails === 1 ? "1 mail was" : `${mails} mails were`;
    const held =
      left_out === undefined || left_out === 0
        ? ""
        : ` ${left_out} were left out, as they are held or no mail.`;
    await context.output.done(`${what} saved to ${file}.${held}`, { object: "export", file, ...counts });
  },
});

interface Counts {
  mails?: number;
  left_out?: number;
}

async function exportAccount({ terminal, signal }: Context, client: Client, write: Write): Promise<Counts> {
  let made = await client.exports.create({}, { signal });
  const { id: export_id } = made;
  if (made.status === "pending" && terminal.stderr.isTTY === true) terminal.note("The zip is being made …");
  while (made.status === "pending") {
    await pause(LOOK_MS, undefined, { signal });
    made = await client.exports.get({ export_id }, { signal });
  }
  if (made.status === "failed")
    throw new CliError("The export could not be made.", {
      fix: "Run this again; the server's log says what was wrong.",
    });
  const { stream, size_bytes } = await client.exports.download({ export_id }, { signal });
  const progress = showProgress(terminal);
  let done = 0;
  try {
    for await (const piece of stream) {
      write(piece);
      done += piece.length;
      const total = size_bytes === null ? {} : { total: megabytes(size_bytes) };
      progress.update({ what: "MB", done: megabytes(done), ...total });
    }
  } finally {
    progress.end();
  }
  return {};
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);

async function exportMail(
  { terminal, signal }: Context,
  client: Client,
  inbox_id: string,
  write: Write,
): Promise<Counts> {
  const progress = showProgress(terminal);
  const counts = { mails: 0, left_out: 0 };
  try {
    const list = client.messages.list(
      { inbox_id, order: "asc", view: "summary", limit: PAGE_MESSAGES },
      { signal },
    );
    for await (const message of list) {
      const raw = message.channel === "email" ? await rawOf(client, inbox_id, message.id, signal) : undefined;
      if (raw === undefined) counts.left_out += 1;
      else {
        write(mboxEntry({ from: message.from, date: new Date(message.created_at), raw }));
        counts.mails += 1;
      }
      progress.update({ what: "Mails", done: counts.mails });
    }
    return counts;
  } finally {
    progress.end();
  }
}

/** A mail's bytes; undefined while it is held, and for one without. */
async function rawOf(client: Client, inbox_id: string, message_id: string, signal: AbortSignal) {
  try {
    return (await client.messages.raw({ inbox_id, message_id }, { signal })).bytes;
  } catch (error) {
    if (error instanceof LetterslotApiError && (error.status === 404 || error.code === "message_held"))
      return undefined;
    throw error;
  }
}
