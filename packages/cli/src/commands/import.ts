import { LIMITS } from "@letterslot/core";
import { INBOX, inboxIdOf } from "../catalogue/inbox.ts";
import { defineCommand } from "../frame/command.ts";
import { AlreadyTold, EXIT } from "../frame/exit.ts";
import { showProgress } from "../frame/progress.ts";
import { type ImportedMail, importMails } from "../mailbox/import-mail.ts";
import { type FoundMail, type MailboxFile, mailboxFiles, mailsIn } from "../mailbox/mailbox-files.ts";

const MEGABYTE = 1_000_000;

/** `letterslot import`. */
export const command = defineCommand({
  summary: "Takes over mail of another mailbox: mbox, Maildir, .eml",
  about:
    "The mail is read, labelled `imported` and `injected`, and found like other mail. It makes no task and no event and wakes no agent, whoever wrote it. It may be interrupted and run again: what is there already isn't stored twice. The key needs the permission message_inject.",
  args: {
    path: {
      kind: "text",
      many: true,
      required: true,
      about: "an mbox file, .eml files, a Maildir, or folders of these",
    },
  },
  options: { inbox: INBOX },
  examples: ["letterslot import ~/Maildir", "letterslot import archive.mbox old/*.eml --inbox ada"],
  async run(context, { path: paths, inbox }) {
    const { terminal, output, signal } = context;
    const files = mailboxFiles(paths);
    const connection = await context.connect();
    const inbox_id = await inboxIdOf(connection, context, inbox);
    const progress = showProgress(terminal);
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let read = 0;
    const counts = { imported: 0, already_there: 0, refused: 0 };
    const mails = mailsOf(files, (bytes) => {
      read += bytes;
    });
    const done = ({ source, outcome, reason }: ImportedMail) => {
      counts[outcome] += 1;
      if (outcome === "refused") {
        progress.end();
        terminal.note(`${source}: not imported (${reason})`);
      }
      const megabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE);
      progress.update({ what: "Importing, MB", done: megabytes(read), total: megabytes(total) });
    };
    try {
      await importMails(connection.client, inbox_id, mails, { done, signal });
    } finally {
      progress.end();
    }
    const mail = counts.imported === 1 ? "1 mail" : `${counts.imported} mails`;
    const already = counts.already_there === 0 ? "" : `; ${counts.already_there} were there already`;
    const refused = counts.refused === 0 ? "" : `; ${counts.refused} refused`;
    await output.done(`Imported ${mail}${already}${refused}.`, { object: "import", inbox_id, ...counts });
    if (counts.refused > 0) throw new AlreadyTold(EXIT.failure);
  },
});

/** The mails of all files. */
async function* mailsOf(
  files: readonly MailboxFile[],
  onRead: (bytes: number) => void,
): AsyncGenerator<FoundMail> {
  for (const file of files) {
    for await (const found of mailsIn(file, LIMITS.raw_mail_bytes)) {
      onRead(found.raw?.length ?? 0);
      yield found;
    }
  }
}
