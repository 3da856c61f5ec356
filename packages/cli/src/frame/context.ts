import type { Client } from "@letterslot/client";
import type { Output } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/** The options that every command takes. */
export interface Globals {
  json: boolean;
  profile: string | undefined;
  url: string | undefined;
  workspace: string | undefined;
}

/** A server, and who asks it. */
export interface Connection {
  client: Client;
  base_url: string;
  /** The credential that calls are made with: an API key, a login, or nothing. */
  credential: "key" | "oauth" | "none";
  /** The profile that it comes from; undefined if the environment names key and server. */
  profile: string | undefined;
  /** The inbox that commands use where none is named: its id or address. */
  inbox: string | undefined;
}

/** A command's environment. Nothing else is ambient. */
export interface Context {
  terminal: Terminal;
  output: Output;
  globals: Globals;
  env: NodeJS.ProcessEnv;
  /** Completes the last of some typed words. */
  possibleWords(typed: readonly string[]): Promise<string[]>;
  /** The version of this program. */
  version: string;
  /** Aborts at Ctrl-C and SIGTERM, and when nobody reads standard output any more. */
  signal: AbortSignal;
  /**
   * The server that the options, the environment or the profile name. `anonymous` is content without a key; else a
   * missing one is a `CliError` that says how to get it.
   */
  connect(options?: { anonymous?: boolean }): Promise<Connection>;
}
