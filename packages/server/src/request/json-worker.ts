import { parentPort } from "node:worker_threads";

/** A JSON text in UTF-8, in pieces. */
export interface JsonTask {
  pieces: Uint8Array[];
}

/** The parsed value, or the fact that the bytes are not JSON in UTF-8. */
export type JsonAnswer = { value: unknown } | { invalid: true };

parentPort?.on("message", ({ pieces }: JsonTask) => parentPort?.postMessage(answerTo(pieces), []));

function answerTo(pieces: Uint8Array[]): JsonAnswer {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
    return { value: JSON.parse(text) };
  } catch {
    return { invalid: true };
  }
}
