import { createHmac } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import type { ContentFinding } from "@letterslot/core/ports";
import { scanText } from "./scan-text.ts";

/** The texts of a scan, of which a worker has one at a time. */
export interface ScanTask {
  texts: readonly string[];
}

/** From the worker: that it is ready, the findings of a text by its place, that one can't be read, or that all is done. */
export type ScanAnswer =
  | "ready"
  | "done"
  | { index: number; findings: Omit<ContentFinding, "part">[] }
  | { index: number; failed: true };

const { key } = workerData as { key: Uint8Array };

const fingerprintOf = (kind: string, value: string): string =>
  createHmac("sha256", key).update(`${kind}\n${value}`).digest("hex");

async function scan({ texts }: ScanTask): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const answer = await scanText(text)
      .then(
        (found): ScanAnswer => ({
          index,
          findings: found.map(({ value, ...place }) => ({
            ...place,
            fingerprint: fingerprintOf(place.kind, value),
          })),
        }),
      )
      .catch((): ScanAnswer => ({ index, failed: true }));
    parentPort?.postMessage(answer, []);
  }
  parentPort?.postMessage("done" satisfies ScanAnswer, []);
}

parentPort?.on("message", (task: ScanTask) => void scan(task));
parentPort?.postMessage("ready" satisfies ScanAnswer, []);
