import { once } from "node:events";
import { chmodSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Log } from "@letterslot/core/ports";
import { z } from "zod";
import type { DataDir } from "../data-dir.ts";
import { AccountsCommandError } from "./accounts-command.ts";
import { type CommandStreams, OperatorCommand } from "./commands.ts";

/** Its folder is the server's user's alone (0700), so that nobody else reaches it. */
const SOCKET = "operator.sock";
const MAX_REQUEST_CHARS = 1024 * 1024;

/** What is asked: a command, and which of its outputs are terminals. */
const Request = z.strictObject({
  command: OperatorCommand,
  terminals: z.strictObject({ stdout: z.boolean(), stderr: z.boolean() }),
});
type Request = z.infer<typeof Request>;

/** A line of the answer: text for one of the outputs, or the end with what went wrong. */
const Frame = z.union([
  z.strictObject({ stdout: z.string() }),
  z.strictObject({ stderr: z.string() }),
  z.strictObject({ status: z.int(), error: z.string().nullable() }),
]);
type Frame = z.infer<typeof Frame>;

/** A server that takes the commands of its operator. */
export interface OperatorSocket {
  /** Takes no more commands, and resolves when those in progress have ended, at the latest after `timeout_ms`. */
  close(timeout_ms: number): Promise<void>;
}

/**
 * Takes commands of whoever may use the folder of the data, which only this process has open, and runs them with `run`. A
 * folder that can hold no socket, such as one with a very long path, is told in the log: then the commands need a
 * server that has stopped.
 */
export async function listenForOperator(
  dataDir: DataDir,
  run: (command: OperatorCommand, streams: CommandStreams) => Promise<void>,
  log: Log,
): Promise<OperatorSocket | undefined> {
  const path = dataDir.file(SOCKET);
  rmSync(path, { force: true }); // of a process that was killed: this one holds the folder's lock
  const open = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const ended = serve(socket, run, log).finally(() => open.delete(socket));
    open.set(socket, ended);
  });
  server.listen(path);
  try {
    await once(server, "listening");
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    log.warn({ err: error }, `${path} can't be used: operator commands need the server to be stopped.`);
    return undefined;
  }
  return {
    async close(timeout_ms) {
      server.close();
      const over = Promise.withResolvers<void>();
      const timer = setTimeout(over.resolve, timeout_ms);
      await Promise.race([Promise.all(open.values()), over.promise]);
      clearTimeout(timer);
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

async function serve(
  socket: Socket,
  run: (command: OperatorCommand, streams: CommandStreams) => Promise<void>,
  log: Log,
): Promise<void> {
  socket.setEncoding("utf8").on("error", () => undefined); // whoever asked is gone; the command goes on
  const send = async (frame: Frame): Promise<void> => {
    if (socket.writable && !socket.write(`${JSON.stringify(frame)}\n`)) await roomIn(socket);
  };
  try {
    const { command, terminals } = Request.parse(JSON.parse(await firstLine(socket)));
    await run(command, {
      stdout: { isTTY: terminals.stdout, write: (text) => send({ stdout: text }) },
      stderr: { isTTY: terminals.stderr, write: (text) => send({ stderr: text }) },
    });
    await send({ status: 0, error: null });
  } catch (error) {
    const expected = error instanceof AccountsCommandError;
    if (!expected) log.error({ err: error }, "an operator's command failed");
    const message = expected ? error.message : "The server failed. Its log says why.";
    await send({ status: expected ? error.status : 1, error: message });
  } finally {
    socket.end();
  }
}

/** Resolves when there is room for more, or nobody reads any more. */
function roomIn(socket: Socket): Promise<void> {
  const { promise, resolve: go } = Promise.withResolvers<void>();
  const done = () => {
    socket.off("drain", done).off("close", done);
    go();
  };
  socket.on("drain", done).on("close", done);
  return promise;
}

/** The first line that comes. Rejects when there is none, or one that is too long. */
function firstLine(socket: Socket): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
    const end = text.indexOf("\n");
    if (end >= 0) found(text.slice(0, end));
    else if (text.length > MAX_REQUEST_CHARS) reject(new AccountsCommandError("The command is too long."));
  });
  socket.once("close", () => reject(new AccountsCommandError("Nothing was asked.")));
  return promise;
}

/**
 * Has the server that runs on this folder run the command, and writes what it says. False when none runs there. Throws
 * `AccountsCommandError` as the command does, when the server stops meanwhile, and for a server of another user.
 */
export async function askRunningServer(
  data_dir: string,
  command: OperatorCommand,
  streams: CommandStreams,
): Promise<boolean> {
  const path = join(resolve(data_dir), SOCKET);
  const socket = await connected(path);
  if (socket === undefined) return false;
  try {
    checkOwner(path);
    const terminals = { stdout: streams.stdout.isTTY === true, stderr: streams.stderr.isTTY === true };
    socket.write(`${JSON.stringify({ command, terminals } satisfies Request)}\n`);
    for await (const line of createInterface({ input: socket })) {
      const frame = Frame.parse(JSON.parse(line));
      if ("stdout" in frame) streams.stdout.write(frame.stdout);
      else if ("stderr" in frame) streams.stderr.write(frame.stderr);
      else if (frame.error === null) return true;
      else throw new AccountsCommandError(frame.error, { status: frame.status });
    }
    throw new AccountsCommandError(
      "The server stopped before the command had ended. Look at what it did (list, show) before you run it again.",
    );
  } finally {
    socket.destroy();
  }
}

/** Undefined when no server listens there: it has never run, has stopped, or was killed. */
async function connected(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ECONNREFUSED", "ENOTSOCK", "EINVAL"].includes(code)) return undefined;
    if (code === "EACCES")
      throw new AccountsCommandError(`${path} belongs to another user. Run the command as that user.`, {
        cause: error,
      });
    throw error;
  }
}

/** Nobody else's program gets to hear the command, or to answer it. */
function checkOwner(path: string): void {
  const me = process.getuid?.();
  if (me === undefined || me === 0 || statSync(path).uid === me) return;
  throw new AccountsCommandError(`${path} belongs to another user. Run the command as that user.`);
}
