import type { Context } from "../frame/context.ts";
import { CliError, EXIT } from "../frame/exit.ts";

/** The option for the time that a command waits. */
export const WAIT_OPTION = {
  kind: "whole",
  short: "t",
  about: "how many seconds to wait; 60 by default, 0 to look once",
  placeholder: "seconds",
} as const;

const DEFAULT_SECONDS = 60;

/**
 * Polls, each time for at most `most` seconds, until there is an answer or the time is over; then it throws a
 * `CliError` for exit code 3. On a terminal it shows what it waits for.
 */
export async function waitFor<T>(
  { terminal, signal }: Pick<Context, "terminal" | "signal">,
  { timeout = DEFAULT_SECONDS, most, what }: { timeout: number | undefined; most: number; what: string },
  look: (seconds: number) => Promise<T | undefined>,
): Promise<T> {
  const shown = terminal.stderr.isTTY === true && timeout > 0;
  const end = performance.now() + timeout * 1000;
  if (shown) terminal.redraw(`Waiting for ${what} …`);
  try {
    for (;;) {
      signal.throwIfAborted();
      const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      const found = await look(Math.min(left, most));
      if (found !== undefined) return found;
      if (performance.now() >= end)
        throw new CliError(`There was no ${what} within ${timeout} s.`, {
          exit: EXIT.not_found,
          fix: "Wait longer with --timeout <seconds>.",
        });
    }
  } finally {
    if (shown) terminal.redraw("");
  }
}
