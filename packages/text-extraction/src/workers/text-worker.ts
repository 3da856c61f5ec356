import { parentPort, workerData } from "node:worker_threads";
import type { ReadDomainReport, TextKind } from "@letterslot/core/ports";
import type { ClippedText } from "../clipped-text.ts";
import { type Limits, type Refusal, refusalOf } from "../limits.ts";
import { readFile } from "../read-file.ts";

/** A file for a worker to read, for its text or, of a picture, for its codes, or as a report about a domain; one at a time. */
export interface TextTask {
  bytes: Uint8Array;
  kind: TextKind | "picture" | "report";
  charset?: string | undefined;
}

/** From the worker: that it is ready, the text of the file, the texts of a picture's codes, or why there is neither. */
export type TextAnswer =
  | "ready"
  | ClippedText
  | { codes: string[] }
  | { report: ReadDomainReport }
  | { refusal: Refusal };

const limits = workerData as Limits;

/** The reader of pictures is loaded with the first one: it is a megabyte. */
async function readTask({ bytes, kind, charset }: TextTask): Promise<TextAnswer> {
  if (kind === "report") {
    const { readReport } = await import("../reports/read-report.ts");
    return { report: await readReport(bytes, limits) };
  }
  if (kind !== "picture") return readFile({ bytes, kind, charset }, limits);
  const { readPicture } = await import("../pictures/picture-codes.ts");
  return { codes: await readPicture(bytes) };
}

parentPort?.on("message", (task: TextTask) => {
  void readTask(task)
    .catch((error: unknown): TextAnswer => ({ refusal: refusalOf(error) }))
    .then((answer: TextAnswer) => parentPort?.postMessage(answer, []));
});
parentPort?.postMessage("ready" satisfies TextAnswer, []);
