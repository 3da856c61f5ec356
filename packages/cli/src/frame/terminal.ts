import { CliError, EXIT } from "./exit.ts";
import { type Styler, stylerFor } from "./text.ts";

/** What is written to. */
export interface Out {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(data: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What is read from: standard input. */
export type In = NodeJS.ReadableStream & { isTTY?: boolean | undefined };

/** The terminal, or what stands in for it: pipes and files. */
export interface Terminal {
  stdin: In;
  stdout: Out;
  stderr: Out;
  /** Styles what goes to standard output, and to standard error. */
  style: Styler;
  styleError: Styler;
  /** People are there: they can be asked. */
  interactive: boolean;
  /** How wide a line of output may be; unlimited where it isn't shown on a terminal. */
  width: number;
  /** Asks a question on standard error and resolves to the trimmed answer. Needs `interactive`. */
  ask(question: string): Promise<string>;
  /** Writes to standard output, and resolves when more may be written. */
  write(data: string | Uint8Array): Promise<void>;
  /** Writes a line for people to standard error. */
  note(line: string): void;
}

const NARROWEST = 40;

/** Wraps a process's streams. `signal` ends a question. */
export function createTerminal(
  streams: { stdin: In; stdout: Out; stderr: Out; env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Terminal {
  const { stdout, stderr, env } = streams;
  return {
    get stdin() {
      return streams.stdin;
    },
    stdout,
    stderr,
    style: stylerFor(stdout, env),
    styleError: stylerFor(stderr, env),
    get interactive() {
      return streams.stdin.isTTY === true && stderr.isTTY === true;
    },
    width: stdout.isTTY === true ? Math.max(NARROWEST, stdout.columns ?? 80) : Infinity,
    ask: (question) => askOn(streams.stdin, stderr, question, signal),
    write: (data) =>
      new Promise((resolve, reject) => {
        stdout.write(data, (error) => (error == null ? resolve() : reject(error)));
      }),
    note: (line) => void stderr.write(`${line}\n`),
  };
}

async function askOn(stdin: In, stderr: Out, question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream });
  const closed = new AbortController();
  reader.once("close", () => closed.abort());
  reader.once("SIGINT", () => reader.close());
  try {
    return (await reader.question(question, { signal: AbortSignal.any([signal, closed.signal]) })).trim();
  } catch (cause) {
    throw new CliError("The question was not answered.", { exit: EXIT.interrupted, cause });
  } finally {
    reader.close();
  }
}
