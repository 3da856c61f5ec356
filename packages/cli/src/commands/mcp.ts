import type { Readable, Writable } from "node:stream";
import { hostOfClient, serveStdio } from "@letterslot/mcp";
import { defineCommand } from "../frame/command.ts";

/** `letterslot mcp`: the MCP server over standard input and output. */
export const command = defineCommand({
  summary: "Serves language models over standard input and output (MCP)",
  about:
    "For clients that start a program, such as Claude Desktop. A client that takes an address needs no program: it is the server's own, with /mcp at its end.",
  options: {
    files: {
      kind: "text",
      about: "a folder from which models may attach files by their path; may be repeated",
      placeholder: "dir",
      many: true,
    },
  },
  examples: [
    "letterslot mcp",
    "letterslot mcp --files ./outbox",
    "claude mcp add letterslot -- npx -y @letterslot/cli@0.1 mcp",
  ],
  async run(context, { files }) {
    const { client } = await context.connect();
    const { stdin, streams, note } = context.terminal;
    const serving = serveStdio({
      host: hostOfClient(client, { folders: files }),
      input: stdin as Readable,
      output: streams.stdout as unknown as Writable,
      onError: ({ message }) => note(message),
    });
    context.signal.addEventListener("abort", () => void serving.close(), { once: true });
    await serving.closed;
  },
});
