import { parseArgs } from "node:util";
import { type Letterslot, LetterslotError } from "@letterslot/core";

/** What `letterslot-server accounts --help` prints. */
export const ACCOUNTS_USAGE = `Opens accounts, and says who has charge of them.

Usage: letterslot-server accounts create --owner <email>
       letterslot-server accounts authority list <account>
       letterslot-server accounts authority give <account> <email> [--inbox <id>]
       letterslot-server accounts authority end <authority>

It works on the storage that the environment configures: DATA_DIR, which the server must not be using
meanwhile, or DATABASE_URL. create also works with ONBOARDING=closed, and shows the account's key once.
`;

/** The command cannot be run with these arguments, or what they name does not exist. */
export class AccountsCommandError extends Error {
  override name = "AccountsCommandError";
}

/** Runs `accounts` with the arguments after its name. Throws `AccountsCommandError`. */
export async function runAccountsCommand(
  args: string[],
  { accounts }: Letterslot["operator"],
  output: { write(text: string): unknown },
): Promise<void> {
  const { words, owner, inbox } = readArguments(args);
  const [verb, noun, ...named] = words;
  const print = (record: object) => void output.write(`${JSON.stringify(record)}\n`);
  try {
    if (verb === "create" && noun === undefined && owner !== undefined)
      return print(await accounts.create({ owner }));
    const [first, second] = named;
    if (verb !== "authority" || first === undefined) throw usage();
    if (noun === "list" && second === undefined) return (await accounts.authority.list(first)).forEach(print);
    if (noun === "give" && second !== undefined)
      return print(await accounts.authority.give({ account_id: first, email: second, inbox_id: inbox }));
    if (noun !== "end" || second !== undefined) throw usage();
    await accounts.authority.end(first);
    return print({ id: first, deleted: true });
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    throw new AccountsCommandError(error.message, { cause: error });
  }
}

const usage = () => new AccountsCommandError(`The arguments are not complete.\n\n${ACCOUNTS_USAGE}`);

function readArguments(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { owner: text, inbox: text },
      allowPositionals: true,
    });
    return { words: positionals, ...values };
  } catch (error) {
    throw new AccountsCommandError(`${(error as Error).message}\n\n${ACCOUNTS_USAGE}`);
  }
}
