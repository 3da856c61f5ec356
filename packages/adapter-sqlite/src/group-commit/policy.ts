/** The maximum size of a batch. */
export interface BatchLimits {
  writes: number;
  /** The time that a batch stays open while the event loop is saturated: larger batches cost less per write. */
  saturated_ms: number;
  /** The time that it stays open otherwise. Each mail waits for two or three batches, so they must be short. */
  idle_ms: number;
}

/** The limits of a service. */
export const BATCH_LIMITS: BatchLimits = { writes: 64, saturated_ms: 30, idle_ms: 5 };
/** The time that the writes of a batch may run before they yield to the event loop. */
export const MAX_BLOCKING_MS = 5;
/** A turn of the event loop that takes longer did some work, which may lead to another write. */
const BUSY_TURN_MS = 0.2;

/** The state of an open batch. */
export interface OpenBatch {
  /** The number of writes that have run in it. */
  writes: number;
  /** The time since it was opened. */
  open_ms: number;
  /** The time that its writes have run since the last turn of the event loop. */
  running_ms: number;
  /** The duration of that turn, if nothing has run since. */
  turn_ms: number | undefined;
  /** The next write in the queue: one that may share the commit, or one that needs a commit of another kind. */
  next: "none" | "same" | "other";
  /** Whether the event loop is saturated. */
  saturated: boolean;
}

/** Whether a batch runs its next write, waits for a turn of the event loop, or commits. */
export function nextStep(
  { writes, open_ms, running_ms, turn_ms, next, saturated }: OpenBatch,
  limits: BatchLimits,
): "run" | "turn" | "commit" {
  if (writes >= limits.writes || next === "other") return "commit";
  if (next === "same" && running_ms <= MAX_BLOCKING_MS) return "run";
  if (open_ms >= (saturated ? limits.saturated_ms : limits.idle_ms)) return "commit";
  const was_idle = turn_ms !== undefined && turn_ms <= BUSY_TURN_MS;
  return next === "none" && was_idle ? "commit" : "turn";
}
