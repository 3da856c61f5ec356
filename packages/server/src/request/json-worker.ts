import { parentPort } from "node:worker_threads";
import { freeBytes } from "@letterslot/node-kit";

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
    const texts = pieces.map((piece) => {
      const text = decoder.decode(piece, { stream: true });
      freeBytes(piece);
      return text;
    });
    return { value: JSON.parse(texts.join("") + decoder.decode()) };
  } catch {
    return { invalid: true };
  }
}
