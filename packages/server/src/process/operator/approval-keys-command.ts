import type { Letterslot } from "@letterslot/core";
import { AccountsCommandError } from "./accounts-command.ts";
import type { CommandOutput } from "./accounts-plans.ts";

/** The output of `letterslot-server approval-keys --help`. */
export const APPROVAL_KEYS_USAGE = `Shows and changes the keys that sign the receipts of approvals.

Usage: letterslot-server approval-keys list
       letterslot-server approval-keys rotate

It works on the storage that the environment configures: DATA_DIR, where a server that is running does what is asked,
or DATABASE_URL.

list prints the public keys, a line of JSON for each, oldest first: those that the server publishes at
/.well-known/approval-keys.json.

rotate makes a new key, which signs from then on, and deletes the private half of the one before. What that signed
stays verifiable: its public half stays published, with the time at which it was retired. Rotate once a year, and at
once when somebody may have read the storage together with ENCRYPTION_KEY.

Examples:
  letterslot-server approval-keys list
  letterslot-server approval-keys rotate
`;

/** Runs `approval-keys` with the arguments after its name. Throws `AccountsCommandError`. */
export async function runApprovalKeysCommand(
  words: readonly string[],
  keys: Letterslot["operator"]["approvalKeys"],
  output: CommandOutput,
): Promise<void> {
  const print = (key: object) => void output.write(`${JSON.stringify(key)}\n`);
  if (words.length === 1 && words[0] === "list") return (await keys.list()).forEach(print);
  if (words.length === 1 && words[0] === "rotate") return print(await keys.rotate());
  throw new AccountsCommandError(APPROVAL_KEYS_USAGE);
}
