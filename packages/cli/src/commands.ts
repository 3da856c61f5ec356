import type { Lazy } from "./frame/command.ts";

/**
 * What `letterslot` can do, in the order of its help. A command is a file of `commands/` that exports `command`: it is
 * loaded when it is used, so `letterslot --help` costs none of it.
 */
export const COMMANDS: Readonly<Record<string, Lazy>> = {
  init: {
    summary: "Opens an account with an inbox, and stores its key",
    load: async () => (await import("./commands/init.ts")).command,
  },
  login: {
    summary: "Logs you in: a browser asks you what this program may do",
    load: async () => (await import("./commands/login.ts")).command,
  },
  logout: {
    summary: "Ends a login and forgets the profile",
    load: async () => (await import("./commands/logout.ts")).command,
  },
  profiles: {
    summary: "The servers you use, and which is the current one",
    load: async () => (await import("./commands/profiles.ts")).command,
  },
  call: {
    summary: "Calls any operation of the API",
    load: async () => (await import("./commands/call.ts")).command,
  },
};
