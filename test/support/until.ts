const lookEveryMs = 20;

/** Answers what `look` finds as soon as it is something; looks again and again. Throws after `within_ms`, saying what was waited for. */
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
