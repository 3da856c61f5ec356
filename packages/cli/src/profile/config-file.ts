import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError, EXIT } from "../frame/exit.ts";
import { writeWholeFile } from "../frame/write-file.ts";
import { withLock } from "./lock.ts";

/** The result of an app's login: its tokens, and the URLs to renew and revoke them. */
export interface OAuthTokens {
  client_id: string;
  token_url: string;
  revoke_url: string | null;
  access_token: string;
  refresh_token: string | null;
  /** When the access token ends, in milliseconds. */
  expires_at: number;
  scope: string;
}

/** A server, and the credential for it. */
export interface Profile {
  url: string;
  api_key?: string;
  oauth?: OAuthTokens;
  /** The inbox that commands use where none is named. */
  inbox?: string;
}

/** Everything in the file. */
export interface Config {
  /** The profile that is used where none is named. */
  current: string;
  profiles: Record<string, Profile>;
}

/** The profile of somebody who never named one. */
export const DEFAULT_PROFILE = "default";

const OTHERS_MAY_WRITE = 0o022;
const FOLDER_MODE = 0o700;

/** Returns the path of the profiles: `letterslot/config.json` in XDG_CONFIG_HOME, or in `~/.config`. */
export function configPath(env: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME, HOME } = env;
  const folder =
    XDG_CONFIG_HOME !== undefined && XDG_CONFIG_HOME !== ""
      ? XDG_CONFIG_HOME
      : join(HOME ?? homedir(), ".config");
  return join(folder, "letterslot", "config.json");
}

/**
 * Reads the file; without one there are no profiles. Throws `CliError` if others could have written it: they would
 * choose the server that keys are sent to.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const path = configPath(env);
  if (!existsSync(path)) return { current: DEFAULT_PROFILE, profiles: {} };
  for (const each of [dirname(path), path]) checkOnlyOwnerWrites(each);
  try {
    const { current = DEFAULT_PROFILE, profiles } = JSON.parse(readFileSync(path, "utf8")) as Partial<Config>;
    if (typeof current === "string" && isProfiles(profiles)) return { current, profiles };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CliError(`${path} is not a file of profiles.`, {
    fix: "Mend it, or move it away and run letterslot init or letterslot login again.",
  });
}

/** Changes the file under a lock: `change` gets its current content. Others see the old file or the new one. */
export async function changeConfig(
  env: NodeJS.ProcessEnv,
  change: (config: Config) => Config | Promise<Config>,
): Promise<Config> {
  const path = configPath(env);
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  checkOnlyOwnerWrites(folder);
  chmodSync(folder, FOLDER_MODE);
  return withLock(`${path}.lock`, async () => {
    const config = await change(readConfig(env));
    await writeWholeFile(path, async (write) => write(Buffer.from(`${JSON.stringify(config, null, 2)}\n`)));
    return config;
  });
}

/** Keeps a profile, instead of the one of that name. The first one becomes the current one. */
export async function storeProfile(env: NodeJS.ProcessEnv, name: string, profile: Profile): Promise<void> {
  await changeConfig(env, ({ current, profiles }) => ({
    current: Object.keys(profiles).length === 0 ? name : current,
    profiles: { ...profiles, [name]: profile },
  }));
}

/** Keeps a profile instead of the one of that name, and leaves the current one as it is. */
export async function keepProfile(env: NodeJS.ProcessEnv, name: string, profile: Profile): Promise<void> {
  await changeConfig(env, ({ current, profiles }) => ({
    current,
    profiles: { ...profiles, [name]: profile },
  }));
}

/** Forgets a profile, unless it is for another server by now. */
export async function forgetProfile(env: NodeJS.ProcessEnv, name: string, url: string): Promise<void> {
  await changeConfig(env, ({ current, profiles }) => {
    const others = Object.entries(profiles).filter(([each, kept]) => each !== name || kept.url !== url);
    return { current, profiles: Object.fromEntries(others) };
  });
}

function checkOnlyOwnerWrites(path: string): void {
  // On Windows the modes say nothing; there a user's folder is the user's.
  if (process.platform === "win32") return;
  const { mode, uid } = statSync(path);
  const foreign = uid !== 0 && uid !== process.getuid?.();
  if ((mode & OTHERS_MAY_WRITE) === 0 && !foreign) return;
  throw new CliError(
    `Others can write ${path}, so it isn't read: they could have your key sent to their server.`,
    {
      exit: EXIT.refused,
      fix: foreign
        ? `Make it yours: chown "$(id -un)" ${path}`
        : `If you trust what it says: chmod go-w ${path}`,
    },
  );
}

function isProfiles(value: unknown): value is Config["profiles"] {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every(
    (each: unknown) => typeof each === "object" && each !== null && typeof (each as Profile).url === "string",
  );
}
