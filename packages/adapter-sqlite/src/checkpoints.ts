import { existsSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Connection } from "./connection.ts";

/**
 * Copies committed pages from the log into the database file; a thread of its own does most of it, for it
 * takes some ten milliseconds.
 */
export interface Checkpoints {
  /** To be called after each commit, with no transaction open on the writing connection. Never throws. */
  follow(writer: Connection): void;
  /** Ends the thread, after what it is copying. */
  close(): Promise<void>;
}

/** Pages that are worth copying: each few hundred mails. */
const PAGES = 2_000;
/** A thread that has nothing to copy for so long is ended: it takes 15 MB. */
const IDLE_MS = 30_000;
const THREAD_HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 };

/** Checkpoints of the database at `path`. */
export function createCheckpoints(path: string, { pages = PAGES, idle_ms = IDLE_MS } = {}): Checkpoints {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** For ever if the thread fails; then SQLite copies within a commit, once the log is some times as long. */
  let copying = false;
  let rest = false;

  const start = (): Worker => {
    const started = new Worker(workerFile(), {
      workerData: path,
      env: threadEnvironment(),
      resourceLimits: THREAD_HEAP,
    });
    started.on("message", () => {
      copying = false;
      rest = true;
      idle = setTimeout(() => void end(), idle_ms).unref();
    });
    started.on("error", () => undefined);
    started.unref();
    return started;
  };

  const end = async () => {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };

  const copy = () => {
    copying = true;
    clearTimeout(idle);
    thread ??= start();
    thread.postMessage("copy", []);
  };

  return {
    follow(writer) {
      if (copying) return;
      try {
        const { log, checkpointed } = writer.row("pragma wal_checkpoint(noop)") as {
          log: number;
          checkpointed: number;
        };
        if (log - checkpointed >= pages) return copy();
        // What was committed meanwhile. The log begins anew only when all of it is copied: else it would grow
        // for as long as there is load.
        if (rest) writer.row("pragma wal_checkpoint(passive)");
        rest = false;
      } catch {
        // The mail is committed; a disk that fails shows at the next commit.
      }
    },
    close: end,
  };
}

/**
 * Nothing of this process's own; but where it has Node keep what it compiles, the thread need not load a
 * compiler: 10 MB less.
 */
function threadEnvironment(): Record<string, string> {
  const kept = getCompileCacheDir();
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) };
}

/** The worker beside this file: TypeScript when run from source, JavaScript when built. */
function workerFile(): URL {
  const source = new URL("./checkpoint-worker.ts", import.meta.url);
  return existsSync(source) ? source : new URL("./checkpoint-worker.js", import.meta.url);
}
