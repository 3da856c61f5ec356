import { withTimeout } from "@letterslot/node-kit";
import type { Redis } from "ioredis";

const PROBE_INTERVAL_MS = 1_000;
const PROBE_TIMEOUT_MS = 500;
/** An open connection that is silent for this long is replaced: its peer may be gone. */
const MAX_SILENCE_MS = 10_000;

/** A connection that is probed once a second. */
export interface WatchedConnection {
  isUp(): boolean;
  /** Treats it as down until it answers a probe. */
  markDown(problem: string): void;
  stop(): void;
}

/**
 * Probes a connection regularly. Calls `changed` when it comes up, or, with the problem, when it goes down.
 */
export function watchConnection(
  connection: Redis,
  options: { probe(): Promise<unknown>; changed(problem?: string): void },
): WatchedConnection {
  let up = false;
  let stopped = false;
  let probing = false;
  let silent_probes = 0;
  let problem = "no connection yet";

  const setUp = (now: boolean) => {
    if (stopped || (now === up && now)) return;
    up = now;
    options.changed(now ? undefined : problem);
  };
  const probe = async () => {
    if (probing || stopped || connection.status !== "ready") return;
    probing = true;
    const answered = await withTimeout(
      PROBE_TIMEOUT_MS,
      options.probe().then(
        () => true,
        (error: Error) => {
          problem = error.message;
          return false;
        },
      ),
    );
    probing = false;
    if (answered === true) {
      silent_probes = 0;
      return setUp(connection.status === "ready");
    }
    if (answered === undefined) problem = "no answer";
    setUp(false);
    if (answered === undefined && ++silent_probes * PROBE_INTERVAL_MS >= MAX_SILENCE_MS) {
      silent_probes = 0;
      connection.disconnect(true);
    }
  };
  const onReady = () => void probe();
  const onClose = () => setUp(false);
  const onError = (error: Error) => {
    problem = error.message || (error as { code?: string }).code || "no connection";
  };

  connection.on("ready", onReady).on("close", onClose).on("error", onError);
  const timer = setInterval(onReady, PROBE_INTERVAL_MS);
  onReady();

  return {
    isUp: () => up,
    markDown(reason) {
      problem = reason;
      setUp(false);
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      connection.off("ready", onReady).off("close", onClose);
      // The error listener stays: without one ioredis prints errors while closing.
    },
  };
}
