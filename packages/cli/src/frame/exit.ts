import type { LetterslotApiError } from "@letterslot/client";

/** The program's exit codes. */
export const EXIT = {
  ok: 0,
  failure: 1,
  wrong_use: 2,
  not_found: 3,
  refused: 4,
  unreachable: 5,
  /** As shells count a program that SIGINT ended. */
  interrupted: 130,
} as const;

/** A failure that is reported in a sentence, with a remedy. */
export class CliError extends Error {
  override name = "CliError";
  readonly exit: number;
  /** The remedy, in a sentence. */
  readonly fix: string | undefined;
  readonly code: string | undefined;

  constructor(
    message: string,
    {
      exit = EXIT.failure,
      fix,
      code,
      cause,
    }: { exit?: number; fix?: string; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exit = exit;
    this.fix = fix;
    this.code = code;
  }
}

/** A failure that has been told already: the program ends without another word. */
export class AlreadyTold extends Error {
  override name = "AlreadyTold";
  readonly exit: number;

  constructor(exit: number) {
    super("The failure was told before.");
    this.exit = exit;
  }
}

/** Creates the failure for invalid arguments. */
export const wrongUse = (message: string, fix?: string): CliError =>
  new CliError(message, { exit: EXIT.wrong_use, ...(fix === undefined ? {} : { fix }) });

/** A failure as it is shown to people. */
export interface Told {
  exit: number;
  message: string;
  fix?: string | undefined;
  code?: string | undefined;
  param?: string | undefined;
  request_id?: string | undefined;
}

/** Describes a failure and its remedy. Only `LETTERSLOT_DEBUG` shows more of an unexpected one. */
export function explain(error: unknown): Told {
  if (error instanceof CliError) return error;
  // A login that can't be renewed comes out of a call as a broken connection.
  if (isApiError(error)) return error.cause instanceof CliError ? error.cause : explainAnswer(error);
  const { code, path } = error as { code?: string; path?: string };
  const message = error instanceof Error ? error.message : String(error);
  const known = SYSTEM_ERRORS[code ?? ""];
  if (known !== undefined)
    return { exit: EXIT.failure, message: path === undefined ? known : `${known}: ${path}`, code };
  return { exit: EXIT.failure, message, code };
}

/** By its name: asking with `instanceof` would load the client for every command, and for --help. */
const isApiError = (error: unknown): error is LetterslotApiError =>
  error instanceof Error && error.name === "LetterslotApiError";

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file",
  EACCES: "This user may not open the file",
  EISDIR: "This is a folder, not a file",
  ENOTDIR: "A part of this path is not a folder",
  ENOSPC: "The disk is full",
  EROFS: "The disk can't be written",
};

function explainAnswer(error: LetterslotApiError): Told {
  const { message, code, param, request_id } = error;
  const told = { message, code, param, request_id };
  if (error.status === null)
    return {
      ...told,
      exit: EXIT.unreachable,
      fix:
        error.fix ?? "Check the address (--url, LETTERSLOT_URL) and that the server runs: letterslot serve.",
    };
  if (code === "unexpected_answer")
    return {
      ...told,
      exit: EXIT.unreachable,
      fix: "Check that --url or LETTERSLOT_URL is the address of a Letterslot server.",
    };
  const { retry_after_seconds } = error;
  const wait = retry_after_seconds === undefined ? undefined : `Try again in ${retry_after_seconds} s.`;
  return { ...told, exit: exitOf(error.status), fix: error.fix ?? wait };
}

function exitOf(status: number): number {
  if (status === 404 || status === 410) return EXIT.not_found;
  if (status === 401 || status === 402 || status === 403) return EXIT.refused;
  if (status === 400 || status === 413 || status === 415 || status === 422) return EXIT.wrong_use;
  return status === 502 || status === 503 || status === 504 ? EXIT.unreachable : EXIT.failure;
}
