const POLL_MS = 20;

/** Polls `look` until it returns a value, and returns it. Throws after `within_ms`, naming `what` it waited for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  within_ms = 60_000,
): Promise<T> {
  const deadline = Date.now() + within_ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${within_ms} ms for ${what}, in vain`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Waits until nothing is left. Throws if the number has not decreased for `standstill_ms`, naming the rest. */
export async function untilNoneLeft(
  what: string,
  left: () => Promise<number> | number,
  standstill_ms = 60_000,
): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    const now = await left();
    if (now <= 0) return;
    if (now < least) [least, deadline] = [now, performance.now() + standstill_ms];
    if (performance.now() > deadline)
      throw new Error(`waited ${standstill_ms} ms for the last ${least} ${what}, in vain`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
