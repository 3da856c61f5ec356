import type { Command } from "../frame/command.ts";
import { runServerCommand } from "../operator/run-server-command.ts";

/** `letterslot migrate-storage`: the server's own command. */
export const command: Command = {
  summary: "Copies a server's data to another storage",
  examples: ["letterslot migrate-storage --from sqlite:./data --to postgres://mail@localhost/mail"],
  passes_words: true,
  run: (context, { words }) =>
    // That command has no --json.
    runServerCommand(
      { ...context, globals: { ...context.globals, json: false } },
      words as string[],
      (server, given, streams) => server.runMigrateStorage(given, streams),
    ),
};
