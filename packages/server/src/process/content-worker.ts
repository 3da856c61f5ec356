import { parentPort } from "node:worker_threads";
import { runContentTask } from "@letterslot/core/mail";

/** A task of `@letterslot/core/mail`, by its name. */
export interface ContentTask {
  name: string;
  input: unknown;
}

/** Its result, or why it failed. */
export type ContentAnswer =
  | { value: unknown }
  | { failure: { code: string | null; param: string | null; message: string } };

parentPort?.on("message", ({ name, input }: ContentTask) => {
  void answerTo(name, input).then((answer) => parentPort?.postMessage(answer, moved(answer)));
});

async function answerTo(name: string, input: unknown): Promise<ContentAnswer> {
  try {
    return { value: await runContentTask(name, input) };
  } catch (error) {
    const { code = null, param = null } = error as { code?: string | null; param?: string | null };
    return { failure: { code, param, message: String(error) } };
  }
}

/** Bytes are moved to the caller instead of being copied, where their buffer holds nothing else. */
function moved(answer: ContentAnswer): ArrayBuffer[] {
  const value = "value" in answer ? answer.value : undefined;
  if (!(value instanceof Uint8Array) || value.byteLength !== value.buffer.byteLength) return [];
  return [value.buffer as ArrayBuffer];
}
