import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { runCli } from "../src/cli.ts";

/** A command's output and exit code. */
export interface Ended {
  code: number;
  out: string;
  err: string;
  /** The lines of its output, as JSON. */
  json<T = Record<string, unknown>>(): T[];
}

/** A command in progress, with its output piped. */
export interface Piped {
  out: PassThrough;
  err: PassThrough;
  ended: Promise<Ended>;
  /** Ctrl-C. */
  interrupt(): void;
}

interface PipedOptions {
  env?: NodeJS.ProcessEnv;
  /** The content of standard input. */
  input?: string;
}

/** Starts a command within this process, piped on all sides. */
export function startPiped(args: readonly string[], { env = {}, input = "" }: PipedOptions = {}): Piped {
  const [stdout, stderr, signals] = [new PassThrough(), new PassThrough(), new EventEmitter()];
  const said = { out: "", err: "" };
  stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const run = runCli(args, {
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout,
    stderr,
    env,
    version: "0.0.0",
    on: (event, listener) => signals.on(event, listener),
    exit: () => undefined,
  });
  const ended = run.then((code) => ({
    code,
    ...said,
    json: <T>() =>
      said.out
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T),
  }));
  return { out: stdout, err: stderr, ended, interrupt: () => void signals.emit("SIGINT") };
}

/** Runs a command within this process, piped, to its end. */
export const runPiped = (args: readonly string[], options?: PipedOptions): Promise<Ended> =>
  startPiped(args, options).ended;
