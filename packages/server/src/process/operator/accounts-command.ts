import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Letterslot, LetterslotError } from "@letterslot/core";
import { ArchiveError } from "@letterslot/core/internal";
import { exportToFolder, importFromFile } from "../archive/accounts-archive.ts";
import { isFileError } from "../archive/zip.ts";
import type { ProgressStream } from "../migrate-storage/progress.ts";
import { type CommandOutput, runPlanVerb } from "./accounts-plans.ts";

/** The output of `letterslot-server accounts --help`. */
export const ACCOUNTS_USAGE = `Opens accounts, says who has charge of them, moves and deletes them.

Usage: letterslot-server accounts create --owner <email>
       letterslot-server accounts list [--json]
       letterslot-server accounts show <account> [--json]
       letterslot-server accounts set-plan <account> <plan> [--json]
       letterslot-server accounts suspend <account> [--json]
       letterslot-server accounts resume <account> [--json]
       letterslot-server accounts authority list <account>
       letterslot-server accounts authority give <account> <email> [--inbox <id>]
       letterslot-server accounts authority end <authority>
       letterslot-server accounts note <account> <email> | none
       letterslot-server accounts suppressions list <account>
       letterslot-server accounts suppressions lift <account> <address>
       letterslot-server accounts export <account> --to <folder>
       letterslot-server accounts import <zip> [--owner <email>] [--trust-owners]
       letterslot-server accounts delete <account> --yes

It works on the storage that the environment configures: DATA_DIR, where a server that is running does what is asked,
or DATABASE_URL. create also works with ONBOARDING=closed, and shows the account's key once.

list and show print a table on a terminal, and JSON, a line for each account, with --json or anywhere else. show
says what the account uses of its plan. set-plan takes a name from the file that PLANS names, or \`default\` for
whatever plan the file names as default. suspend stops an account and its workspaces: calls are answered 403
account_suspended, mail to them is deferred (451) and mail of them waits; nothing is deleted, and their owners'
pages and letters still work. resume ends that, within ten minutes for what waited.

note changes the first address of an account: who may take charge of it while nobody has. With \`none\` it is the
next owner who confirms.

An account that doesn't exist ends the command with status 2, and any other mistake with status 1.

suppressions list prints the addresses that an account doesn't write to, with who made each (made_by); lift takes
one back, whoever made it.

export writes <account>.zip: all of the account but its secrets. import brings it into this service with the
same ids and prints a new key with full access, once. If either is interrupted, run it again. Nothing that was
scheduled or waiting comes in so: drafts stay drafts, and webhooks are disabled and have a new secret.

delete ends an account and its workspaces for good, without asking anybody: nobody has access to it from then on, and
the server erases what it holds, within 24 hours of its running. Only its addresses are kept, so that nobody else ever
gets them. Export it first: an archive brings it back, with its addresses.

  --owner         who is to have charge of the imported account
  --trust-owners  believes the file about people: who is a verified owner, and who has charge of the account.
                  Only for files that you made yourself: whoever could change the file decides then whose
                  mail gives the agent orders and whose session rules the account. Without it owners have to
                  confirm again, and only --owner has charge.
  --yes           says that it is meant

Examples:
  letterslot-server accounts create --owner mara@example.com
  letterslot-server accounts list --json
  letterslot-server accounts show acct_…
  letterslot-server accounts authority give acct_… mara@example.com
  letterslot-server accounts suspend acct_…
  letterslot-server accounts resume acct_…
  letterslot-server accounts export acct_… --to ./backups
  letterslot-server accounts delete acct_… --yes
`;

/** The exit status when there is no such account. */
const NO_ACCOUNT = 2;

/** The command cannot be run with these arguments, or they name something that does not exist. */
export class AccountsCommandError extends Error {
  override name = "AccountsCommandError";
  /** The command's exit code. */
  readonly status: number;

  constructor(message: string, { status = 1, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** Runs `accounts` with the arguments after its name; files are named from `cwd`. Throws `AccountsCommandError`. */
export async function runAccountsCommand(
  args: string[],
  service: Pick<Letterslot, "operator" | "services">,
  output: CommandOutput,
  progress: ProgressStream,
  cwd: string = process.cwd(),
): Promise<void> {
  const {
    words,
    owner,
    inbox,
    to,
    "trust-owners": trustOwners = false,
    json = false,
    yes = false,
  } = readArguments(args);
  const [verb, noun, ...named] = words;
  const { accounts } = service.operator;
  const print = async (record: object): Promise<void> => {
    await output.write(`${JSON.stringify(record)}\n`);
  };
  try {
    if (await runPlanVerb(words, accounts, output, json)) return;
    if (verb === "export" && noun !== undefined && named.length === 0 && to !== undefined)
      return await print({
        account_id: noun,
        path: await exportToFolder(service, noun, resolve(cwd, to), progress),
      });
    if (verb === "import" && noun !== undefined && named.length === 0)
      return await print(await importFromFile(service, resolve(cwd, noun), { trustOwners, owner }, progress));
    if (verb === "delete" && noun !== undefined && named.length === 0)
      return await print(await deleteAccount(accounts, noun, yes));
    if (verb === "create" && noun === undefined && owner !== undefined)
      return await print(await accounts.create({ owner }));
    const [first, second] = named;
    if (verb === "note" && noun !== undefined && first !== undefined && second === undefined)
      return await print(await accounts.note(noun, first === "none" ? null : first));
    if (verb === "suppressions" && first !== undefined) {
      if (noun === "list" && second === undefined) return await printSuppressions(accounts, first, print);
      if (noun !== "lift" || second === undefined) throw usage();
      return await print({ ...(await accounts.suppressions.lift(first, second)), deleted: true });
    }
    if (verb !== "authority" || first === undefined) throw usage();
    if (noun === "list" && second === undefined)
      return await printAll(await accounts.authority.list(first), print);
    if (noun === "give" && second !== undefined)
      return await print(
        await accounts.authority.give({ account_id: first, email: second, inbox_id: inbox }),
      );
    if (noun !== "end" || second !== undefined) throw usage();
    await accounts.authority.end(first);
    return await print({ id: first, deleted: true });
  } catch (error) {
    const expected = error instanceof LetterslotError || error instanceof ArchiveError || isFileError(error);
    if (!expected) throw error;
    const unknown = error instanceof LetterslotError && error.code === "account_not_found";
    throw new AccountsCommandError(error.message, { status: unknown ? NO_ACCOUNT : 1, cause: error });
  }
}

async function printSuppressions(
  accounts: Letterslot["operator"]["accounts"],
  account_id: string,
  print: (record: object) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await accounts.suppressions.list(account_id, { after });
    await printAll(page, print);
    after = page.at(-1)?.id;
  } while (after !== undefined);
}

async function printAll(records: readonly object[], print: (record: object) => Promise<void>): Promise<void> {
  for (const record of records) await print(record);
}

async function deleteAccount(
  accounts: Letterslot["operator"]["accounts"],
  account_id: string,
  yes: boolean,
): Promise<object> {
  const { created_at, storage_bytes } = await accounts.show(account_id);
  if (!yes)
    throw new AccountsCommandError(
      `This erases ${account_id}, opened ${created_at.slice(0, 10)}, with ${storage_bytes} bytes of mail, for good. Add --yes if it is meant.`,
    );
  return accounts.delete(account_id);
}

const usage = () => new AccountsCommandError(`The arguments are not complete.\n\n${ACCOUNTS_USAGE}`);

function readArguments(args: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { owner: text, inbox: text, to: text, "trust-owners": flag, json: flag, yes: flag },
      allowPositionals: true,
    });
    return { words: positionals, ...values };
  } catch (error) {
    throw new AccountsCommandError(`${(error as Error).message}\n\n${ACCOUNTS_USAGE}`);
  }
}
