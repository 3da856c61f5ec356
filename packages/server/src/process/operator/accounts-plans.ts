import type { Letterslot } from "@letterslot/core";

type Accounts = Letterslot["operator"]["accounts"];
type Account = Awaited<ReturnType<Accounts["list"]>>[number];
type Details = Awaited<ReturnType<Accounts["show"]>>;

/** A command's output: tables on a terminal, and JSON lines anywhere else. */
export interface CommandOutput {
  /** May return a promise that resolves when there is room for more. */
  write(text: string): unknown;
  isTTY?: boolean | undefined;
}

/**
 * Does `list`, `show`, `set-plan`, `suspend` and `resume`, and prints the accounts as they are then. False when
 * the words are none of these. Fails as the operator's verbs do.
 */
export async function runPlanVerb(
  words: readonly string[],
  accounts: Accounts,
  output: CommandOutput,
  json: boolean,
): Promise<boolean> {
  const [verb, account_id, plan, ...more] = words;
  const table = output.isTTY === true && !json;
  const print = (details: Details): true => {
    output.write(table ? describe(details) : `${JSON.stringify(details)}\n`);
    return true;
  };
  if (verb === "list" && account_id === undefined) {
    await printList(accounts, output, table);
    return true;
  }
  if (account_id === undefined || more.length > 0) return false;
  if (verb === "set-plan" && plan !== undefined)
    return print(await accounts.setPlan(account_id, plan === "default" ? null : plan));
  if (plan !== undefined) return false;
  if (verb === "show") return print(await accounts.show(account_id));
  if (verb === "suspend") return print(await accounts.suspend(account_id));
  if (verb === "resume") return print(await accounts.resume(account_id));
  return false;
}

/** Prints page by page, so that it takes no memory for many accounts. */
async function printList(accounts: Accounts, output: CommandOutput, table: boolean): Promise<void> {
  if (table) output.write(row(["ACCOUNT", "OPENED", "PLAN", "STATE", "STORED", "PARENT"]));
  let after: string | undefined;
  for (;;) {
    const page = await accounts.list({ after });
    for (const account of page)
      await output.write(table ? row(cellsOf(account)) : `${JSON.stringify(account)}\n`);
    after = page.at(-1)?.account_id;
    if (after === undefined) return;
  }
}

const WIDTHS = [26, 12, 12, 11, 10];

const row = (cells: readonly string[]): string =>
  `${cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(" ")
    .trimEnd()}\n`;

const cellsOf = (account: Account): string[] => [
  account.account_id,
  account.created_at.slice(0, 10),
  account.plan ?? "-",
  stateOf(account),
  megabytes(account.storage_bytes),
  account.parent_account_id ?? "-",
];

const stateOf = ({ deleted_at, suspended_at }: Account): string => {
  if (deleted_at !== null) return "deleted";
  return suspended_at === null ? "active" : "suspended";
};

function describe(account: Details): string {
  const lines: [string, string][] = [
    ["Account", account.account_id],
    ...(account.parent_account_id === null
      ? []
      : [["Parent", account.parent_account_id] as [string, string]]),
    ["Opened", account.created_at],
    ["First owner", account.first_owner_email ?? "none yet"],
    ["Plan", account.plan ?? "none"],
    ["State", [stateOf(account), account.deleted_at ?? account.suspended_at].filter(Boolean).join(" since ")],
    ...Object.entries(account.usage).map(([resource, { used, limit }]): [string, string] => [
      resource,
      `${used} of ${limit ?? "any number"}`,
    ]),
  ];
  return lines.map(([name, value]) => `${name.padEnd(15)}${value}\n`).join("");
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
