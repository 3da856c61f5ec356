import { readFileSync } from "node:fs";
import { isStorageUnavailable, listenSmtp, open, openStore, RELAY } from "./adapters.ts";
import { ConfigError, readConfig } from "./config.ts";
import { DataDirUnusable } from "./data-dir.ts";
import { DataDirInUse } from "./data-lock.ts";
import { DoctorUsageError, runDoctor } from "./doctor/command.ts";
import { helpText } from "./help.ts";
import { createLog } from "./log.ts";
import { limitHeapGrowth } from "./memory.ts";
import { MigrateStorageError } from "./migrate-storage/arguments.ts";
import { migrateStorage } from "./migrate-storage/command.ts";
import { ACCOUNTS_USAGE, AccountsCommandError } from "./operator/accounts-command.ts";
import { APPROVAL_KEYS_USAGE } from "./operator/approval-keys-command.ts";
import { type OperatorCommand, runOperatorCommand } from "./operator/commands.ts";
import { askRunningServer } from "./operator/socket.ts";
import { PackageMissing } from "./optional-package.ts";
import { readEnvironment, run, startServer, withService } from "./run.ts";

const COMMANDS = ["migrate-storage", "accounts", "approval-keys", "doctor"];
const OPTIONS = ["--help", "-h", "--version"];

/**
 * Runs the command line of letterslot-server. Prints what prevents it to stderr and exits with status 1, or the
 * command's own. `manifest` is the package.json that has the version.
 */
export async function start(args: string[], manifest: URL): Promise<void> {
  try {
    process.exitCode = await runCommand(args, manifest);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(error instanceof AccountsCommandError ? error.status : 1);
  }
}

async function runCommand(args: string[], manifest: URL): Promise<number> {
  const [command = "", ...words] = args;
  if (command !== "" && !command.startsWith("-") && !COMMANDS.includes(command))
    throw new ConfigError([
      `There is no command ${JSON.stringify(command)}. Use migrate-storage, accounts, approval-keys, doctor, or none to run the server; see letterslot-server --help.`,
    ]);
  if (command === "migrate-storage") return runMigrateStorage(words);
  if (command === "accounts") return runAccounts(words);
  if (command === "approval-keys") return runApprovalKeys(words);
  if (command === "doctor") return examineSetUp(words);
  const unknown = args.find((argument) => !OPTIONS.includes(argument));
  if (unknown !== undefined)
    throw new ConfigError([
      `There is no option ${JSON.stringify(unknown)}. The server is configured with environment variables; see letterslot-server --help.`,
    ]);
  if (args.includes("--help") || args.includes("-h")) process.stdout.write(helpText());
  else if (args.includes("--version")) process.stdout.write(`${versionIn(manifest)}\n`);
  else await runServer();
  return 0;
}

/** Runs the server that the environment configures; resolves when it has started. Throws if it can't. */
export const runServer = (): Promise<void> => run({ open, listenSmtp });

/** A server in this process. */
export interface RunningServer {
  base_url: string;
  /** The port on which mail comes in. */
  smtp_port: number | undefined;
  /** Finishes work in progress and stops. */
  close(): Promise<void>;
}

/**
 * Starts a server with these settings alone, whatever the environment says. Prints nothing but the log, and leaves
 * signals to the caller. Throws if it can't start.
 */
export async function startWith(settings: Readonly<Record<string, string>>): Promise<RunningServer> {
  const config = readConfig(settings);
  const adapters = { open, listenSmtp };
  const { base_url, smtp, close } = await startServer(adapters, config, createLog(config.log_level));
  return { base_url, smtp_port: smtp?.port, close };
}

/** The output streams of the operator's commands. */
export interface CommandStreams {
  stdout: { isTTY?: boolean; write(text: string): unknown };
  stderr: { isTTY?: boolean; write(text: string): unknown };
}

/** Runs `migrate-storage` with the words after it. Resolves to the exit status. */
export const runMigrateStorage = (words: string[], streams: CommandStreams = process): Promise<number> =>
  migrateStorage(words, { openStore, output: streams.stdout, progress: streams.stderr });

/** Runs `accounts` with the words after it. Throws `AccountsCommandError`. */
export async function runAccounts(words: string[], streams: CommandStreams = process): Promise<number> {
  return runForOperator("accounts", words, ACCOUNTS_USAGE, streams);
}

/** Runs `approval-keys` with the words after it. Throws `AccountsCommandError`. */
async function runApprovalKeys(words: string[], streams: CommandStreams = process): Promise<number> {
  return runForOperator("approval-keys", words, APPROVAL_KEYS_USAGE, streams);
}

/** A running server that has the data open does the command itself. */
async function runForOperator(
  name: OperatorCommand["name"],
  words: string[],
  usage: string,
  streams: CommandStreams,
): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) {
    streams.stdout.write(usage);
    return 0;
  }
  const command = { name, words, cwd: process.cwd() };
  const { database_url, data_dir } = readConfig(readEnvironment());
  const asked = database_url === undefined && (await askRunningServer(data_dir, command, streams));
  if (asked) return 0;
  limitHeapGrowth();
  await withService({ open, listenSmtp }, (service) => runOperatorCommand(command, service, streams));
  return 0;
}

/** Runs `doctor` with the words after it. Resolves to the exit status: 1 when something failed. */
export const examineSetUp = (words: string[], streams: CommandStreams = process): Promise<number> =>
  runDoctor(
    words,
    {
      open: (config, dataDir, log) => open(config, dataDir, log, 0),
      listenSmtp,
      ...RELAY,
      // For an unexpected error the message is enough: a stack trace doesn't help to fix a set-up.
      describe: (error) =>
        explain(error)
          .replace(/\n +at .*$/s, "")
          .replace(/^Error: /, ""),
    },
    streams,
  );

function versionIn(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** Whether a command failed because there is no such account. */
export const isUnknownAccount = (error: unknown): boolean =>
  error instanceof AccountsCommandError && error.status !== 1;

export { settingsText } from "./help.ts";
export { limitYoungSpace } from "./memory.ts";

/** An expected error as a line or two that say what to do; only unexpected ones keep their stack. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirInUse || error instanceof MigrateStorageError)
    return error.message;
  if (error instanceof DataDirUnusable) return error.message;
  if (error instanceof AccountsCommandError || error instanceof PackageMissing) return error.message;
  if (error instanceof DoctorUsageError) return error.message;
  if (isStorageUnavailable(error))
    return `The database cannot be used: ${error.cause instanceof Error ? error.cause.message : error.message}. Check DATABASE_URL.`;
  const { code, port, path } = error as { code?: string; port?: number; path?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT or SMTP_PORT to another.`;
  if (code === "EACCES" || code === "EROFS")
    return `This user may not use ${path ?? `port ${port}`}. Set DATA_DIR, PORT or SMTP_PORT.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
