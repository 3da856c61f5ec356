import type { Lazy } from "./frame/command.ts";

/**
 * The commands of `letterslot`, in the order of its help. A command is a file of `commands/` that exports `command`: it
 * is loaded on use, so `letterslot --help` loads none.
 */
export const COMMANDS: Readonly<Record<string, Lazy>> = {
  serve: {
    summary: "Runs a server",
    load: async () => (await import("./commands/serve.ts")).command,
  },
  demo: {
    summary: "Shows it all: an agent, its owner, a forged mail; nothing to set up",
    load: async () => (await import("./commands/demo.ts")).command,
  },
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
  whoami: {
    summary: "Shows which account you use, and what you may do there",
    load: async () => (await import("./commands/whoami.ts")).command,
  },
  overview: {
    summary: "What waits for a person, and what the agents did today",
    load: async () => (await import("./commands/overview.ts")).command,
  },
  inboxes: {
    summary: "Addresses: list, create, change and delete them",
    load: async () => (await import("./commands/inboxes.ts")).command,
  },
  messages: {
    summary: "Mail: list, read, send, answer, wait for it, search",
    load: async () => (await import("./commands/messages.ts")).command,
  },
  code: {
    summary: "One-time codes and links of sign-ups and sign-ins",
    load: async () => (await import("./commands/code.ts")).command,
  },
  tasks: {
    summary: "What owners ask for: list, claim, answer, finish, watch",
    load: async () => (await import("./commands/tasks.ts")).command,
  },
  update: {
    summary: "Tells the owners how the work goes, or asks them something",
    load: async () => (await import("./commands/update.ts")).command,
  },
  owners: {
    summary: "The people that an inbox works for",
    load: async () => (await import("./commands/owners.ts")).command,
  },
  refusals: {
    summary: "Calls that were refused, and why",
    load: async () => (await import("./commands/refusals.ts")).command,
  },
  approvals: {
    summary: "What waits for an owner's word",
    load: async () => (await import("./commands/approvals.ts")).command,
  },
  receipts: {
    summary: "Receipts of approvals, checked by anybody",
    load: async () => (await import("./commands/receipts.ts")).command,
  },
  keys: {
    summary: "API keys: what may use the account, and for what",
    load: async () => (await import("./commands/keys.ts")).command,
  },
  webhooks: {
    summary: "Addresses that events are posted to",
    load: async () => (await import("./commands/webhooks.ts")).command,
  },
  domains: {
    summary: "Domains of your own, and their DNS records",
    load: async () => (await import("./commands/domains.ts")).command,
  },
  phone: {
    summary: "Phone numbers, text messages and calls",
    load: async () => (await import("./commands/phone.ts")).command,
  },
  workspaces: {
    summary: "Accounts of their own below yours, such as for customers",
    load: async () => (await import("./commands/workspaces.ts")).command,
  },
  events: {
    summary: "Shows what happens in the account",
    load: async () => (await import("./commands/events.ts")).command,
  },
  listen: {
    summary: "Posts what happens to a port of your own machine",
    load: async () => (await import("./commands/listen.ts")).command,
  },
  import: {
    summary: "Takes over mail of another mailbox: mbox, Maildir, .eml",
    load: async () => (await import("./commands/import.ts")).command,
  },
  export: {
    summary: "Saves the account, or the mail of an inbox, to a file",
    load: async () => (await import("./commands/export.ts")).command,
  },
  mcp: {
    summary: "Serves language models over standard input and output (MCP)",
    load: async () => (await import("./commands/mcp.ts")).command,
  },
  doctor: {
    summary: "Looks for what is wrong with a server's set-up",
    load: async () => (await import("./commands/doctor.ts")).command,
  },
  accounts: {
    summary: "Opens, moves and deletes accounts of a server of yours",
    load: async () => (await import("./commands/accounts.ts")).command,
  },
  "migrate-storage": {
    summary: "Copies a server's data to another storage",
    load: async () => (await import("./commands/migrate-storage.ts")).command,
  },
  call: {
    summary: "Calls any operation of the API",
    load: async () => (await import("./commands/call.ts")).command,
  },
  completion: {
    summary: "Completes commands in your shell: bash, zsh, fish",
    load: async () => (await import("./commands/completion.ts")).command,
  },
};
