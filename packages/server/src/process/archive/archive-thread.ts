import { Worker } from "node:worker_threads";
import { type AccountArchive, ArchiveError } from "@letterslot/core/internal";
import type { ArchiveAnswer, ArchiveCall, ArchiveQuestion } from "./archive-worker.ts";
import { ZipFileError } from "./zip.ts";

/** A record may have 64 MB, which is several times as much once it is read. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 4 };

/**
 * Opens the zip of an export, and reads it in a thread: while one batch is stored, the next is unpacked, checked and
 * split into words. Throws an `ArchiveError` when it is no export, and a `ZipFileError` when it can't be opened.
 */
export async function openArchiveInThread(
  path: string,
): Promise<AccountArchive & { close(): Promise<void> }> {
  const worker = new Worker(workerFile(), { workerData: path, resourceLimits: HEAP_LIMITS });
  const ask = createQuestions(worker);
  const close = async () => void (await worker.terminate());

  /** Yields the results of a function of the archive. The next is requested before the current one is used. */
  async function* read<T>(call: ArchiveCall): AsyncGenerator<T> {
    let next = ask({ begin: call });
    for (;;) {
      const answer = await next;
      if (!("next" in answer) || answer.next.done === true) return;
      next = ask("next");
      // A reader that stops early ignores the next answer, including its failure.
      next.catch(() => undefined);
      yield answer.next.value as T;
    }
  }

  try {
    const answer = await ask();
    if (!("head" in answer)) throw new Error("the thread that reads the archive said nothing of it");
    return {
      head: answer.head,
      outlines: (of) => read({ read: "outlines", of }),
      records: (of) => read({ read: "records", of }),
      readThrough: (of) => read({ read: "readThrough", of }),
      bytes: (of) => read({ read: "bytes", of }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends questions to the thread, which answers in order; without a question, returns the thread's first message. */
function createQuestions(worker: Worker): (question?: ArchiveQuestion) => Promise<ArchiveAnswer> {
  const waiting: PromiseWithResolvers<ArchiveAnswer>[] = [];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  worker.on("message", (answer: ArchiveAnswer) => {
    const asked = waiting.shift();
    if ("failure" in answer) asked?.reject(errorOf(answer.failure));
    else asked?.resolve(answer);
  });
  worker.once("error", end).once("exit", () => end(new Error("the thread that reads the archive has ended")));
  return (question) => {
    if (ended !== undefined) return Promise.reject(ended);
    const asked = Promise.withResolvers<ArchiveAnswer>();
    waiting.push(asked);
    if (question !== undefined) worker.postMessage(question, []);
    return asked.promise;
  };
}

/** Errors lose their class between threads. */
function errorOf({ message, kind }: Extract<ArchiveAnswer, { failure: unknown }>["failure"]): Error {
  if (kind === "archive") return new ArchiveError(message);
  return kind === "file" ? new ZipFileError(message) : new Error(message);
}

/** The worker beside this file: TypeScript from source, JavaScript when built. */
const workerFile = (): URL => new URL("./archive-worker.ts", import.meta.url); // built: ./archive-worker.js
