import { CliError, EXIT } from "./exit.ts";
import { asTyped, printable, type Styler, stylerFor } from "./text.ts";

/** An output stream. */
export interface Out {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  write(data: string | Uint8Array, done?: (error?: Error | null) => void): boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** An input stream: standard input. */
export type In = NodeJS.ReadableStream & { isTTY?: boolean | undefined };

/** The terminal, or its substitutes: pipes and files. */
export interface Terminal {
  stdin: In;
  /** Standard output and standard error; text written to them passes `printable`. */
  stdout: Pick<Out, "isTTY" | "columns">;
  stderr: Pick<Out, "isTTY" | "columns">;
  /** The streams themselves, for a protocol or another program that speaks over them. */
  streams: { stdout: Out; stderr: Out };
  /** Styles what goes to standard output, and to standard error. */
  style: Styler;
  styleError: Styler;
  /** People are there: they can be asked. */
  interactive: boolean;
  /** The maximum width of a line of output; unlimited unless it is shown on a terminal. */
  width: number;
  /** Asks a question on standard error and resolves to the trimmed answer. Needs `interactive`. */
  ask(question: string): Promise<string>;
  /** Writes text to standard output, and resolves when more may be written. */
  write(text: string): Promise<void>;
  /** Writes bytes to standard output as they are, where that is no terminal. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** A sentence of this program, with its commands as they can be typed here. */
  typed(text: string): string;
  /** Writes a line for people to standard error. */
  note(line: string): void;
  /** Draws a line on standard error in place of the one before; an empty one removes it. */
  redraw(line: string): void;
}

const CLEAR_LINE = "\r\u001b[K";

const NARROWEST = 40;

/** Wraps a process's streams. `signal` ends a question. */
export function createTerminal(
  streams: { stdin: In; stdout: Out; stderr: Out; env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Terminal {
  const { stdout, stderr, env } = streams;
  const write = (data: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stdout.write(data, (error) => (error == null ? resolve() : reject(error)));
    });
  return {
    get stdin() {
      return streams.stdin;
    },
    stdout,
    stderr,
    streams,
    style: stylerFor(stdout, env),
    styleError: stylerFor(stderr, env),
    get interactive() {
      return streams.stdin.isTTY === true && stderr.isTTY === true;
    },
    width: stdout.isTTY === true ? Math.max(NARROWEST, stdout.columns ?? 80) : Infinity,
    ask: (question) => askOn(streams.stdin, stderr, question, signal),
    write: (text) => write(printable(text)),
    writeBytes(bytes) {
      if (stdout.isTTY === true) throw new Error("bytes aren't written to a terminal");
      return write(bytes);
    },
    typed: (text) => asTyped(text, env),
    note: (line) => void stderr.write(`${printable(line)}\n`),
    redraw: (line) => void stderr.write(`${CLEAR_LINE}${printable(line)}`),
  };
}

async function askOn(stdin: In, stderr: Out, question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr as unknown as NodeJS.WritableStream });
  const closed = new AbortController();
  reader.once("close", () => closed.abort());
  reader.once("SIGINT", () => reader.close());
  try {
    return (
      await reader.question(printable(question), { signal: AbortSignal.any([signal, closed.signal]) })
    ).trim();
  } catch (cause) {
    throw new CliError("The question was not answered.", { exit: EXIT.interrupted, cause });
  } finally {
    reader.close();
  }
}
