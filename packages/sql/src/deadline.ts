import { fail } from "@letterslot/core";

/**
 * What a transaction comes to within its time. Fails with `storage_unavailable` when it takes longer; it is
 * the caller's to roll it back.
 */
export async function withDeadline<T>(work: Promise<T>, timeout_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const message = `The transaction took longer than ${timeout_ms} ms and was rolled back.`;
    timer = setTimeout(() => reject(fail("storage_unavailable", { message })), timeout_ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
