import pg from "pg";
import { answerOf, configOf, connectionOf } from "./client-connection.ts";
import type { Answer, Database, Listener, Statement } from "./database.ts";
import { gatherReads } from "./gather-reads.ts";
import { isTrouble } from "./postgres-trouble.ts";

/**
 * Over a pool of pg. `own`: it is ours to close, and its connections pipeline. `prepare`: statements are kept
 * prepared, which some poolers can't.
 */
export function databaseOfPool(
  pool: pg.Pool,
  { own, prepare }: { own: boolean; prepare: boolean },
): Database {
  // An idle connection that breaks is thrown away by the pool; without a listener it would end the process.
  const ignore = () => undefined;
  pool.on("error", ignore);

  const run = async (statement: Statement): Promise<Answer> =>
    answerOf(await pool.query(configOf(statement, prepare)));
  const lend: Database["lend"] = async (use) => {
    const client = await pool.connect();
    client.on("error", ignore);
    let broken = false;
    try {
      return await use(connectionOf(client, prepare), () => {
        broken = true;
      });
    } catch (error) {
      broken ||= isTrouble(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  };

  return {
    run,
    read: own ? gatherReads(lend) : run,
    lend,
    async listen(channel, listener) {
      const client = await pool.connect();
      return listenOn(client, channel, listener, async () => client.release(true));
    },
    async close() {
      pool.off("error", ignore);
      if (!own) return;
      // Idle connections may break while the pool waits for the others.
      pool.on("error", ignore);
      await pool.end();
    },
  };
}

/** Opens a connection of its own to listen on. */
export async function listenByUrl(
  config: pg.ClientConfig,
  channel: string,
  listener: Listener,
): Promise<{ close(): Promise<void> }> {
  const client = new pg.Client(config);
  // A connection that breaks while it is opened says so by its promise too.
  client.on("error", () => undefined);
  await client.connect();
  return listenOn(client, channel, listener, () => client.end());
}

async function listenOn(
  client: pg.ClientBase,
  channel: string,
  listener: Listener,
  end: () => Promise<void>,
) {
  let open = true;
  const lose = () => {
    if (!open) return;
    open = false;
    void close();
    listener.lost();
  };
  const close = async () => {
    open = false;
    // A connection that is broken can't be ended in order, and is gone all the same.
    await end().catch(() => undefined);
  };
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", ({ payload }) => open && listener.heard(payload ?? ""));
  try {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
