import { createHmac } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import type { ContentFinding } from "@letterslot/core/ports";
import { scanText } from "./scan-text.ts";

/** The texts of a scan, of which a worker has one at a time. */
export interface ScanTask {
  texts: readonly string[];
}

/** The findings of a text by its place, or that it can't be read. */
export type TextAnswer =
  | { index: number; findings: Omit<ContentFinding, "part">[] }
  | { index: number; failed: true };

/** From the worker: that it is ready, or what it has scanned since it last said so, and whether that is all. */
export type ScanAnswer = "ready" | { answers: TextAnswer[]; done: boolean };

/**
 * An answer waits for those of short texts, as each message wakes the thread that asked; not for that of a long text, with
 * which the time may run out.
 */
const SHORT_CHARS = 2_000;

const { key } = workerData as { key: Uint8Array };

const fingerprintOf = (kind: string, value: string): string =>
  createHmac("sha256", key).update(`${kind}\n${value}`).digest("hex");

async function scan({ texts }: ScanTask): Promise<void> {
  let answers: TextAnswer[] = [];
  for (const [index, text] of texts.entries()) {
    if (text.length > SHORT_CHARS && answers.length > 0) {
      say({ answers, done: false });
      answers = [];
    }
    answers.push(await answerTo(text, index));
  }
  say({ answers, done: true });
}

const answerTo = (text: string, index: number): Promise<TextAnswer> =>
  scanText(text)
    .then((found) => ({
      index,
      findings: found.map(({ value, ...place }) => ({
        ...place,
        fingerprint: fingerprintOf(place.kind, value),
      })),
    }))
    .catch(() => ({ index, failed: true }));

const say = (answer: ScanAnswer): void => parentPort?.postMessage(answer, []);

parentPort?.on("message", (task: ScanTask) => void scan(task));
say("ready");
