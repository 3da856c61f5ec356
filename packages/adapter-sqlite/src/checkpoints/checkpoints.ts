import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { createEventLoopLoad } from "@letterslot/core/ports";
import type { Connection } from "../connection.ts";

/** Checkpoints in a worker thread, since each waits for the disk: committed pages move from log to file. */
export interface Checkpoints {
  /**
   * Runs after each commit, which may be part of a load, while the writing connection has no open transaction. If it
   * returns a promise, the next transaction must await it: it completes a checkpoint. Never fails.
   */
  follow(writer: Connection, part_of_load?: boolean): Promise<void> | undefined;
  /** Ends the thread after its current checkpoint. */
  close(): Promise<void>;
}

/**
 * The number of pages in the log that is worth a checkpoint. Under load this is a few hundred mails' worth: a page that
 * changed often is copied once. Otherwise fewer, since commits wait for the disk while it takes the copied pages. Many
 * more in a load of records, each of which changes pages all over the indexes: 200 MB of log.
 */
const CHECKPOINT_PAGES = { idle: 1_000, loaded: 10_000, load: 50_000 };
/** Also a service that waits for the disk now and then is loaded. */
const LOADED = { look_every_ms: 500, busy_share: 0.6 };
/** An idle thread ends after this long, because it takes 15 MB. */
const IDLE_MS = 30_000;
const HEAP_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 };

/** Checkpoints of the database at `path`. */
export function createCheckpoints(
  path: string,
  { pages = CHECKPOINT_PAGES, idle_ms = IDLE_MS } = {},
): Checkpoints {
  const isLoaded = createEventLoopLoad(LOADED);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let state: "waiting" | "copying" | "unfinished" | "finishing" = "waiting";
  /** Lets the transaction begin that waits for the end of a checkpoint. */
  let finished = () => {};

  const start = (): Worker => {
    const started = new Worker(workerFile(), {
      workerData: path,
      env: workerEnvironment(),
      resourceLimits: HEAP_LIMITS,
    });
    started.on("message", (all: boolean) => {
      // A reader of older data may keep the rest from being copied: one attempt to finish is enough.
      state = all || state === "finishing" ? "waiting" : "unfinished";
      idle = setTimeout(() => void close(), idle_ms).unref();
      started.unref();
      finished();
    });
    // If the thread fails, the state stays; then SQLite makes checkpoints within commits, once the log is long.
    started.on("error", () => undefined);
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      finished();
    });
    started.unref();
    return started;
  };

  const close = async () => {
    clearTimeout(idle);
    const used = worker;
    worker = undefined;
    await used?.terminate();
  };

  const copy = (doing: "copying" | "finishing") => {
    state = doing;
    clearTimeout(idle);
    worker ??= start();
    worker.postMessage("copy", []);
  };

  /** Copies the pages committed during the last checkpoint, while nothing is written. */
  const finish = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    finished = resolve;
    copy("finishing");
    // A transaction waits for it, so the process must not end before.
    worker?.ref();
    return promise;
  };

  return {
    follow(writer, part_of_load = false) {
      try {
        // SQLite restarts the log only once all of it is copied; otherwise it would grow for as long as there is load.
        if (state === "unfinished") return finish();
        if (state !== "waiting") return undefined;
        const { log, checkpointed } = writer.row("pragma wal_checkpoint(noop)") as {
          log: number;
          checkpointed: number;
        };
        const usual = isLoaded() ? pages.loaded : pages.idle;
        if (log - checkpointed >= (part_of_load ? pages.load : usual)) copy("copying");
      } catch {
        // The data is committed; a failing disk shows at the next commit.
      }
      return undefined;
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
const workerFile = (): URL => new URL("./checkpoint-worker.ts", import.meta.url); // built: ./checkpoint-worker.js
