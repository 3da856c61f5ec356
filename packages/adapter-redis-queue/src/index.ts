export { createRedisLink, type RedisLink, type RedisLinkOptions } from "./redis-link.ts";
export { createRedisQueue } from "./redis-queue.ts";
export { createRedisSignals } from "./redis-signals.ts";
