import type { Context } from "../frame/context.ts";
import { AlreadyTold, CliError, EXIT } from "../frame/exit.ts";

type Server = typeof import("@letterslot/server/command");
type Streams = NonNullable<Parameters<Server["runAccounts"]>[1]>;

/**
 * Runs a command of the server's own program, which works on the storage that the environment configures. It writes
 * to this terminal under our name. Throws `CliError`, and `AlreadyTold` when it ends with another status than 0.
 */
export async function runServerCommand(
  { terminal, globals }: Pick<Context, "terminal" | "globals">,
  words: readonly string[],
  run: (server: Server, words: string[], streams: Streams) => Promise<number>,
): Promise<void> {
  const server = await import("@letterslot/server/command");
  const given = globals.json && !words.includes("--json") ? [...words, "--json"] : [...words];
  const streams = { stdout: renamed(terminal.streams.stdout), stderr: renamed(terminal.streams.stderr) };
  let status: number;
  try {
    status = await run(server, given, streams);
  } catch (error) {
    throw failureOf(server, error);
  }
  if (status !== 0) throw new AlreadyTold(EXIT.failure);
}

/** Describes the failure of a server's command, in a sentence or two. */
export function failureOf(server: Pick<Server, "explain" | "isUnknownAccount">, error: unknown): CliError {
  // A usage follows after an empty line, and a stack after an unexpected error.
  const [sentence = "", ...usage] = underOurName(server.explain(error)).split(/\n\n|\n {4}at /);
  return new CliError(sentence, {
    exit: server.isUnknownAccount(error) ? EXIT.not_found : usage.length > 0 ? EXIT.wrong_use : EXIT.failure,
    ...(/^Usage: /m.test(usage.join("\n")) ? { fix: "See the same command with --help." } : {}),
    cause: error,
  });
}

const underOurName = (text: string): string => text.replaceAll("letterslot-server", "letterslot");

function renamed(stream: Context["terminal"]["streams"]["stdout"]): Streams["stdout"] {
  return { isTTY: stream.isTTY === true, write: (text) => stream.write(underOurName(text)) };
}
