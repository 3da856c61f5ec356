import { VARIABLES } from "./variables.ts";

/** The settings, a line for each. */
export const settingsText = (): string =>
  Object.entries(VARIABLES)
    .map(
      ([name, { meaning, expects, fallback }]) =>
        `  ${name.padEnd(25)}${meaning} Takes ${expects}. Default: ${fallback}.`,
    )
    .join("\n");

/** The output of `--help`. */
export function helpText(): string {
  return `Letterslot: email for software agents.

Usage: letterslot-server [--help] [--version]
       letterslot-server migrate-storage --from <storage> --to <storage> [--account <id>]
       letterslot-server accounts create --owner <email>
       letterslot-server accounts list|show|set-plan|suspend|resume …
       letterslot-server accounts authority list|give|end …
       letterslot-server accounts passkeys list|remove …
       letterslot-server accounts export|import|delete …
       letterslot-server approval-keys list|rotate
       letterslot-server doctor [--json]

No configuration is needed: by default, data is stored with SQLite in ./data, incoming mail is accepted on port
2525, and outgoing mail is captured instead of sent. Configure it with environment variables; a .env file in the
working directory is read too.

${settingsText()}

Examples:
  letterslot-server
  MAIL_DOMAIN=agents.example.com SMTP_HOST=0.0.0.0 SMTP_PORT=25 SMTP_URL=smtp://relay.example.com:587 letterslot-server
  MAIL_DOMAIN=agents.example.com SMTP_URL=mx: letterslot-server
`;
}
