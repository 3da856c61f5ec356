import type { In, Out } from "./frame/terminal.ts";

/** The process that the program runs in, or a test's substitute. */
export interface World {
  stdin: In;
  stdout: Out;
  stderr: Out;
  env: NodeJS.ProcessEnv;
  version: string;
  on(event: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Lines of help end here, also where the terminal is wider. */
export const HELP_COLUMNS = 80;
