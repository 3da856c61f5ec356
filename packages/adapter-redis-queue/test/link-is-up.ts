import type { RedisLink } from "../src/redis-link.ts";

/** Resolves once Redis answers. */
export async function linkIsUp(link: RedisLink): Promise<void> {
  if (link.isUp()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = link.onChange((up) => up && resolve());
  await promise;
  stop();
}
