import type { Command } from "../frame/command.ts";
import { runServerCommand } from "../operator/run-server-command.ts";

/** `letterslot accounts`: the server's own command. */
export const command: Command = {
  summary: "Opens, moves and deletes accounts of a server of yours",
  examples: ["letterslot accounts list", "letterslot accounts create --owner mara@example.com"],
  passes_words: true,
  run: (context, { words }) =>
    runServerCommand(context, words as string[], (server, given, streams) =>
      server.runAccounts(given, streams),
    ),
};
