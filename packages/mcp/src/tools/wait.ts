import { LIMITS } from "@letterslot/core";
import type { CatalogueTool } from "./catalogue.ts";
import type { ToolHost } from "./host.ts";
import { inputJsonSchema } from "./json-schema.ts";

/** Reports the progress of a long call, in seconds. */
export type Progress = (progress: { progress: number; total: number; message: string }) => void;

/** The interval of a wait's progress reports, in seconds. */
const PROGRESS_SECONDS = 10;

/**
 * Returns the total waiting time of a tool call and that of each call of its operation, in seconds. Undefined: it
 * doesn't wait.
 */
export function waitOf(
  { operation }: CatalogueTool,
  asked: unknown,
): { seconds: number; longest: number } | undefined {
  const field = inputJsonSchema(operation.input).properties?.["wait"];
  const seconds = asked ?? field?.default;
  // Whether it is a number, and not too large, is for the operation to say.
  if (field === undefined || typeof seconds !== "number" || seconds > LIMITS.wait_max_seconds)
    return undefined;
  return seconds > 0 ? { seconds, longest: field.maximum ?? seconds } : undefined;
}

/**
 * Waits with `call`, which waits for at most `longest` seconds at a time, until there is an answer or `seconds` are
 * over. Reports progress every 10 seconds, and stops when `signal` does.
 */
export async function waitWith(
  { clock }: Pick<ToolHost, "clock">,
  { seconds, longest, signal, progress }: WaitOptions,
  call: (wait: number) => Promise<unknown>,
): Promise<unknown> {
  const stop = sayProgress(clock, seconds, progress);
  try {
    for (let left = seconds; ; left -= longest) {
      const answer = await call(Math.min(left, longest));
      if (left <= longest || signal?.aborted === true || !isEmpty(answer)) return answer;
    }
  } finally {
    stop();
  }
}

interface WaitOptions {
  seconds: number;
  longest: number;
  signal: AbortSignal | undefined;
  progress: Progress | undefined;
}

/** Whether an answer has no result of a wait: an empty page, or no task. */
function isEmpty(answer: unknown): boolean {
  const { data, task } = answer as { data?: unknown; task?: unknown };
  return Array.isArray(data) ? data.length === 0 : task === null;
}

function sayProgress(clock: ToolHost["clock"], total: number, progress: Progress | undefined): () => void {
  if (progress === undefined) return () => {};
  let waited = 0;
  let cancel = clock.after(PROGRESS_SECONDS * 1000, say);
  function say() {
    waited += PROGRESS_SECONDS;
    if (waited >= total) return;
    progress?.({ progress: waited, total, message: `Waiting: ${total - waited} seconds left.` });
    cancel = clock.after(PROGRESS_SECONDS * 1000, say);
  }
  return () => cancel();
}
