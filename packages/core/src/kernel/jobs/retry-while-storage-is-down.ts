import { LetterslotError } from "../../catalogue/errors.ts";
import { limits } from "../../catalogue/limits.ts";
import type { Services } from "../context.ts";

const againAfterMs = 250;

/**
 * Writes what came of something that can't be taken back, such as a mail that has left: while the storage is
 * away it is tried again, for as long as the job's lease can last, so that a database that restarts doesn't
 * make the thing happen twice. Throws as `write` does.
 */
export async function retryWhileStorageIsDown<T>(
  { clock }: Pick<Services, "clock">,
  write: () => Promise<T>,
): Promise<T> {
  const end = clock.now().getTime() + limits.job_lease_ms;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const isAway = error instanceof LetterslotError && error.code === "storage_unavailable";
      if (!isAway || clock.now().getTime() >= end) throw error;
    }
    await new Promise<void>((resolve) => void clock.after(againAfterMs, resolve));
  }
}
