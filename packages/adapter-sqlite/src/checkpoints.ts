import { existsSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Connection } from "./connection.ts";

/** Checkpoints in a worker thread, since each takes about 10 ms: committed pages move from log to file. */
export interface Checkpoints {
  /** To be called after each commit, with no transaction open on the writing connection. Never throws. */
  follow(writer: Connection): void;
  /** Ends the thread after its current checkpoint. */
  close(): Promise<void>;
}

/** Pages in the log that are worth a checkpoint: a few hundred mails. */
const CHECKPOINT_PAGES = 10_000;
/**
 * How often the thread copies what was committed while it copied, until the writer does so itself. Each time it is less; the
 * writer would hold the event loop for as long as the first time's takes.
 */
const MAX_ROUNDS = 5;
/** An idle thread ends after this long, because it takes 15 MB. */
const IDLE_MS = 30_000;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 };

/** Checkpoints of the database at `path`. */
export function createCheckpoints(
  path: string,
  { pages = CHECKPOINT_PAGES, idle_ms = IDLE_MS } = {},
): Checkpoints {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Stays true if the thread fails; then SQLite makes checkpoints within commits, once the log is long. */
  let copying = false;
  let unfinished = false;
  let rounds = 0;
  let longest_log = 0;

  const start = (): Worker => {
    const started = new Worker(workerFile(), {
      workerData: path,
      env: workerEnvironment(),
      resourceLimits: HEAP_LIMITS,
    });
    started.on("message", () => {
      copying = false;
      unfinished = true;
      idle = setTimeout(() => void close(), idle_ms).unref();
    });
    started.on("error", () => undefined);
    started.unref();
    return started;
  };

  const close = async () => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };

  const copy = () => {
    copying = true;
    clearTimeout(idle);
    worker ??= start();
    worker.postMessage("copy", []);
  };

  return {
    follow(writer) {
      if (copying) return;
      try {
        const { log, checkpointed } = writer.row("pragma wal_checkpoint(noop)") as {
          log: number;
          checkpointed: number;
        };
        if (log < longest_log) unfinished = false;
        longest_log = log;
        if (!unfinished) rounds = 0;
        if (log - checkpointed >= pages) return copy();
        if (!unfinished) return;
        // Copies what was committed during the last checkpoint. SQLite restarts the log only once all of it
        // is copied; otherwise it would grow for as long as there is load.
        if (++rounds < MAX_ROUNDS) return copy();
        writer.row("pragma wal_checkpoint(passive)");
        unfinished = false;
      } catch {
        // The data is committed; a failing disk shows at the next commit.
      }
    },
    close,
  };
}

/** The thread gets no variables of this process except the compile cache, which saves it 10 MB. */
function workerEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

/** The worker beside this file: TypeScript when run from source, JavaScript when built. */
function workerFile(): URL {
  const source = new URL("./checkpoint-worker.ts", import.meta.url);
  return existsSync(source) ? source : new URL("./checkpoint-worker.js", import.meta.url);
}
