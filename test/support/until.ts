const lookEveryMs = 20;

/**
 * Answers what `look` finds as soon as it is something; looks again and again. Throws after `within_ms`,
 * saying what was waited for.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  within_ms = 60_000,
): Promise<T> {
  const deadline = Date.now() + within_ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${within_ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

/**
 * Waits until nothing is left, however long it takes a busy machine. Throws once no less has been left for
 * `standstill_ms`, saying how many of what.
 */
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
      throw new Error(`waited ${standstill_ms} ms in vain for the last ${least} ${what}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
