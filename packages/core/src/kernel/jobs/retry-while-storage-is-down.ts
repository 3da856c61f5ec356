import { LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../context.ts";

const RETRY_MS = 250;

/**
 * Records the result of something that can't be undone, such as a sent mail. Retries while the storage is
 * unavailable, for as long as a job's lease can last, so that a database restart doesn't make it happen
 * twice. Throws the last error of `write`.
 */
export async function retryWhileStorageIsDown<T>(
  { clock }: Pick<Services, "clock">,
  write: () => Promise<T>,
): Promise<T> {
  const end = clock.now().getTime() + LIMITS.job_lease_ms;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const isDown = error instanceof LetterslotError && error.code === "storage_unavailable";
      if (!isDown || clock.now().getTime() >= end) throw error;
    }
    await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
  }
}
