import { setFlagsFromString } from "node:v8";
import { defineCommand } from "../frame/command.ts";
import { failureOf } from "../operator/run-server-command.ts";

/** `letterslot serve`: what letterslot-server does. */
export const command = defineCommand({
  summary: "Runs a server",
  about:
    "It takes no configuration to begin with: data is stored in ./data, mail comes in on port 2525, and outgoing mail is captured instead of sent. Settings are environment variables, or lines of a .env file in the working directory; --settings lists them. What is wrong with a set-up, letterslot doctor says.",
  options: { settings: { kind: "flag", about: "list the settings, and run nothing" } },
  examples: [
    "letterslot serve",
    "MAIL_DOMAIN=agents.example.com SMTP_PORT=25 letterslot serve",
    "letterslot serve --settings",
  ],
  async run({ terminal }, { settings }) {
    // As in the server's own program: the young generation must not grow while modules load.
    setFlagsFromString("--semi-space-growth-factor=1");
    const server = await import("@letterslot/server/command");
    if (settings) return terminal.write(`${server.settingsText()}\n`);
    server.limitYoungSpace();
    try {
      await server.runServer();
    } catch (error) {
      throw failureOf(server, error);
    }
    // A signal stops the server, and it ends the process itself.
    return new Promise<never>(() => undefined);
  },
});
