import type { Command } from "../frame/command.ts";
import { runServerCommand } from "../operator/run-server-command.ts";

/** `letterslot doctor`: the server's own command. */
export const command: Command = {
  summary: "Looks for what is wrong with a server's set-up",
  examples: ["letterslot doctor", "letterslot doctor --json | jq 'select(.status != \"ok\")'"],
  passes_words: true,
  run: (context, { words }) =>
    runServerCommand(context, words as string[], (server, given, streams) =>
      server.examineSetUp(given, streams),
    ),
};
