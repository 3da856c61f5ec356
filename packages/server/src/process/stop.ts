import type { Log } from "@letterslot/core/ports";

/**
 * Shuts down gracefully on SIGTERM or SIGINT: `finish` completes work in progress. A second signal exits at
 * once, and so does the end of `timeout_ms`: a mail server that does not answer must not keep the process
 * alive, and the next start continues unfinished work.
 */
export function stopOnSignal(log: Log, finish: () => Promise<void>, timeout_ms: number): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping; a second signal exits at once");
    setTimeout(() => {
      log.warn({ timeout_ms }, "stopped before all work was finished; the next start continues it");
      process.exit(1);
    }, timeout_ms);
    finish().then(
      () => {
        log.info({}, "stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, "stopped, but some work could not be finished");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
