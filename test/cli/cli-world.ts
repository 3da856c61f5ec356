import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@letterslot/client";
import { type Ended, runPiped, startPiped } from "../../packages/cli/test/run-cli.ts";
import { type InTerminal, startInTerminal } from "../../packages/cli/test/run-terminal.ts";
import { type ServerProcess, startProcess } from "../../packages/server/testing/start-process.ts";
import { BARE_ENVIRONMENT } from "../support/built-programs.ts";

/** A server with its embedded default, and a user of the command line with a home of their own. */
export interface CliWorld {
  server: ServerProcess;
  url: string;
  home: string;
  env: Record<string, string>;
  /** Runs a command piped. */
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ended>;
  start: (args: readonly string[]) => ReturnType<typeof startPiped>;
  /** Starts a command in a terminal. */
  terminal(args: readonly string[], options?: { env?: Record<string, string>; cols?: number }): InTerminal;
  close(): Promise<void>;
}

/** Starts the server; nobody has an account there yet. */
export async function startCliWorld(settings: Record<string, string> = {}): Promise<CliWorld> {
  const home = mkdtempSync(join(tmpdir(), "letterslot-cli-"));
  const server = await startProcess({ DATA_DIR: join(home, "data"), ...settings }, home);
  const url = server.base_url;
  const env = { ...BARE_ENVIRONMENT, HOME: home, XDG_CONFIG_HOME: join(home, "config"), LETTERSLOT_URL: url };
  return {
    server,
    url,
    home,
    env,
    run: (args, options = {}) => runPiped(args, { ...options, env: { ...env, ...options.env } }),
    start: (args) => startPiped(args, { env }),
    terminal: (args, options = {}) =>
      startInTerminal(args, { ...options, cwd: home, env: { ...env, ...options.env } }),
    async close() {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The same with an account, made by `letterslot init`, and a client with its key. */
export async function startCliWorldWithAccount(): Promise<
  CliWorld & { client: Client; inbox_id: string; email: string }
> {
  const world = await startCliWorld();
  const { code, err, json } = await world.run(["init", "--username", "ada", "--show-key"]);
  if (code !== 0) throw new Error(err);
  const [{ api_key, inbox_id, email } = { api_key: "", inbox_id: "", email: "" }] =
    json<Record<string, string>>();
  const client = createClient({ baseUrl: world.url, apiKey: api_key ?? "" });
  return { ...world, client, inbox_id: inbox_id ?? "", email: email ?? "" };
}
