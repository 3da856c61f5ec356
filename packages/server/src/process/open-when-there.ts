import { LetterslotError, type Log } from "@letterslot/core";

const lookEveryMs = 1_000;

/**
 * Opens what may not be there yet: a database and the server often start together. Tries again while the
 * storage can't answer, for `patience_ms`; then throws what is wrong.
 */
export async function openWhenThere<T>(open: () => Promise<T>, log: Log, patience_ms: number): Promise<T> {
  const end = performance.now() + patience_ms;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error;
      log.warn({ error }, "the database does not answer; trying again");
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/** Whether it is a storage that does not answer. */
export function isUnavailable(error: unknown): error is LetterslotError {
  return error instanceof LetterslotError && error.code === "storage_unavailable";
}
