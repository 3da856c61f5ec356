import { variables } from "./config.ts";

/** What `--help` prints. */
export function helpText(): string {
  const rows = Object.entries(variables).map(
    ([name, { meaning, fallback }]) => `  ${name.padEnd(25)}${meaning} Default: ${fallback}.`,
  );
  return `Letterslot: e-mail for software agents.

Usage: letterslot-server [--help] [--version]
       letterslot-server migrate-storage --from <storage> --to <storage> [--account <id>]

It runs without any setting: SQLite in ./data, outgoing mail captured, mail for inboxes on port 2525.
Settings are variables of the environment; a .env file in the working directory is read too.

${rows.join("\n")}
`;
}
