import { expect, test } from "vitest";
import { BATCH_LIMITS, type BatchLimits, MAX_BLOCKING_MS, nextStep, type OpenBatch } from "./policy.ts";

const limits: BatchLimits = { writes: 3, saturated_ms: 30, idle_ms: 5 };
const open: OpenBatch = {
  writes: 1,
  open_ms: 1,
  running_ms: 1,
  turn_ms: undefined,
  next: "none",
  saturated: false,
};
const queued = { next: "same" } as const;

test.each<[string, Partial<OpenBatch>, ReturnType<typeof nextStep>]>([
  ["nothing ran yet and a write waits", { ...queued, writes: 0, open_ms: 0, running_ms: 0 }, "run"],
  ["another write waits", queued, "run"],
  ["the batch is full", { ...queued, writes: 3 }, "commit"],
  ["the next write needs a commit of another kind", { next: "other" }, "commit"],
  ["its writes have blocked the event loop for long", { ...queued, running_ms: 5.1 }, "turn"],
  ["and it has been open for long", { ...queued, running_ms: 5.1, open_ms: 5.1 }, "commit"],
  ["nothing waits, for the first time", {}, "turn"],
  ["nothing came in a turn in which nothing happened", { turn_ms: 0.1 }, "commit"],
  ["nothing came in a turn in which something happened", { turn_ms: 0.3 }, "turn"],
  ["nothing came, and it has been open for long", { turn_ms: 0.3, open_ms: 5 }, "commit"],
  [
    "a write came in a turn, however long the batch is open",
    { ...queued, turn_ms: 0.1, open_ms: 99, running_ms: 0 },
    "run",
  ],
  ["the event loop is saturated", { turn_ms: 0.3, open_ms: 29, saturated: true }, "turn"],
  ["even then it isn't open for ever", { turn_ms: 0.3, open_ms: 30, saturated: true }, "commit"],
])("where %s, the next step is %3$s", (_, state, step) => {
  expect(nextStep({ ...open, ...state }, limits)).toBe(step);
});

test("a batch of a service holds the event loop for no longer than it is open", () => {
  expect(BATCH_LIMITS.idle_ms).toBeGreaterThanOrEqual(MAX_BLOCKING_MS);
});
