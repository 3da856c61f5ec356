import type { Lazy } from "./frame/command.ts";

/**
 * What `letterslot` can do, in the order of its help. A command is a file of `commands/` that exports `command`: it is
 * loaded when it is used, so `letterslot --help` costs none of it.
 */
export const COMMANDS: Readonly<Record<string, Lazy>> = {
  call: {
    summary: "Calls any operation of the API",
    load: async () => (await import("./commands/call.ts")).command,
  },
};
