import { type ClientOptions, createClient } from "@letterslot/client";
import { nearest } from "@letterslot/core/internal";
import type { Connection, Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";
import { type Config, type Profile, readConfig } from "./config-file.ts";
import { accessToken } from "./oauth.ts";

/** The URL of a server started without configuration. */
export const DEFAULT_URL = "http://localhost:8025";

/** The profile that a login or a new key is kept in, and its server. Throws `CliError`. */
export function chosenProfile({ globals, env }: Pick<Context, "globals" | "env">): {
  name: string;
  base_url: string;
} {
  const config = readConfig(env);
  const name = globals.profile ?? config.current;
  if (!PROFILE_NAME.test(name))
    throw wrongUse(`${JSON.stringify(name)} can't name a profile.`, "Use letters, digits, dots, - and _.");
  const known = Object.hasOwn(config.profiles, name) ? config.profiles[name]?.url : undefined;
  return { name, base_url: checkedUrl(globals.url ?? given(env["LETTERSLOT_URL"]) ?? known ?? DEFAULT_URL) };
}

const PROFILE_NAME = /^(?!__proto__$)[\w.-]{1,64}$/;

/**
 * The server and key that a command uses. A profile named with --profile comes first, then LETTERSLOT_API_KEY, then
 * the current profile; --url, then LETTERSLOT_URL name another server. A profile's key goes to its own server only.
 */
export async function connect(
  { globals, env }: Pick<Context, "globals" | "env">,
  { anonymous = false }: { anonymous?: boolean } = {},
): Promise<Connection> {
  const config = readConfig(env);
  const named = globals.profile !== undefined;
  const name = globals.profile ?? config.current;
  const profile = profileNamed(config, name, named);
  const key = named ? undefined : given(env["LETTERSLOT_API_KEY"]);
  const url_of_environment = named ? undefined : given(env["LETTERSLOT_URL"]);
  const base_url = checkedUrl(globals.url ?? url_of_environment ?? profile?.url ?? DEFAULT_URL);
  const inbox = given(env["LETTERSLOT_INBOX"]);
  const options: ClientOptions = {
    baseUrl: base_url,
    ...(globals.workspace === undefined ? {} : { workspaceId: globals.workspace }),
  };
  if (key !== undefined)
    return {
      client: createClient({ ...options, apiKey: key }),
      base_url,
      credential: "key",
      profile: undefined,
      inbox,
    };
  if (profile !== undefined && sameServer(profile.url, base_url)) {
    const common = { base_url, profile: name, inbox: inbox ?? profile.inbox };
    if (profile.oauth !== undefined) {
      await accessToken(env, name);
      return {
        ...common,
        client: createClient({ ...options, fetch: renewing(env, name) }),
        credential: "oauth",
      };
    }
    if (profile.api_key !== undefined)
      return { ...common, client: createClient({ ...options, apiKey: profile.api_key }), credential: "key" };
  }
  if (!anonymous) throw noKey(profile, name, base_url);
  return { client: createClient(options), base_url, credential: "none", profile: undefined, inbox };
}

/** Sends calls with the profile's access token of that moment: it lasts an hour, and some commands longer. */
const renewing =
  (env: NodeJS.ProcessEnv, name: string) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const authorization = `Bearer ${await accessToken(env, name)}`;
    return fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), authorization } });
  };

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
