import { text } from "node:stream/consumers";
import { createClient, LetterslotApiError } from "@letterslot/client";
import { defineCommand } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";
import { configPath, readConfig, storeProfile } from "../profile/config-file.ts";
import { chosenProfile } from "../profile/connect.ts";

const CLIENT_NAME = "Letterslot CLI";

/** `letterslot init`: opens an account with an inbox, and keeps its key. */
export const command = defineCommand({
  summary: "Opens an account with an inbox, and stores its key",
  about:
    "On a terminal it asks for what isn't given. The key has full access to the new account; it is kept in the profile, in a file that only you can read, and shown once with --show-key. With a person's code, --pair gives you an inbox that they have charge of, or a key to theirs. For an account that exists, use letterslot login, or --api-key-stdin to store its key.",
  examples: [
    "letterslot init",
    "letterslot init --username ada --owner-email olga@example.com",
    "letterslot init --pair 7K3M-Q9XT --username ada",
    "letterslot init --url https://mail.example.com --profile work --api-key-stdin < key.txt",
  ],
  options: {
    username: { kind: "text", about: "the part of the inbox's address before the @", placeholder: "name" },
    display_name: { kind: "text", about: "the name beside the address", placeholder: "name" },
    owner_email: {
      kind: "text",
      about: "the person that the agent works for; they get a letter to confirm",
      placeholder: "address",
    },
    send_mode: {
      kind: "text",
      about:
        "direct, or guarded: what something speaks against waits for the owner; guarded by default where one is named",
      placeholder: "mode",
    },
    pair: {
      kind: "text",
      about: "a code that a person made for you: they have charge of the inbox that you get",
      placeholder: "code",
    },
    show_key: { kind: "flag", about: "print the key too, this once" },
    api_key_stdin: {
      kind: "flag",
      about: "store the key that standard input has, instead of opening an account",
    },
    replace: {
      kind: "flag",
      about: "replace the profile, whose key is lost then unless you have it elsewhere",
    },
  },
  async run(context, input) {
    const { env, terminal, output, signal } = context;
    const { name, base_url } = chosenProfile(context);
    if (Object.hasOwn(readConfig(env).profiles, name) && !input.replace)
      throw wrongUse(
        `There is a profile ${JSON.stringify(name)} already.`,
        "Name another with --profile <name>, or say --replace.",
      );
    if (input.api_key_stdin) {
      const api_key = (await text(terminal.stdin)).trim();
      const me = await createClient({ baseUrl: base_url, apiKey: api_key }).me.get({}, { signal });
      const [inbox] = me.access.inbox_ids ?? [];
      await storeProfile(env, name, { url: base_url, api_key, ...(inbox === undefined ? {} : { inbox }) });
      return output.done(`Stored in ${configPath(env)} as profile ${name}. Try letterslot whoami.`, {
        object: "profile",
        name,
        url: base_url,
        account_id: me.account_id,
      });
    }
    if (input.pair !== undefined) return pair(context, { ...input, code: input.pair });
    const { username, owner_email } = await answers(context, base_url, input);
    const { display_name } = input;
    const opened = await createClient({ baseUrl: base_url }).accounts.onboard(
      {
        username,
        ...(display_name === undefined ? {} : { display_name }),
        ...(owner_email === "" ? {} : { owner_email }),
        ...modeOf(input.send_mode, owner_email),
      },
      { signal },
    );
    const { account_id, api_key, inbox } = opened;
    await storeProfile(env, name, { url: base_url, api_key, inbox: inbox.id });
    await output.done(
      [
        `The inbox ${inbox.email} is yours. Its key is in ${configPath(env)}, as profile ${name}.`,
        ...(input.show_key ? [`Key, shown this once: ${api_key}`] : []),
        ...(owner_email === ""
          ? []
          : [`${owner_email} got a letter with a code; then: letterslot owners confirm <code>`]),
        "Next: letterslot messages send --to you@example.com --subject Hello --text Hi",
      ].join("\n"),
      {
        object: "profile",
        name,
        url: base_url,
        account_id,
        inbox_id: inbox.id,
        email: inbox.email,
        ...(input.show_key ? { api_key } : {}),
      },
    );
  },
});

/** The send mode of the new inbox: where somebody could be asked, it is guarded unless the caller says otherwise. */
function modeOf(asked: string | undefined, owner_email: string): { send_mode?: "direct" | "guarded" } {
  if (asked === undefined) return owner_email === "" ? {} : { send_mode: "guarded" };
  if (asked === "direct" || asked === "guarded") return { send_mode: asked };
  throw wrongUse(`${JSON.stringify(asked)} is no send mode of a new inbox.`, "Say direct or guarded.");
}

/** Gets an inbox and a key with a person's code, and stores the key. */
async function pair(
  context: Context,
  {
    code,
    username,
    display_name,
    show_key,
  }: { code: string; username: string | undefined; display_name: string | undefined; show_key: boolean },
): Promise<void> {
  const { env, output, signal } = context;
  const { name, base_url } = chosenProfile(context);
  const paired = await createClient({ baseUrl: base_url }).pairings.pair(
    {
      code,
      client_name: CLIENT_NAME,
      ...(username === undefined ? {} : { username }),
      ...(display_name === undefined ? {} : { display_name }),
    },
    { signal },
  );
  const { account_id, api_key, inbox, owner_email_masked } = paired;
  await storeProfile(env, name, { url: base_url, api_key, inbox: inbox.id });
  await output.done(
    [
      `The inbox ${inbox.email} is yours to use; ${owner_email_masked} has charge of it. Its key is in ${configPath(env)}, as profile ${name}.`,
      ...(show_key ? [`Key, shown this once: ${api_key}`] : []),
      "Next: letterslot tasks list",
    ].join("\n"),
    {
      object: "profile",
      name,
      url: base_url,
      account_id,
      inbox_id: inbox.id,
      email: inbox.email,
      owner_email_masked,
      ...(show_key ? { api_key } : {}),
    },
  );
}

/** Returns the answers, asking for missing ones on a terminal; elsewhere the username must be given. */
async function answers(
  { terminal, signal }: Context,
  base_url: string,
  { username, owner_email }: { username: string | undefined; owner_email: string | undefined },
): Promise<{ username: string; owner_email: string }> {
  if (!terminal.interactive) {
    if (username === undefined) throw wrongUse("A new account needs a --username.");
    return { username, owner_email: owner_email ?? "" };
  }
  if (username !== undefined) return { username, owner_email: owner_email ?? "" };
  // Check that the server answers before asking anything. The call needs a key, which doesn't exist yet.
  await createClient({ baseUrl: base_url })
    .me.get({}, { signal })
    .catch((error: unknown) => {
      if (!(error instanceof LetterslotApiError) || error.status !== 401) throw error;
    });
  const chosen = await terminal.ask("Username, the part of the address before the @: ");
  const owner =
    owner_email ?? (await terminal.ask("Email address of its owner, who can give it tasks [none]: "));
  return { username: chosen, owner_email: owner };
}
