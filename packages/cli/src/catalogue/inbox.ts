import type { Connection, Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";

/** The option by which every command names the inbox. */
export const INBOX = {
  kind: "text",
  short: "i",
  about: "the inbox: its id, address or username; by default your only one, or letterslot inboxes use",
  placeholder: "inbox",
} as const;

/** The same, where a command is about all inboxes unless one is named. */
export const ONE_INBOX = {
  ...INBOX,
  about: "only this inbox: its id, address or username; all by default",
} as const;

const SHOWN = 5;

/**
 * The id of the inbox that a command is about: the one named, LETTERSLOT_INBOX or the profile's, the one that the key
 * is held to, or the account's only one. Throws `CliError` if that says nothing.
 */
export async function inboxIdOf(
  { client, inbox }: Connection,
  { signal, globals }: Pick<Context, "signal" | "globals">,
  named?: string,
): Promise<string> {
  // A profile's inbox is the account's own, not a workspace's.
  const chosen = named ?? (globals.workspace === undefined ? inbox : undefined);
  if (chosen?.startsWith("inb_") === true) return chosen;
  if (chosen !== undefined) return (await client.inboxes.get({ inbox_id: chosen }, { signal })).id;
  const { access } = await client.me.get({}, { signal });
  const [held, ...others] = access.inbox_ids ?? [];
  if (held !== undefined && others.length === 0) return held;
  const { data } = await client.inboxes.list({ limit: SHOWN }, { signal });
  const [only] = data;
  if (only === undefined)
    throw new CliError("There is no inbox yet.", {
      exit: EXIT.not_found,
      fix: "Make one: letterslot inboxes create",
    });
  if (data.length === 1) return only.id;
  throw wrongUse(
    "There are several inboxes.",
    `Name one with --inbox, such as ${data.map(({ email }) => email).join(", ")}; or once: letterslot inboxes use <inbox>.`,
  );
}
