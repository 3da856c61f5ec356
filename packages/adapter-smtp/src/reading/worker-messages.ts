import { setImmediate } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import type { ReadingOptions, ReadMail, SenderFacts } from "@letterslot/core/ports";
import type { CheckedMail, CheckSettings } from "../sender/check-sender.ts";

/** A task for a worker thread. A check refers to settings that were sent earlier, by number. */
export type MailTask =
  | { kind: "read"; raw: Uint8Array; options: ReadingOptions }
  | ({ kind: "check"; settings: number } & CheckedMail);

/** The worker looks names up over `port`, since the resolver lives on the main thread. */
export interface SentSettings extends Omit<CheckSettings, "dns"> {
  number: number;
  port: MessagePort;
}

/** A task and the number that its answer has. */
export interface NumberedTask {
  id: number;
  task: MailTask;
}

/** To the worker: settings, or the tasks of one turn of the event loop. */
export type MailMessage = SentSettings | NumberedTask[];

/** From the worker: that it has loaded, or the answers of a few milliseconds. */
export type MailReply = "ready" | MailAnswer[];

/**
 * Why a task failed: errors lose their code between threads. The code is in the catalogue if the mail is at
 * fault.
 */
export interface MailFailure {
  code: string | null;
  message: string;
}

/** The answer to the task with the same id. */
export type MailAnswer = { id: number } & (
  | { mail: ReadMail }
  | { facts: SenderFacts }
  | { failure: MailFailure }
);

/**
 * Copies bytes that are a view of a larger buffer, such as Node's pool: posting a view copies the whole
 * buffer.
 */
export function toStandaloneBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** Bytes that are copied in one turn of the event loop. */
const COPIED_AT_ONCE_BYTES = 1024 * 1024;

/** Copies a large message in slices, so that the event loop is never held for long. */
export async function copyInSlices(raw: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at += COPIED_AT_ONCE_BYTES) {
    if (at > 0) await setImmediate();
    bytes.set(raw.subarray(at, at + COPIED_AT_ONCE_BYTES), at);
  }
  return bytes;
}
