import { type Log, silentLog } from "@letterslot/core/ports";
import { withTimeout } from "@letterslot/node-kit";
import { Redis, type RedisOptions } from "ioredis";
import { type WatchedConnection, watchConnection } from "./watch-connection.ts";

/** No caller waits longer for Redis. */
const COMMAND_TIMEOUT_MS = 250;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** A URL such as `redis://user:password@host:6379/0` (`rediss://` for TLS), or an existing connection. */
export type RedisLinkOptions = ({ url: string } | { connection: Redis }) & {
  /**
   * Prefix of every key and channel; services that share a Redis need different ones. Default: `letterslot`.
   */
  prefix?: string;
  /** Logs when Redis goes down and comes back. */
  log?: Log;
};

/** A connection to a Redis that may be down at any time; users are notified of each change. */
export interface RedisLink {
  prefix: string;
  /** Whether Redis answers; recovers by itself. */
  isUp(): boolean;
  /** Runs commands if Redis is up. Whether they succeeded within 250 ms; never throws. */
  run(commands: (connection: Redis) => Promise<unknown>): Promise<boolean>;
  /** A second connection with the same settings, which retries until it is closed. */
  duplicate(options?: Partial<RedisOptions>): Redis;
  /** Redis counts as up only while all watched connections answer. The returned function stops watching. */
  watch(connection: Redis): () => void;
  /** Calls `listener` at each change, until the returned function is called. */
  onChange(listener: (up: boolean) => void): () => void;
  /** Treats Redis as down until it answers a probe. */
  markDown(): void;
  /** Closes its own connections; one that was passed in stays open. */
  close(): void;
}

/** Connects to Redis; returns at once, even if Redis is down. Throws for a connection with a `keyPrefix`. */
export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { prefix = "letterslot", log = silentLog } = options;
  const connection =
    "connection" in options
      ? options.connection
      : new Redis(options.url, { ...RETRY_FOREVER, connectionName: prefix });
  if (connection.options.keyPrefix)
    throw new Error(
      "A connection with a keyPrefix does not work, because BullMQ's scripts use full keys. Give a `prefix` instead.",
    );
  const watched = new Set<WatchedConnection>();
  const listeners = new Set<(up: boolean) => void>();
  let up = false;
  let logged: boolean | undefined;

  const update = (problem?: string) => {
    const now = [...watched].every((each) => each.isUp());
    if (!now && logged !== false && problem !== undefined) {
      logged = false;
      log.warn(
        { trouble: problem },
        "Redis is down: this process polls for work and signals until it is back",
      );
    }
    if (now === up) return;
    up = now;
    if (up && logged === false) log.info({}, "Redis is back");
    if (up) logged = true;
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
  // Probes with a write: a full Redis or a replica answers PING but accepts no writes.
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
      const done = await withTimeout(
        COMMAND_TIMEOUT_MS,
        commands(connection).then(
          () => true,
          () => false,
        ),
      );
      if (done !== true) main.markDown("a command failed or took too long");
      return done === true;
    },
    duplicate: (more) => {
      const other = connection.duplicate({ ...RETRY_FOREVER, ...more });
      // Reported elsewhere; without a listener ioredis prints it.
      other.on("error", () => undefined);
      return other;
    },
    watch: (each) => watch(each, () => each.ping()),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    markDown: () => main.markDown("a subscription took too long"),
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
 * BullMQ requires commands to wait for the connection; callers do not, since `run` skips a Redis that is
 * down.
 */
const RETRY_FOREVER = {
  maxRetriesPerRequest: null,
  retryStrategy: (times: number) => Math.min(times * 100, MAX_RECONNECT_DELAY_MS),
} satisfies Partial<RedisOptions>;
