import { spawn } from "@lydell/node-pty";
import { BARE_ENVIRONMENT, builtCli } from "../../../test/support/built-programs.ts";

const main = await builtCli();

/** A command in a terminal of its own. */
export interface InTerminal {
  /** Everything shown so far, as the terminal got it. */
  shown(): string;
  /** Waits until the terminal has shown a text. */
  shows(text: string | RegExp): Promise<void>;
  /** Types, as a person does: `\r` is Enter, `\x03` Ctrl-C. */
  type(text: string): void;
  ended: Promise<number>;
}

interface TerminalOptions {
  env?: Record<string, string>;
  cols?: number;
  cwd?: string;
}

/** Starts the program in a pseudo-terminal. */
export function startInTerminal(
  args: readonly string[],
  { env = {}, cols = 100, cwd = process.cwd() }: TerminalOptions = {},
): InTerminal {
  const child = spawn(process.execPath, [main, ...args], {
    name: "xterm-256color",
    cols,
    rows: 40,
    cwd,
    env: { ...BARE_ENVIRONMENT, TERM: "xterm-256color", ...env },
  });
  let shown = "";
  let waiting: (() => void)[] = [];
  const look = () => {
    const all = waiting;
    waiting = [];
    for (const each of all) each();
  };
  child.onData((data) => {
    shown += data;
    look();
  });
  let over = false;
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      over = true;
      look();
      resolve(exitCode);
    });
  });
  return {
    shown: () => shown,
    async shows(text) {
      const isThere = () => (typeof text === "string" ? shown.includes(text) : text.test(shown));
      while (!isThere()) {
        if (over) throw new Error(`it ended without showing ${String(text)}:\n${shown}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    type: (text) => child.write(text),
    ended,
  };
}
