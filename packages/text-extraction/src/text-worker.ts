import { parentPort, workerData } from "node:worker_threads";
import type { TextKind } from "@letterslot/core";
import { type Bounds, type Refusal, refusalOf } from "./bounds.ts";
import type { ClippedText } from "./clipped-text.ts";
import { readFile } from "./read-file.ts";

/** What the main thread asks of a worker, one file at a time. */
export interface TextTask {
  bytes: Uint8Array;
  kind: TextKind;
}

/** What a worker says: that it can begin, what a file's text is, or why there is none. */
export type TextAnswer = "ready" | ClippedText | { refusal: Refusal };

const bounds = workerData as Bounds;

parentPort?.on("message", (task: TextTask) => {
  void readFile(task, bounds)
    .catch((error: unknown): TextAnswer => ({ refusal: refusalOf(error) }))
    .then((answer: TextAnswer) => parentPort?.postMessage(answer, []));
});
parentPort?.postMessage("ready" satisfies TextAnswer, []);
