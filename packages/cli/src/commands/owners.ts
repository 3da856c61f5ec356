import { commandOf } from "../catalogue/command-of.ts";
import { inboxIdOf } from "../catalogue/inbox.ts";
import type { Group } from "../frame/command.ts";
import type { Connection, Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";

const NEEDS_KEY = { needs_key: true } as const;

/** `letterslot owners`: the people that the agent works for. */
export const command: Group = {
  summary: "The people that an inbox works for",
  examples: ["letterslot owners list", "letterslot owners add olga@example.com"],
  commands: {
    list: commandOf("owners.list", { ...NEEDS_KEY, examples: ["letterslot owners list"] }),
    add: commandOf("owners.create", {
      ...NEEDS_KEY,
      summary: "Invites a person: they get a letter with a link and a code",
      args: ["email"],
      examples: ["letterslot owners add olga@example.com"],
    }),
    confirm: commandOf("owners.confirmWithCode", {
      ...NEEDS_KEY,
      summary: "Confirms an owner with the code from their letter",
      args: ["code"],
      optional: ["owner_id"],
      change: { owner_id: { about: "who; by default the only one who has not confirmed yet" } },
      input: async (context, given, connection) => ({
        ...given,
        owner_id: given["owner_id"] ?? (await pendingOwner(context, connection)),
      }),
      examples: ["letterslot owners confirm 123456"],
    }),
    get: commandOf("owners.get", {
      ...NEEDS_KEY,
      args: ["owner_id"],
      examples: ["letterslot owners get own_…"],
    }),
    update: commandOf("owners.update", {
      ...NEEDS_KEY,
      args: ["owner_id"],
      examples: ["letterslot owners update own_… --digest daily"],
    }),
    delete: commandOf("owners.delete", {
      ...NEEDS_KEY,
      args: ["owner_id"],
      confirm: ({ owner_id }) => `This removes the owner ${String(owner_id)}.`,
      examples: ["letterslot owners delete own_… --yes"],
    }),
  },
};

async function pendingOwner(context: Context, connection: Connection): Promise<string> {
  const inbox_id = await inboxIdOf(connection, context);
  const { data } = await connection.client.owners.list({ inbox_id }, { signal: context.signal });
  const [only, ...others] = data.filter(({ status }) => status === "pending");
  if (only !== undefined && others.length === 0) return only.id;
  if (only !== undefined)
    throw wrongUse("Several owners have not confirmed yet.", "Name one with --owner-id.");
  throw new CliError("No owner has to confirm.", {
    exit: EXIT.not_found,
    fix: "Invite one: letterslot owners add <address>",
  });
}
