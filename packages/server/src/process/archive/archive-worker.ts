import { parentPort, workerData } from "node:worker_threads";
import { type AccountArchive, ArchiveError, openArchive } from "@letterslot/core/archive";
import { isFileError, openZip } from "./zip.ts";

/** Requests for the archive thread, one at a time: to begin a function of the archive, or for its next item. */
export type ArchiveQuestion = { begin: ArchiveCall } | "next";

/** A function of an opened archive, with its argument. */
export type ArchiveCall = {
  [N in Exclude<keyof AccountArchive, "head">]: { read: N; of: Parameters<AccountArchive[N]>[0] };
}[Exclude<keyof AccountArchive, "head">];

/** The archive's head, its next item, or the reason why it can't be read. */
export type ArchiveAnswer =
  | { head: AccountArchive["head"] }
  | { next: IteratorResult<unknown, void> }
  | { failure: { message: string; kind: "archive" | "file" | "other" } };

const opened = openZip(workerData as string).then(openArchive);
let reading: AsyncGenerator<unknown, void> | undefined;

/** Answers in the order of the questions. */
let last = answer(async () => ({ head: (await opened).head }));
parentPort?.on("message", (question: ArchiveQuestion) => {
  last = last.then(() => answer(() => answerTo(question)));
});

async function answerTo(question: ArchiveQuestion): Promise<ArchiveAnswer> {
  if (question !== "next") reading = begin(await opened, question.begin);
  return { next: (await reading?.next()) ?? { done: true, value: undefined } };
}

function begin(archive: AccountArchive, call: ArchiveCall): AsyncGenerator<unknown, void> {
  if (call.read === "outlines" || call.read === "records") return archive[call.read](call.of);
  return archive[call.read](call.of);
}

async function answer(find: () => Promise<ArchiveAnswer>): Promise<void> {
  const found = await find().catch(failureOf);
  parentPort?.postMessage(found, moved(found));
}

function failureOf(error: unknown): ArchiveAnswer {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ArchiveError) return { failure: { message, kind: "archive" } };
  return { failure: { message, kind: isFileError(error) ? "file" : "other" } };
}

/** Bytes are moved, not copied. */
function moved(found: ArchiveAnswer): ArrayBuffer[] {
  const value =
    "next" in found ? (found.next.value as { bytes?: Uint8Array<ArrayBuffer> } | undefined) : undefined;
  return value?.bytes instanceof Uint8Array ? [value.bytes.buffer] : [];
}
