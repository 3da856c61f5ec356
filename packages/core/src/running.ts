import { createLetterslot, type Letterslot, type LetterslotConfig } from "./letterslot.ts";

/** A service that does its own work, until it is closed. */
export interface RunningLetterslot extends Letterslot {
  /**
   * Finishes the work in progress, then closes the storage, queue, signals, transport and webhookHttp. A second
   * call is as the first.
   */
  close(): Promise<void>;
}

/** How often what has had its time is deleted. */
const SWEEP_INTERVAL_MS = 60_000;

/** Creates a service and runs its work in this process: `createLetterslot`, `work` and `sweep` in one. */
export function startLetterslot(config: LetterslotConfig): RunningLetterslot {
  const letterslot = createLetterslot(config);
  const { storage, queue, signals, transport, webhookHttp } = letterslot.services;
  const [stopWork, stopSweeping] = [letterslot.work(), startSweeping(letterslot)];
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([stopWork(), stopSweeping()]);
    await Promise.all([queue, signals, transport, webhookHttp].map((port) => port.close()));
    await storage.close();
  };
  return {
    ...letterslot,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Sweeps once a minute, one sweep at a time; a failure is logged. The returned function stops it and waits for
 * the sweep in progress.
 */
export function startSweeping({
  services: { clock, log },
  sweep,
}: Pick<Letterslot, "services" | "sweep">): () => Promise<void> {
  let current = Promise.resolve();
  let stopped = false;
  let cancel = () => {};
  const next = () => {
    if (!stopped) cancel = clock.after(SWEEP_INTERVAL_MS, run);
  };
  const run = () => {
    current = sweep()
      .catch((error: unknown) => log.error({ error }, "sweep failed"))
      .finally(next);
  };
  next();
  return () => {
    stopped = true;
    cancel();
    return current;
  };
}
