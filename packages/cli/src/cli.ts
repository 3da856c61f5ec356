import { HELP_COLUMNS, type World } from "./world.ts";

const ASKS_FOR_HELP = ["--help", "-h", "help"];

/**
 * Runs the command line and resolves to the exit code. Failures are reported on standard error, in a sentence or two.
 */
export async function runCli(args: readonly string[], world: World): Promise<number> {
  const [only = "", ...others] = args;
  const { stdout } = world;
  if (others.length > 0 || !ASKS_FOR_HELP.includes(only) || (stdout.columns ?? HELP_COLUMNS) < HELP_COLUMNS)
    return (await import("./program.ts")).runProgram(args, world);
  // A reader who closes the pipe doesn't need the rest of the help.
  stdout.on("error", () => undefined);
  stdout.write((await import("./help.data.ts")).HELP);
  return 0;
}
