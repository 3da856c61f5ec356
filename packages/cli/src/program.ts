import { Command as Commander, CommanderError } from "commander";
import { COMMANDS } from "./commands.ts";
import { configure, fillGroup, type Runner } from "./frame/build.ts";
import type { Group } from "./frame/command.ts";
import type { Context } from "./frame/context.ts";
import { AlreadyTold, EXIT, explain, type Told } from "./frame/exit.ts";
import { createOutput } from "./frame/output.ts";
import { createTerminal, type Terminal } from "./frame/terminal.ts";
import { asTyped, jsonLine, oneLine, printable, stylerFor } from "./frame/text.ts";
import { HELP_COLUMNS, type World } from "./world.ts";

/** Everything that `letterslot` can do. */
export const ROOT: Group = {
  summary: "Letterslot: email for software agents.",
  about:
    "Begin with `letterslot serve` in one terminal and `letterslot init` in another. Every command says more with --help, with an example. On a terminal the output is made for people; piped, or with --json, it is JSON, a line for each record. Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found, 4 refused, 5 unreachable.",
  examples: ["letterslot serve", "letterslot init --username ada", "letterslot messages list"],
  commands: COMMANDS,
};

/** The program, which runs commands with `run`. */
export function createProgram(
  { stdout, stderr, env, version }: Pick<World, "stdout" | "stderr" | "env" | "version">,
  run: Runner,
): Commander {
  const program = new Commander("letterslot");
  configure(program);
  program.version(version, "-V, --version", "the version of this program").configureOutput({
    writeOut: (text) => void stdout.write(printable(asTyped(text, env))),
    writeErr: (text) => void stderr.write(printable(asTyped(text, env))),
    outputError: (text, write) => write(text.replace(/^error:/, stylerFor(stderr, env)("red", "error:"))),
    getOutHelpWidth: () => Math.min(HELP_COLUMNS, stdout.columns ?? HELP_COLUMNS),
    getErrHelpWidth: () => Math.min(HELP_COLUMNS, stderr.columns ?? HELP_COLUMNS),
    getOutHasColors: () => false,
    getErrHasColors: () => true,
  });
  fillGroup(program, ROOT, run);
  return program;
}

/** Runs a command line and resolves to the exit code. Failures are reported on standard error, in a sentence or two. */
export async function runProgram(args: readonly string[], world: World): Promise<number> {
  const { stdout, stderr, env } = world;
  const stopped = new AbortController();
  const { signal } = stopped;
  let interrupted = false;
  const interrupt = () => {
    // A second interrupt means that the user doesn't want to wait for running work to end.
    if (interrupted) world.exit(EXIT.interrupted);
    interrupted = true;
    stopped.abort();
  };
  world.on("SIGINT", interrupt);
  world.on("SIGTERM", interrupt);
  let unread = false;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The writer gets other errors too; only a closed reader ends the program, silently.
    if (error.code !== "EPIPE") return;
    unread = true;
    stopped.abort();
  });
  stderr.on("error", () => undefined);
  let json = args.includes("--json");

  const terminal = createTerminal(world, signal);
  const program = createProgram(world, async (command, input, globals) => {
    json = globals.json;
    const context: Context = {
      terminal,
      output: createOutput(terminal, globals.json),
      globals,
      env,
      possibleWords: async (typed) => (await import("./frame/words.ts")).possibleWords(ROOT, typed),
      version: world.version,
      signal,
      connect: async (options) => (await import("./profile/connect.ts")).connect(context, options),
    };
    await command.run(context, input);
  });
  try {
    await program.parseAsync(helpAtTheEnd(args), { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (unread) return EXIT.ok;
    if (interrupted) return EXIT.interrupted;
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.wrong_use;
    if (error instanceof AlreadyTold) return error.exit;
    const told = explain(error);
    tell(told, terminal, json);
    if ((env["LETTERSLOT_DEBUG"] ?? "") !== "") terminal.note((error as Error).stack ?? "");
    return told.exit;
  }
}

/** `letterslot help inboxes list` is `letterslot inboxes list --help`. */
const helpAtTheEnd = (args: readonly string[]): string[] =>
  args[0] === "help" ? [...args.slice(1), "--help"] : [...args];

function tell(
  { code, message, param, fix, request_id }: Told,
  { note, styleError, typed }: Terminal,
  json: boolean,
): void {
  if (json) return note(jsonLine({ error: { code, message, param, fix, request_id } }));
  const about = param === undefined ? "" : ` (${oneLine(param)})`;
  note(`${styleError("red", "error:")} ${oneLine(message)}${about}`);
  if (fix !== undefined) note(typed(fix));
  if (request_id !== undefined) note(styleError("dim", `request ${oneLine(request_id)}`));
}
