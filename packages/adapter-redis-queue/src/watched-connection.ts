import type { Redis } from "ioredis";
import { within } from "./within.ts";

const PROBE_EVERY_MS = 1_000;
const PROBE_WITHIN_MS = 500;
/**
 * A connection that is open and silent for so long is made anew: the other machine may have gone without a
 * word.
 */
const SILENT_AT_MOST_MS = 10_000;

/** A connection that is asked once a second whether it still answers. */
export interface WatchedConnection {
  answers(): boolean;
  /** Takes it for silent until a probe is answered. */
  doubt(trouble: string): void;
  stop(): void;
}

/**
 * Watches a connection; `changed` is called whenever it begins or ceases to answer, with what is wrong in the
 * latter case.
 */
export function watchConnection(
  connection: Redis,
  options: { probe(): Promise<unknown>; changed(trouble?: string): void },
): WatchedConnection {
  let answers = false;
  let stopped = false;
  let probing = false;
  let silentProbes = 0;
  let trouble = "no connection yet";

  const say = (now: boolean) => {
    if (stopped || (now === answers && now)) return;
    answers = now;
    options.changed(now ? undefined : trouble);
  };
  const probe = async () => {
    if (probing || stopped || connection.status !== "ready") return;
    probing = true;
    const answered = await within(
      PROBE_WITHIN_MS,
      options.probe().then(
        () => true,
        (error: Error) => {
          trouble = error.message;
          return false;
        },
      ),
    );
    probing = false;
    if (answered === true) {
      silentProbes = 0;
      return say(connection.status === "ready");
    }
    if (answered === undefined) trouble = "no answer";
    say(false);
    if (answered === undefined && ++silentProbes * PROBE_EVERY_MS >= SILENT_AT_MOST_MS) {
      silentProbes = 0;
      connection.disconnect(true);
    }
  };
  const onReady = () => void probe();
  const onClose = () => say(false);
  const onError = (error: Error) => {
    trouble = error.message || (error as { code?: string }).code || "no connection";
  };

  connection.on("ready", onReady).on("close", onClose).on("error", onError);
  const timer = setInterval(onReady, PROBE_EVERY_MS);
  onReady();

  return {
    answers: () => answers,
    doubt(why) {
      trouble = why;
      say(false);
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      connection.off("ready", onReady).off("close", onClose);
      // The error listener stays: without one ioredis prints what goes wrong while it closes.
    },
  };
}
