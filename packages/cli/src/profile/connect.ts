import { type ClientOptions, createClient } from "@letterslot/client";
import type { Connection, Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";
import { nearest } from "../frame/nearest.ts";
import { type Config, type Profile, readConfig } from "./config-file.ts";

/** Where a server started without configuration is. */
export const DEFAULT_URL = "http://localhost:8025";

/**
 * The server and key that a command uses. A profile named with --profile comes first, then LETTERSLOT_API_KEY, then
 * the current profile; --url, then LETTERSLOT_URL name another server. A profile's key goes to its own server only.
 */
export async function connect(
  context: Pick<Context, "globals" | "env">,
  { anonymous = false }: { anonymous?: boolean } = {},
): Promise<Connection> {
  const { globals, env } = context;
  const config = readConfig(env);
  const named = globals.profile;
  const name = named ?? config.current;
  const profile = profileNamed(config, name, named !== undefined);
  const key_of_environment = named === undefined ? given(env["LETTERSLOT_API_KEY"]) : undefined;
  const base_url = checkedUrl(
    globals.url ??
      (named === undefined ? given(env["LETTERSLOT_URL"]) : undefined) ??
      profile?.url ??
      DEFAULT_URL,
  );
  const workspace = globals.workspace === undefined ? {} : { workspace_id: globals.workspace };
  const common: ClientOptions = { base_url, ...workspace };
  if (key_of_environment !== undefined)
    return {
      client: createClient({ ...common, api_key: key_of_environment }),
      base_url,
      credential: { kind: "key", secret: key_of_environment },
      profile: undefined,
      inbox: given(env["LETTERSLOT_INBOX"]),
    };
  if (profile !== undefined && sameServer(profile.url, base_url)) {
    const secret = profile.api_key;
    if (secret !== undefined)
      return {
        client: createClient({ ...common, api_key: secret }),
        base_url,
        credential: { kind: "key", secret },
        profile: name,
        inbox: given(env["LETTERSLOT_INBOX"]) ?? profile.inbox,
      };
  }
  if (anonymous)
    return {
      client: createClient(common),
      base_url,
      credential: { kind: "none", secret: undefined },
      profile: undefined,
      inbox: undefined,
    };
  throw noKey(profile, name, base_url);
}

const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

function profileNamed(config: Config, name: string, required: boolean): Profile | undefined {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile !== undefined || !required) return profile;
  const names = Object.keys(config.profiles);
  const meant = nearest(name, names);
  const known = names.length === 0 ? "There are none yet." : `There are: ${names.join(", ")}.`;
  throw new CliError(`There is no profile ${JSON.stringify(name)}.`, {
    exit: EXIT.not_found,
    fix:
      meant === undefined
        ? `${known} Make one with letterslot init --profile ${name}.`
        : `Did you mean ${meant}?`,
  });
}

/** A server's address as given, without a slash at its end. Throws `CliError` if it is none. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw wrongUse(`${JSON.stringify(text)} is not a server's address.`, `It is like ${DEFAULT_URL}.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw wrongUse(
      "A server's address has no user, password, query or fragment.",
      `It is like ${DEFAULT_URL}.`,
    );
  return url.href.replace(/\/+$/, "");
}

const sameServer = (one: string, other: string): boolean => checkedUrl(one) === checkedUrl(other);

function noKey(profile: Profile | undefined, name: string, base_url: string): CliError {
  if (profile !== undefined && !sameServer(profile.url, base_url))
    return new CliError(
      `The profile ${JSON.stringify(name)} is for ${profile.url}; its key is not sent to ${base_url}.`,
      {
        exit: EXIT.refused,
        fix: `Set LETTERSLOT_API_KEY, or make a profile: letterslot init --profile <name> --url ${base_url}`,
      },
    );
  return new CliError(`There is no key for ${base_url}.`, {
    exit: EXIT.refused,
    fix: "Run letterslot init (a new account), letterslot login (yours), or set LETTERSLOT_API_KEY.",
  });
}
