import { type Log, silentLog } from "@letterslot/core";
import { Redis, type RedisOptions } from "ioredis";
import { type WatchedConnection, watchConnection } from "./watched-connection.ts";
import { within } from "./within.ts";

/** No caller waits longer than this for Redis. */
const ANSWER_WITHIN_MS = 250;
const RECONNECT_AT_MOST_EVERY_MS = 1_000;

/**
 * Where Redis is: an address such as `redis://user:password@host:6379/0` (`rediss://` for TLS), or a
 * connection of your own.
 */
export type RedisLinkOptions = ({ url: string } | { connection: Redis }) & {
  /**
   * What every key and channel begins with; `letterslot` unless stated. Services that share a Redis need one
   * each.
   */
  prefix?: string;
  /** Hears when Redis goes away and comes back. */
  log?: Log;
};

/**
 * The way to one Redis, which may be away at any time: whoever uses it is told at once, and again when it is
 * back.
 */
export interface RedisLink {
  prefix: string;
  /** Whether Redis answers. It answers again by itself once Redis is back. */
  isUp(): boolean;
  /** Runs commands if Redis is up; says whether they were done within a quarter of a second. Never throws. */
  run(commands: (connection: Redis) => Promise<unknown>): Promise<boolean>;
  /** A further connection with the same settings, that retries for as long as it is open. */
  another(options?: Partial<RedisOptions>): Redis;
  /**
   * Counts a connection's answers in: Redis is up when all that are watched answer. The answered function
   * ends that.
   */
  watch(connection: Redis): () => void;
  /** Calls `listener` at each change, until the answered function is called. */
  onChange(listener: (up: boolean) => void): () => void;
  /** Takes Redis for away until it has answered again. */
  doubt(): void;
  /** Closes what it opened; a connection that was handed in stays open. */
  close(): void;
}

/**
 * Opens the way to Redis. Answers at once, whether Redis is there or not. Throws for a connection with a
 * `keyPrefix`.
 */
export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { prefix = "letterslot", log = silentLog } = options;
  const connection =
    "connection" in options
      ? options.connection
      : new Redis(options.url, { ...lasting, connectionName: prefix });
  if (connection.options.keyPrefix)
    throw new Error(
      "a connection with a keyPrefix can't be used: BullMQ's scripts name whole keys. Give a `prefix` instead.",
    );
  const watched = new Set<WatchedConnection>();
  const listeners = new Set<(up: boolean) => void>();
  let up = false;
  let told: boolean | undefined;

  const update = (trouble?: string) => {
    const now = [...watched].every((each) => each.answers());
    if (!now && told !== false && trouble !== undefined) {
      told = false;
      log.warn({ trouble }, "Redis is away: this process looks for work and news by itself until it is back");
    }
    if (now === up) return;
    up = now;
    if (up && told === false) log.info({}, "Redis is back");
    if (up) told = true;
    for (const listener of [...listeners]) listener(up);
  };
  const watch = (each: Redis, probe: () => Promise<unknown>) => {
    const watching = watchConnection(each, { probe, changed: update });
    watched.add(watching);
    update();
    return () => {
      watching.stop();
      watched.delete(watching);
      update();
    };
  };
  // A write, since a Redis that is full or a replica answers PING and takes nothing.
  const main = watchConnection(connection, {
    probe: () => connection.set(`${prefix}:probe`, "1", "PX", 60_000),
    changed: update,
  });
  watched.add(main);

  return {
    prefix,
    isUp: () => up,
    async run(commands) {
      if (!up) return false;
      const done = await within(
        ANSWER_WITHIN_MS,
        commands(connection).then(
          () => true,
          () => false,
        ),
      );
      if (done !== true) main.doubt("a command failed or took too long");
      return done === true;
    },
    another: (more) => {
      const other = connection.duplicate({ ...lasting, ...more });
      // Said by the watch, or by the connection's user; without a listener ioredis prints it.
      other.on("error", () => undefined);
      return other;
    },
    watch: (each) => watch(each, () => each.ping()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    doubt: () => main.doubt("a subscription took too long"),
    close() {
      for (const each of watched) each.stop();
      watched.clear();
      listeners.clear();
      up = false;
      if (!("connection" in options)) connection.disconnect();
    },
  };
}

/**
 * Commands wait for the connection however long it takes, as BullMQ asks; callers don't, since `run` sends
 * nothing to a Redis that is away.
 */
const lasting = {
  maxRetriesPerRequest: null,
  retryStrategy: (times: number) => Math.min(times * 100, RECONNECT_AT_MOST_EVERY_MS),
} satisfies Partial<RedisOptions>;
