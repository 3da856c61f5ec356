import { parentPort, workerData } from "node:worker_threads";
import type { TextKind } from "@letterslot/core";
import type { ClippedText } from "./clipped-text.ts";
import { type Limits, type Refusal, refusalOf } from "./limits.ts";
import { readFile } from "./read-file.ts";

/** A file for a worker to read; one at a time. */
export interface TextTask {
  bytes: Uint8Array;
  kind: TextKind;
}

/** From the worker: that it is ready, the text of the file, or why there is none. */
export type TextAnswer = "ready" | ClippedText | { refusal: Refusal };

const limits = workerData as Limits;

parentPort?.on("message", (task: TextTask) => {
  void readFile(task, limits)
    .catch((error: unknown): TextAnswer => ({ refusal: refusalOf(error) }))
    .then((answer: TextAnswer) => parentPort?.postMessage(answer, []));
});
parentPort?.postMessage("ready" satisfies TextAnswer, []);
