import type { Log } from "@letterslot/core";

/**
 * Ends the process in order at SIGTERM or SIGINT: `finish` completes what is under way. A second signal ends
 * it at once, and what is not finished after `patience_ms` is left to the next start: a mail server that
 * doesn't answer must not keep the process alive.
 */
export function stopOnSignal(log: Log, finish: () => Promise<void>, patience_ms: number): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping; a second signal ends at once");
    setTimeout(() => {
      log.warn({ patience_ms }, "stopped without finishing all work; the next start takes it up again");
      process.exit(1);
    }, patience_ms);
    finish().then(
      () => {
        log.info({}, "stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ error }, "stopped, but not everything could be finished");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
